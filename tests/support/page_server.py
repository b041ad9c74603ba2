"""The pages on a port of this machine, with views made by hand and a door that knows three people."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from docalign_actors.http.auth import Principal
from docalign_actors.http.csrf import cookie_of, csrf_token, set_cookie
from docalign_actors.http.errors import NotSignedInError
from docalign_actors.http.pages import Pages
from docalign_actors.http.signing import Session
from docalign_actors.persistence.tokens import Role
from tests.support.dashboard import Desk, Empty, all_pages
from tests.support.views import NOW, uid


class FixedClock:
    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


class People:
    """A door and a book of sessions: the token is the role's name, `once` works once."""

    def __init__(self) -> None:
        self.sessions: dict[str, Role] = {}
        self.used: set[str] = set()

    async def identify(self, connection: HTTPConnection) -> Principal | None:
        session = cookie_of(connection)
        if not session:
            return None
        if session not in self.sessions:
            raise NotSignedInError
        role = self.sessions[session]
        return Principal(uid(1), f"ada-{role.value}", role, None, session)

    async def sign_in(self, connection: HTTPConnection, token: str) -> Session:
        role = {"once": "admin"}.get(token, token)
        if role not in [r.value for r in Role] or token in self.used:
            raise NotSignedInError("The token is unknown, expired, revoked or used up.")
        if token == "once":
            self.used.add(token)
        secret = f"session-{len(self.sessions)}-{role}"
        self.sessions[secret] = Role(role)
        return Session(set_cookie(secret, secure=False, seconds=3600), csrf_token(secret))

    async def sign_out(self, connection: HTTPConnection, session: str) -> str:
        self.sessions.pop(session, None)
        return set_cookie("", secure=False, seconds=0)


class Feed:
    """The stream of events, stepped by hand from the thread of the test."""

    def __init__(self) -> None:
        self._listeners: list[asyncio.Queue[str]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self.opened = threading.Event()

    async def endpoint(self, request: Request) -> Response:
        self._loop = asyncio.get_running_loop()
        mine: asyncio.Queue[str] = asyncio.Queue()
        self._listeners.append(mine)

        async def lines() -> AsyncIterator[str]:
            self.opened.set()
            yield ": here\n\n"
            while (topic := await mine.get()) != "":
                yield f"event: {topic}\ndata: {{}}\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    def tell(self, topic: str) -> None:
        """An event to everybody; "" ends every stream."""
        if self._loop is None or self._loop.is_closed():
            return
        for listener in self._listeners:
            self._loop.call_soon_threadsafe(listener.put_nowait, topic)
        if not topic:
            self._listeners = []


def application(reader: Empty, desk: Desk, people: People, feed: Feed) -> Starlette:
    pages = Pages(all_pages(reader, desk), people, people, FixedClock())
    return Starlette(routes=[pages.router(), Route("/api/events", feed.endpoint)])


class Server:
    """Serves in a thread of its own until it is closed."""

    def __init__(self, app: Starlette, feed: Feed, port: int = 0, lifespan: Literal["on", "off"] = "off") -> None:
        self._feed = feed
        config = uvicorn.Config(
            app, host="127.0.0.1", port=port, log_level="critical", lifespan=lifespan, timeout_graceful_shutdown=2
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._up = threading.Event()
        start = self._server.startup

        async def started(sockets: object = None) -> None:
            await start(sockets=None)
            self._up.set()

        self._server.startup = started  # type: ignore[method-assign]
        self._thread.start()
        if not self._up.wait(10):
            raise RuntimeError("the server did not start")
        self.port: int = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._feed.tell("")
        self._server.should_exit = True
        self._thread.join(10)
