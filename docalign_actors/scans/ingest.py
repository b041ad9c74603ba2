"""The ingest actor: gathers the requests that wait in its mailbox and admits them in one transaction.

A request is answered when its row is committed. While one batch is being written the next one gathers by itself, so the
batches grow with the load and one request alone waits for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast
from uuid import UUID

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.scans.admission import Admission, Admitted
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.limits import Counter, Refusal
from docalign_actors.scans.messages import CancelRun, Enqueue, Flush, Refusals, Reserve, RunQueued, Unreserve
from docalign_actors.scans.model import RunId
from docalign_actors.scans.ports import ScanStore
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import traced

_MOST = 256
"""Requests in one transaction: enough to make the commit cheap, few enough to answer the first of them soon."""
_ANSWER = 5.0


class IngestActor(Actor):
    """Writes down what was asked for, and tells the repositories."""

    def __init__(self, store: ScanStore, clock: Clock, new_id: Callable[[], UUID], events: EventStream) -> None:
        super().__init__()
        self._store = store
        self._clock = clock
        self._new_id = new_id
        self._events = events
        self._gathered: list[Enqueue] = []
        self._flushing = False

    def receive(self, message: object) -> None:
        match message:
            case Enqueue():
                self._gathered.append(message)
                if not self._flushing:
                    # Behind everything that waits already: all of that comes into this batch.
                    self._flushing = True
                    self.context.tell_self(Flush())
            case Flush():
                self._flushing = False
                while self._gathered:
                    batch, self._gathered = self._gathered[:_MOST], self._gathered[_MOST:]
                    self._write(batch)

    def stopping(self) -> None:
        gathered, self._gathered = self._gathered, []
        for asked in gathered:
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
            if not asked.reply.done():
                asked.reply.set_result(answer)
        for answer in answers:
            self._tell_repository(answer)

    def _tell_repository(self, answer: Admission) -> None:
        if not isinstance(answer, Admitted):
            return
        repo = answer.request.repo_id
        moved = ScanMoved(answer.run_id, repo, 0, "queued", "queued", type=answer.request.type.value)
        self._events.publish(moved)
        if answer.stops is not None:
            self.context.tell(f"repo/{repo}", CancelRun(answer.stops))
        self.context.tell(f"repo/{repo}", RunQueued(answer.run_id))


class StoppingError(DocAlignError):
    """The service is stopping and takes no new work."""

    code = "DOCALIGN_E601"
    hint = "Ask again in a moment; nothing was written down."


def _fail(asked: Enqueue, error: BaseException) -> None:
    if not asked.reply.done():
        asked.reply.set_exception(error)
