"""The server: where it listens, and how it stops.

An open event stream would keep the server from stopping for ever, so before anything else it says that it drains.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine
from typing import Any

import uvicorn
import uvloop
from starlette.applications import Starlette

from docalign_actors.http.edge import is_loopback
from docalign_actors.http.errors import CannotListenError, NotPublicError
from docalign_actors.http.protocol import BoundedProtocol
from docalign_actors.http.services import HttpSettings, Services
from docalign_actors.persistence.tokens import TokenStore

_BACKLOG = 2_048
_KEEP_ALIVE = 30
_ALL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what it means to listen on all addresses
"""Nobody connects to `all addresses`: this one is among them."""


def run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Runs this, and everything that it starts, in an event loop: the one with which requests cost least."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)


def take_address(settings: HttpSettings, tokens: TokenStore) -> socket.socket:
    """A socket that listens where the settings say; an error that says why there can be none."""
    if not is_loopback(settings.host) and not tokens.any():
        raise NotPublicError
    try:
        family, _, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        # The protocol is named: only then does asyncio set TCP_NODELAY, and an answer's body waits for no acknowledgement.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise CannotListenError(
            f"{settings.host} is no address of this machine: {error.strerror}.",
            hint="Give --host an address of this machine, such as 127.0.0.1.",
        ) from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise CannotListenError(f"{settings.host}:{settings.port} cannot be listened on: {error.strerror}.") from None
    return listening


class Serving(uvicorn.Server):
    """Serves one application on one socket. Signals are left to whoever runs the process."""

    def __init__(
        self, app: Starlette, services: Services, *, stop_seconds: float = 10.0, taken: socket.socket | None = None
    ) -> None:
        """`taken`: the address, if it was taken beforehand."""
        settings = services.settings
        self._services = services
        self._socket = taken
        super().__init__(
            uvicorn.Config(
                app,
                host=settings.host,
                port=settings.port,
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="on",
                ws="none",
                http=BoundedProtocol,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=max(1, round(stop_seconds)),
                limit_concurrency=_BACKLOG,
            )
        )

    def bind(self) -> str:
        """Takes the address; gives it back as a URL that works on this machine, with the port that was got where 0 was
        asked for."""
        if self._socket is None:
            self._socket = take_address(self._services.settings, self._services.tokens)
        host, port = self._socket.getsockname()[:2]
        host = _ALL.get(host, host)
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until told to stop."""
        if sockets is None:
            if self._socket is None:
                self.bind()
            assert self._socket is not None  # noqa: S101 - bind sets it or raises
            sockets = [self._socket]
        await self._serve(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._services.draining.set()
        await super().shutdown(sockets)

    def close(self) -> None:
        """Gives an address back that was taken but never served on."""
        if self._socket is not None:
            self._socket.close()

    def stop(self) -> None:
        """Asks the server to stop; may be called from any thread."""
        self.should_exit = True
