"""The ingest actor: takes the requests that have gathered and admits them in one transaction.

A request is answered when its row is committed. Where requests gather: supervision/intake.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast
from uuid import UUID

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.scans.admission import Admission, Admitted, run_of
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.limits import Counter, Refusal
from docalign_actors.scans.messages import CancelRun, Enqueue, PermitsWanted, Refusals, Reserve, Unreserve
from docalign_actors.scans.model import RunId
from docalign_actors.scans.ports import ScanStore
from docalign_actors.supervision.intake import GatheringActor, Intake, fail, settle
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import traced

_MOST = 256
"""Requests in one transaction: enough to make the commit cheap, few enough to answer the first of them soon."""
_ANSWER = 5.0


class IngestActor(GatheringActor[Enqueue]):
    """Writes down what was asked for, and puts the repositories in line."""

    def __init__(
        self, intake: Intake[Enqueue], store: ScanStore, clock: Clock, new_id: Callable[[], UUID], events: EventStream
    ) -> None:
        super().__init__(intake, _MOST)
        self._store = store
        self._clock = clock
        self._new_id = new_id
        self._events = events

    def answer(self, batch: Sequence[Enqueue]) -> None:
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
                fail(asked.reply, error)
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


def _answer(asked: Enqueue, answer: Admission) -> None:
    try:
        run = run_of(answer)
    except DocAlignError as refused:
        fail(asked.reply, refused)
    else:
        settle(asked.reply, run)
