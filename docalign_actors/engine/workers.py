"""Runs a function over many items in several processes: parsing holds the interpreter's lock, so threads would not help.

Each stage forks anew, after this process has loaded what the stage needs: modules and patterns are then made once and
shared. An item that takes longer
than its deadline (a file made to be slow to parse) loses its process and is given up; the others are done all the same.
Where forking is unsafe a pool of new processes does the same.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from docalign_actors.engine.helper import PATIENCE, Helper, can_fork, limit_processor_time, ready

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_SMALL = 4
"""With fewer items than this, sending them to other processes costs more than it saves."""
_CHUNK_SECONDS = 60.0
_ITEM_SECONDS = 20.0
"""Of processor time, as `helper.py` counts it."""

T = TypeVar("T")
R = TypeVar("R")
ItemT = TypeVar("ItemT", contravariant=True)
ResultT = TypeVar("ResultT", covariant=True)


Desk = Callable[[Any], object]
"""Answers single questions, in whichever process it is asked."""


class Work(Protocol[ItemT, ResultT]):
    """What is done with an item, and what stands for the result when it took too long."""

    def __call__(self, item: ItemT) -> ResultT: ...

    def prepare(self, items: Sequence[ItemT]) -> None:
        """Loads what the work needs, once, in the process that the others are forked from."""
        ...

    def give_up(self, item: ItemT) -> ResultT: ...


class Workers:
    """Processes for each piece of work, ended with it."""

    def __init__(self, jobs: int = 0) -> None:
        self.jobs = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
        self._pool: ProcessPoolExecutor | None = None
        self._helpers: list[Callable[[], None]] = []
        self.kept: list[Helper[object, object]] = []
        """Processes that have read code and answer at a desk."""

    def map(
        self, work: Work[T, R], items: Sequence[T], tick: Callable[[int], None], harmless: int = 0, desk: Desk | None = None,
        meanwhile: Callable[[], None] | None = None, weight: Callable[[T], int] | None = None,
    ) -> Iterator[R]:  # fmt: skip
        """The results in the order of the items. So many as are `harmless`, which is quick work, are done right here.

        With a `desk` the processes are kept, to answer what is asked of the desk. `meanwhile` is done once, when other
        processes have begun, and not at all where there are none. With a `weight` the heaviest items are begun first: one of
        them, begun last, would keep all the others waiting. Then the results come when all of them are there.
        """
        if len(items) < harmless:
            results: Iterator[R] = map(work, items)
        elif self.jobs <= 1 or len(items) < _SMALL:
            results = self._here(work, items)
        else:
            size = max(1, min(32, len(items) // (self.jobs * 8)))
            if weight is not None:
                yield from self._heaviest_first(work, items, tick, weight, size, desk, meanwhile)
                return
            chunks = [items[start : start + size] for start in range(0, len(items), size)]
            results = self._spread(work, chunks, desk, meanwhile)
        for done, result in enumerate(results, 1):
            yield result
            tick(done)

    def _heaviest_first(
        self, work: Work[T, R], items: Sequence[T], tick: Callable[[int], None], weight: Callable[[T], int], size: int,
        desk: Desk | None, meanwhile: Callable[[], None] | None,
    ) -> list[R]:  # fmt: skip
        """Each part has one of the heaviest items and its share of the lighter ones, and the heaviest part comes first."""
        order = sorted(range(len(items)), key=lambda place: -weight(items[place]))
        count = -(-len(items) // size)
        parts = [order[start::count] for start in range(count)]
        results = self._spread(work, [[items[place] for place in part] for part in parts], desk, meanwhile)
        found: dict[int, R] = {}
        for done, (place, result) in enumerate(zip((p for part in parts for p in part), results, strict=True), 1):
            found[place] = result
            tick(done)
        return [found[place] for place in range(len(items))]

    def _spread(
        self, work: Work[T, R], chunks: Sequence[Sequence[T]], desk: Desk | None, meanwhile: Callable[[], None] | None
    ) -> Iterator[R]:
        return self._forked(work, chunks, desk, meanwhile) if can_fork() else self._pooled(work, chunks)

    def _here(self, work: Work[T, R], items: Sequence[T]) -> Iterator[R]:
        """One after the other, in one process beside this one that can be ended."""
        if items and can_fork():
            work.prepare(items)
        helper = self.helper(work)
        try:
            for item in items:
                result = helper.do(item)
                yield work.give_up(item) if result is None else result[0]
        finally:
            helper.end()

    def _forked(
        self, work: Work[T, R], chunks: Sequence[Sequence[T]], desk: Desk | None, meanwhile: Callable[[], None] | None
    ) -> Iterator[R]:
        """In processes that have the work and the items from their birth, and are told numbers."""
        work.prepare([item for chunk in chunks for item in chunk])

        def do(asked: object) -> object:
            return [work(item) for item in chunks[asked]] if isinstance(asked, int) else desk and desk(asked)

        team = [self.helper(do, _CHUNK_SECONDS) for _ in range(min(self.jobs, len(chunks)))]
        try:
            for number, results in _in_order(team, len(chunks), meanwhile):
                yield from cast(list[R], results) if results is not None else self._here(work, chunks[number])
        finally:
            if desk:
                self.end_kept()
                self.kept = team
            else:
                for helper in team:
                    helper.end()

    def end_kept(self) -> None:
        """Ends the processes that were kept: there are none any more."""
        for helper in self.kept:
            helper.end()
        self.kept = []

    def can_spread(self) -> bool:
        """There is a core for another process, and starting one is cheap."""
        return self.jobs > 1 and can_fork()

    def helper(self, work: Callable[[T], R], seconds: float = 0.0) -> Helper[T, R]:
        """A process for one thing at a time, ended with the `with` statement at the latest.

        A thing may take so many seconds; if none are given, as many as an item.
        """
        helper = Helper(work, seconds or _ITEM_SECONDS)
        self._helpers.append(helper.end)
        return helper

    def _pooled(self, work: Work[T, R], chunks: Sequence[Sequence[T]]) -> Iterator[R]:
        """In new processes, which load everything themselves."""
        blob = pickle.dumps(work)
        futures = [self._submit(blob, chunk, _CHUNK_SECONDS) for chunk in chunks]
        for number, chunk in enumerate(chunks):
            results = self._result(futures[number], _CHUNK_SECONDS)
            if results is None:
                results = self._one_by_one(work, blob, chunk)
                futures[number + 1 :] = [self._submit(blob, rest, _CHUNK_SECONDS) for rest in chunks[number + 1 :]]
            yield from cast(list[R], results)
        self._end()

    def _submit(self, blob: bytes, chunk: Sequence[object], seconds: float) -> Future[list[object]]:
        from concurrent.futures import BrokenExecutor

        try:
            return self._processes().submit(_run_chunk, blob, chunk, seconds)
        except BrokenExecutor:
            # A chunk that was given before has ended its process meanwhile: whoever waits for it hears of that too.
            self._kill()
            return self._processes().submit(_run_chunk, blob, chunk, seconds)

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(self.jobs, multiprocessing.get_context("spawn"), _leave_interrupts)
        return self._pool

    def _result(self, future: Future[list[object]], seconds: float) -> list[object] | None:
        """A chunk's results; None, and no pool any more, if a process hangs or died."""
        from concurrent.futures import BrokenExecutor

        try:
            return future.result(timeout=PATIENCE * seconds)
        except (TimeoutError, BrokenExecutor):
            self._kill()
            return None

    def _one_by_one(self, work: Work[T, R], blob: bytes, chunk: Sequence[T]) -> list[object]:
        found: list[object] = []
        for item in chunk:
            results = self._result(self._submit(blob, [item], _ITEM_SECONDS), _ITEM_SECONDS)
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
        for end in self._helpers:
            end()
        if error is None:
            self._end()
        else:
            self._kill()

    def _end(self) -> None:
        # Waited for, because the pool's own thread would keep what comes next from forking.
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    team: Sequence[Helper[object, R]], count: int, meanwhile: Callable[[], None] | None = None
) -> Iterator[tuple[int, R | None]]:
    """What the numbers from 0 on yield, in their order; None for one that took too long or ended its process."""
    busy: dict[Helper[object, R], tuple[int, float]] = {}
    found: dict[int, R | None] = {}
    following = 0
    for wanted in range(count):
        while wanted not in found:
            for helper in team:
                if helper not in busy and following < count:
                    helper.ask(following)
                    busy[helper] = (following, helper.latest())
                    following += 1
            if meanwhile is not None:
                meanwhile()
                meanwhile = None
            for helper in _answering(busy):
                number, deadline = busy.pop(helper)
                answer = helper.answer(deadline)
                found[number] = answer[0] if answer else None
        yield wanted, found.pop(wanted)


def _answering(busy: dict[Helper[object, R], tuple[int, float]]) -> list[Helper[object, R]]:
    """Those of the busy that have an answer, are gone, or took too long; waits for the first."""
    lines = {helper.line.incoming: helper for helper in busy if helper.line is not None}
    first = min(deadline for _, deadline in busy.values())
    answered = ready(lines, first - time.monotonic() if len(lines) == len(busy) else 0.0)
    now = time.monotonic()
    over = {helper for helper, (_, deadline) in busy.items() if helper.line is None or deadline <= now}
    over.update(lines[descriptor] for descriptor in answered)
    return [helper for helper in busy if helper in over]


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that started the others ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_unpacked: tuple[bytes, Callable[[object], object]] | None = None


def _run_chunk(blob: bytes, chunk: Sequence[object], seconds: float) -> list[object]:
    """Runs in a worker process. The work is unpacked once for all chunks that share it."""
    global _unpacked
    if _unpacked is None or _unpacked[0] != blob:
        _unpacked = (blob, pickle.loads(blob))  # noqa: S301 - our own process packed it
    work = _unpacked[1]
    limit_processor_time(seconds)
    results = [work(item) for item in chunk]
    limit_processor_time(0)
    return results
