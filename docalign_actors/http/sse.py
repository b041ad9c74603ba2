"""Server-sent events: their form, and a response that writes them, notices who left, and does not wait for who is slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, suppress
from typing import Any

import msgspec
from loguru import logger
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from docalign_actors.errors import DocAlignError
from docalign_actors.http.hub import Watcher

KEEP_ALIVE = b": still here\n\n"
RETRY = b"retry: 2000\n\n"
"""How many milliseconds a browser waits before it connects again."""
MEDIA_TYPE = "text/event-stream"


def frame(event: str, data: Any, seq: int | None = None) -> bytes:
    """One event. JSON holds no line breaks, so the data is one line."""
    head = f"id: {seq}\nevent: {event}\n" if seq is not None else f"event: {event}\n"
    return head.encode() + b"data: " + msgspec.json.encode(data) + b"\n\n"


def last_event_id(header: str | None) -> int:
    """Where a client left off; 0 if it says nothing, or nothing sensible."""
    if header is None or not header.isdecimal() or not header.isascii():
        return 0
    return int(header) if len(header) < 10 else 2**31 - 1


class EventSource(Response):
    """A response that goes on until its events end, the client leaves, or the service stops."""

    media_type = MEDIA_TYPE

    def __init__(
        self,
        watching: AbstractContextManager[Watcher],
        frames: Callable[[Watcher], AsyncGenerator[bytes, None]],
        send_seconds: float,
    ) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._watching = watching
        self._frames = frames
        self._send_seconds = send_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._watching as watcher:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            leaving = asyncio.ensure_future(_watch_for_leaving(receive, watcher))
            try:
                await self._write(watcher, send)
            finally:
                leaving.cancel()

    async def _write(self, watcher: Watcher, send: Send) -> None:
        frames = self._frames(watcher)
        try:
            await self._send(send, {"type": "http.response.body", "body": RETRY, "more_body": True})
            async for one in frames:
                await self._send(send, {"type": "http.response.body", "body": one, "more_body": True})
        except DocAlignError as error:
            logger.warning("a live stream ends: {}", error)  # the client connects again where it left off
        except (TimeoutError, OSError):
            return  # too slow, or gone
        finally:
            await frames.aclose()
        with suppress(TimeoutError, OSError):
            await self._send(send, {"type": "http.response.body", "body": b""})

    async def _send(self, send: Send, message: Message) -> None:
        """The server holds back whoever writes faster than the client reads; one who does not read at all is dropped."""
        async with asyncio.timeout(self._send_seconds):
            await send(message)


async def _watch_for_leaving(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.end()
