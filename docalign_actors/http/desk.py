"""Work that waits for the database is done by a few threads, so that the event loop waits for nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from docalign_actors.http.errors import BusyError, NoAnswerError

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = 8
"""As many as the pool has connections: more would only wait for those."""
_MOST_OPEN = 256
_SECONDS = 15.0
"""How long a caller waits: longer than a statement may take, shorter than clients do."""


class Desk:
    """A bounded number of threads, and a bounded number of callers who wait for one."""

    def __init__(self, threads: int = _THREADS, most_open: int = _MOST_OPEN, seconds: float = _SECONDS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="http")
        self._most_open = most_open
        self._seconds = seconds
        self._open = 0

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of work done in a thread, with the trace of the caller. Refuses when too many wait already. Work that
        takes too long is left to itself: a thread cannot be ended, but nobody waits for it any more."""
        if self._open >= self._most_open:
            raise BusyError
        job = partial(copy_context().run, partial(work, *args, **kwargs))
        self._open += 1
        try:
            async with asyncio.timeout(self._seconds) as limit:
                return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        except TimeoutError:
            if limit.expired():
                raise NoAnswerError from None
            raise
        finally:
            self._open -= 1

    def close(self) -> None:
        """Takes nothing new. What is under way ends by the database's own time-outs."""
        self._threads.shutdown(wait=False, cancel_futures=True)
