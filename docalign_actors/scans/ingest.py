"""The ingest actor: takes the requests that have gathered and admits them in one transaction.

A request is answered when its row is committed. While one batch is being written the next one gathers by itself, so the
batches grow with the load and one request alone waits for nobody. Requests wait in an intake of their own, not in the
mailbox: one message speaks for all of them, and what waits outlives an actor that fails.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import cast
from uuid import UUID

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.scans.admission import Admission, Admitted, run_of
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.limits import Counter, Refusal
from docalign_actors.scans.messages import CancelRun, Enqueue, Flush, PermitsWanted, Refusals, Reserve, Unreserve
from docalign_actors.scans.model import Request, RunId
from docalign_actors.scans.ports import ScanStore
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import traced

_MOST = 256
"""Requests in one transaction: enough to make the commit cheap, few enough to answer the first of them soon."""
_BUSY = 8
"""So many requests at once are load. Fewer are written at once: whoever asks alone waits for nobody."""
_GATHERING = 0.01
"""Seconds for which those who are expected are given time."""
_ANSWER = 5.0


class Intake:
    """Where requests wait. Any thread may add; the ingest actor takes."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._waiting: deque[Enqueue] = deque()
        self._told = False
        self._wanted = most + 1
        self._enough = threading.Event()

    def add(self, request: Request, tell: Callable[[object], None]) -> Future[RunId]:
        """The answer comes when the request is committed. Raises when too many wait, or nobody takes any more."""
        if len(self._waiting) >= self._most:
            raise OverfullError
        asked = Enqueue(request, Future())
        self._waiting.append(asked)
        if len(self._waiting) >= self._wanted:
            self._enough.set()
        if not self._told:
            self._told = True
            try:
                tell(Flush())
            except BaseException:
                self._told = False
                with contextlib.suppress(ValueError):
                    self._waiting.remove(asked)
                raise
        return asked.reply

    def gather(self, number: int, seconds: float) -> None:
        """Gives so many the time to come, but no longer than that."""
        self._enough.clear()
        self._wanted = number
        if len(self._waiting) < number:
            self._enough.wait(seconds)
        self._wanted = self._most + 1

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, most: int) -> list[Enqueue]:
        # First the flag: who adds from now on tells again, and at the worst a flush finds nothing.
        self._told = False
        taken: list[Enqueue] = []
        while self._waiting and len(taken) < most:
            taken.append(self._waiting.popleft())
        return taken


class IngestActor(Actor):
    """Writes down what was asked for, and puts the repositories in line."""

    def __init__(
        self, intake: Intake, store: ScanStore, clock: Clock, new_id: Callable[[], UUID], events: EventStream
    ) -> None:
        super().__init__()
        self._intake = intake
        self._store = store
        self._clock = clock
        self._new_id = new_id
        self._events = events

    def started(self) -> None:
        self.context.tell_self(Flush())

    def receive(self, message: object) -> None:
        match message:
            case Flush():
                while batch := self._intake.take(_MOST):
                    self._write(batch)
                    # Under load, those who were just answered ask again. One commit for them and for those who wait already
                    # is better than two, and whoever writes is faster while the event loop has nothing to do.
                    expected = min(len(batch) + len(self._intake), _MOST)
                    if expected >= _BUSY:
                        self._intake.gather(expected, _GATHERING)

    def stopping(self) -> None:
        if self.context.draining:
            for asked in self._intake.take(1_000_000):
                _fail(asked, StoppingError())

    def _write(self, batch: Sequence[Enqueue]) -> None:
        ids = [RunId(self._new_id()) for _ in batch]
        reserved: list[tuple[tuple[Counter, ...], ...]] = []

        def reserve(demands: Sequence[tuple[Counter, ...]]) -> Sequence[Refusal | None]:
            if not demands:
                return ()
            answer = cast(Refusals, self.context.ask("rate-limiter", Reserve(tuple(demands)), _ANSWER))
            reserved.append(tuple(d for d, refusal in zip(demands, answer, strict=True) if refusal is None))
            return answer

        try:
            # A batch belongs to many traces, so to none; each row has its own. Statements without a trace are prepared.
            with traced(""):
                answers = self._store.enqueue([one.request for one in batch], ids, self._clock.now().date(), reserve)
        except Exception as error:
            for granted in reserved:
                self.context.tell("rate-limiter", Unreserve(granted))
            for asked in batch:
                _fail(asked, error)
            if not isinstance(error, DocAlignError):
                raise
            return
        for granted in reserved[:-1]:  # the transaction was tried twice: only the last reservation was written
            self.context.tell("rate-limiter", Unreserve(granted))
        for asked, answer in zip(batch, answers, strict=True):
            _answer(asked, answer)
        self._tell([answer for answer in answers if isinstance(answer, Admitted)])

    def _tell(self, admitted: Sequence[Admitted]) -> None:
        """One word to the pool for the whole batch: a repository's actor need not be awake to wait for a permit."""
        for one in admitted:
            repo = one.request.repo_id
            self._events.publish(ScanMoved(one.run_id, repo, 0, "queued", "queued", type=one.request.type.value))
            if one.replaces is not None:
                self._events.publish(ScanMoved(one.replaces, repo, 0, "end", "cancelled", type=one.request.type.value))
            if one.stops is not None:
                self.context.tell(f"repo/{repo}", CancelRun(one.stops))
        if admitted:
            self.context.tell("worker-pool", PermitsWanted(tuple(dict.fromkeys(a.request.repo_id for a in admitted))))


class OverfullError(DocAlignError):
    """More requests wait than the service can hold."""

    code = "DOCALIGN_E601"
    hint = "Ask again in a moment; nothing was written down."
    retryable = True


class StoppingError(DocAlignError):
    """The service is stopping and takes no new work."""

    code = "DOCALIGN_E601"
    hint = "Ask again in a moment; nothing was written down."


def _answer(asked: Enqueue, answer: Admission) -> None:
    try:
        run = run_of(answer)
    except DocAlignError as refused:
        _fail(asked, refused)
    else:
        if not asked.reply.done():
            asked.reply.set_result(run)


def _fail(asked: Enqueue, error: BaseException) -> None:
    if not asked.reply.done():
        asked.reply.set_exception(error)
