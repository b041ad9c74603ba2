"""Runs a function over many items in several processes: parsing holds the interpreter's lock, so threads would not help.

Each stage forks anew, after this process has loaded what the stage needs: modules and patterns are then made once and
shared. An item that takes longer
than its deadline (a file made to be slow to parse) loses its process and is given up; the others are done all the same.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, TypeVar, cast

_SMALL = 8
"""With fewer items than this, sending them to other processes costs more than it saves."""
_CHUNK_SECONDS = 60.0
_ITEM_SECONDS = 20.0

T = TypeVar("T")
R = TypeVar("R")
ItemT = TypeVar("ItemT", contravariant=True)
ResultT = TypeVar("ResultT", covariant=True)


class Work(Protocol[ItemT, ResultT]):
    """What is done with an item, and what stands for the result when it took too long."""

    def __call__(self, item: ItemT) -> ResultT: ...

    def prepare(self, items: Sequence[ItemT]) -> None:
        """Loads what the work needs, once, in the process that the others are forked from."""
        ...

    def give_up(self, item: ItemT) -> ResultT: ...


class Workers:
    """A pool for each piece of work, ended with the next one or with the `with` statement."""

    def __init__(self, jobs: int = 0) -> None:
        self.jobs = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
        self._pool: ProcessPoolExecutor | None = None

    def map(self, work: Work[T, R], items: Sequence[T], tick: Callable[[int], None], few: int = _SMALL) -> Iterator[R]:
        """The results in the order of the items. Fewer than `few` are done in this process."""
        if self.jobs <= 1 or len(items) < few:
            for done, item in enumerate(items, 1):
                yield work(item)
                tick(done)
            return
        size = max(1, min(32, len(items) // (self.jobs * 8)))
        chunks = [items[start : start + size] for start in range(0, len(items), size)]
        work.prepare(items)
        self._end()
        blob = pickle.dumps(work)
        futures = [self._submit(blob, chunk) for chunk in chunks]
        done = 0
        for number, chunk in enumerate(chunks):
            results = self._result(futures[number], _CHUNK_SECONDS)
            if results is None:
                results = self._one_by_one(work, blob, chunk)
                futures[number + 1 :] = [self._submit(blob, rest) for rest in chunks[number + 1 :]]
            for result in results:
                done += 1
                yield cast(R, result)
                tick(done)

    def _submit(self, blob: bytes, chunk: Sequence[object]) -> Future[list[object]]:
        if self._pool is None:
            # Forking is by far the cheapest, and safe only while this process has a single thread.
            method = "fork" if threading.active_count() == 1 and hasattr(os, "fork") else "spawn"
            self._pool = ProcessPoolExecutor(self.jobs, multiprocessing.get_context(method), _leave_interrupts)
        return self._pool.submit(_run_chunk, blob, chunk)

    def _result(self, future: Future[list[object]], seconds: float) -> list[object] | None:
        """A chunk's results; None, and no pool any more, if a process hangs or died."""
        try:
            return future.result(timeout=seconds)
        except (FutureTimeoutError, BrokenProcessPool):
            self._kill()
            return None

    def _one_by_one(self, work: Work[T, R], blob: bytes, chunk: Sequence[T]) -> list[object]:
        found: list[object] = []
        for item in chunk:
            results = self._result(self._submit(blob, [item]), _ITEM_SECONDS)
            found.append(work.give_up(item) if results is None else results[0])
        return found

    def _kill(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                with contextlib.suppress(OSError, ValueError):
                    process.kill()
            # Not waited for: the pool's thread may hold a lock that the interruption left taken.
            pool.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, error: type[BaseException] | None, *details: object) -> None:
        """Ends the processes: at once if something went wrong or somebody pressed Ctrl-C."""
        if error is None:
            self._end()
        else:
            self._kill()

    def _end(self) -> None:
        # Waited for, because the pool's own thread would keep the next one from forking.
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that started the others ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_unpacked: tuple[bytes, Callable[[object], object]] | None = None


def _run_chunk(blob: bytes, chunk: Sequence[object]) -> list[object]:
    """Runs in a worker process. The work is unpacked once for all chunks that share it."""
    global _unpacked
    if _unpacked is None or _unpacked[0] != blob:
        _unpacked = (blob, pickle.loads(blob))  # noqa: S301 - our own process packed it
    work = _unpacked[1]
    return [work(item) for item in chunk]
