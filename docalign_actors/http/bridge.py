"""Brings answers of actors, which come in their threads, into the event loop.

The ingest actor answers a whole batch at once: however many answers there are, the loop is woken once for all of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from typing import Any, TypeVar

from docalign_actors.http.errors import NoAnswerError

T = TypeVar("T")


class Bridge:
    """The way from any thread into one event loop."""

    def __init__(self) -> None:
        self._arrived: deque[asyncio.Future[None]] = deque()
        self._called = False

    async def wait(self, answer: Future[T], seconds: float) -> T:
        """The answer. When the time is up it is left alone, not cancelled: whoever works on it may still give it."""
        if not answer.done():
            loop = asyncio.get_running_loop()
            waiting: asyncio.Future[None] = loop.create_future()

            def arrived(_: Future[T]) -> None:
                self._arrived.append(waiting)
                if not self._called:
                    self._called = True
                    try:
                        loop.call_soon_threadsafe(self._deliver)
                    except RuntimeError:  # the loop is closed: nobody waits any more
                        self._called = False

            answer.add_done_callback(arrived)
            timer = loop.call_later(seconds, _wake, waiting)
            try:
                await waiting
            finally:
                timer.cancel()
        if not answer.done():
            raise NoAnswerError
        return answer.result()

    def _deliver(self) -> None:
        # First the mark, then the answers: one that arrives in between calls again rather than being missed.
        self._called = False
        while self._arrived:
            _wake(self._arrived.popleft())


def _wake(waiting: asyncio.Future[Any]) -> None:
    if not waiting.done():
        waiting.set_result(None)
