"""A server in a thread of its own, which stops when it is told to and not at its next tick."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

_TICK = 1.0
_STOP_SECONDS = 10.0
_GRACE = 1.0


class ServerThread:
    """Serves one application at `address`, between `start` and `stop`."""

    def __init__(self, app: Starlette, *, with_lifespan: bool = False) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(128)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = _Server(
            uvicorn.Config(
                app, log_config=None, access_log=False, lifespan="auto" if with_lifespan else "off", ws="none"
            )
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve([self._socket])), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(_STOP_SECONDS)
        self._socket.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def stop(self) -> None:
        """From any thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._told.set)

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), _TICK)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            _, slow = await asyncio.wait(self.server_state.tasks, timeout=_GRACE)
            for task in slow:
                task.cancel()
        await self.lifespan.shutdown()
