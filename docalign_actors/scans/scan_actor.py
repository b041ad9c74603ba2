"""A scan's actor: starts the process that does the work, passes on how far it is, and writes down how it ended.

Every handler is short: what takes long happens in the scan's process or in its own thread, and comes back as a message. So
a cancellation is noticed at once, whatever stage the scan is in.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.merging import merge, pairs_of
from docalign_actors.scans.messages import (
    Cancel,
    FinishUp,
    Overdue,
    ProcessEnded,
    ReportMade,
    ScanEnded,
    ScanFailed,
    StageReached,
)
from docalign_actors.scans.model import Run, RunId, ScanType
from docalign_actors.scans.outcomes import Ending, Next, Rules, after
from docalign_actors.scans.ports import Job, Processes, ScanProcess, ScanStore, Started
from docalign_actors.scans.stages import MERGE, REPORTING
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

_GONE_WITHIN = 20.0
"""Seconds for a killed process to be gone; one that is not hangs in the kernel, and its scan is settled without it."""


class ScanActor(Actor):
    """Carries one attempt of one run through."""

    def __init__(
        self, started: Started, store: ScanStore, processes: Processes, clock: Clock, events: EventStream, rules: Rules,
        make_job: Callable[[Started], Job],
    ) -> None:  # fmt: skip
        super().__init__()
        self._started = started
        self._run = started.run
        self._store = store
        self._processes = processes
        self._clock = clock
        self._events = events
        self._rules = rules
        self._make_job = make_job
        self._process: ScanProcess | None = None
        self._began = time.monotonic()
        self._seq = started.last_event
        self._stage = ""
        self._outcome: Ending | ReportMade | None = None
        self._hurried = False
        self._ended = False

    def started(self) -> None:
        try:
            job = self._make_job(self._started)
        except DocAlignError as error:  # its host does not let us in just now
            self._outcome = Ending("failed", error.code, f"{error} {error.hint}")
            self.context.tell_self(Overdue())
            return
        self._process = self._processes.start(job, self.context.tell_self)

    def stopping(self) -> None:
        """However this actor ends, nothing that it started stays. A run that the service has no time for is handed back."""
        if self._process is not None:
            self._process.end()
        if self.context.draining and not self._ended and not self.context.fenced:
            self._ended = True
            handed_back = Ending("handed back", error="The service stopped; it runs again after the next start.")
            self._store.settle(self._run.id, self._started.lease, self._decider(handed_back), self._milliseconds())

    def receive(self, message: object) -> None:
        match message:
            case ProcessEnded(code=code, tail=tail):
                self._process_ended(code, tail)
            case Overdue():
                self._settle()
            case _ if self._outcome is not None:
                pass  # how it ends is decided: what else is said comes too late
            case StageReached(stage=stage, done=done, total=total):
                self._moved(stage, done, total)
            case Cancel():
                self._decide(Ending("cancelled"))
            case FinishUp(now=now):
                self._finish_up(now)
            case ReportMade():
                self._decide(message)
            case ScanFailed(code=code, error=error, permanent=permanent):
                self._decide(Ending("failed", code, error, permanent))

    def _decide(self, outcome: Ending | ReportMade) -> None:
        """How it ends is known; it is written down when the process is gone, so that no two are ever at work."""
        self._outcome = outcome
        if self._process is not None:
            self._process.end()
        self.context.after(_GONE_WITHIN, Overdue(), key="overdue")

    def _process_ended(self, code: int, tail: str) -> None:
        if self._outcome is None:
            said = f"The scan's process ended with {code}. {tail[-500:]}".strip()
            self._outcome = Ending("failed", "DOCALIGN_E000", said)
        self._settle()

    def _settle(self) -> None:
        outcome, self._outcome = self._outcome, Ending("settled")
        self.context.cancel_timer("overdue")
        if self.context.fenced or self._ended or outcome is None:
            return
        if isinstance(outcome, ReportMade):
            self._store_report(outcome)
        else:
            self._end(outcome)

    def _moved(self, stage: str, done: int, total: int) -> None:
        kind = "progress" if stage == self._stage else "stage"
        self._stage = stage
        self._seq += 1
        data = {"stage": stage, "done": done, "total": total}
        self._store.append_event(self._run.id, self._seq, kind, data, stage)
        moved = ScanMoved(
            self._run.id, self._run.repo_id, self._seq, kind, "running", stage, done, total, self._run.type.value
        )
        self._events.publish(moved)

    def _finish_up(self, now: bool) -> None:
        self._hurried = True
        if not now and self._process is not None:
            self._process.hurry()
            return
        self._decide(Ending("partial", "DOCALIGN_E407", "The deadline passed before anything was decided."))

    def _store_report(self, made: ReportMade) -> None:
        self._moved(MERGE, 0, 1)
        suppressed = self._store.suppressions(self._run.repo_id, self._clock.now())
        knowledge = self._run.type is not ScanType.PR
        together = self._store.co_changes(self._run.repo_id, pairs_of(made.report.drifted))
        results = merge(made.report, made.facts, suppressed, together, knowledge=knowledge)
        self._moved(REPORTING, 0, 1)
        ending = Ending("completed")
        if made.partial or self._hurried:
            ending = Ending("partial", "DOCALIGN_E407", "The deadline passed; what was decided by then is kept.")
        outcome = self._store.store_results(
            self._run.id, self._started.lease, self._decider(ending), results, self._milliseconds()
        )
        self._say_ended(outcome)

    def _end(self, ending: Ending) -> None:
        outcome = self._store.settle(self._run.id, self._started.lease, self._decider(ending), self._milliseconds())
        if outcome is not None and ending.kind == "failed":
            self._store.set_repo_trouble(self._run.repo_id, ending.error[:1000].replace("\0", " "))
        self._say_ended(outcome)

    def _say_ended(self, outcome: Next | None) -> None:
        self._ended = True
        if outcome is not None:
            kind = "end" if outcome.status.final else "queued"
            moved = ScanMoved(
                self._run.id, self._run.repo_id, self._seq + 1, kind, outcome.status.value, type=self._run.type.value,
                seconds=time.monotonic() - self._began,
            )  # fmt: skip
            self._events.publish(moved)
        status = outcome.status.value if outcome is not None else "lost"
        self.context.tell(self.context.name.rpartition("/scan/")[0], ScanEnded(self._run.id, status))
        self.context.stop()

    def _decider(self, ending: Ending) -> Callable[[Run, RunId | None], Next]:
        def decide(run: Run, successor: RunId | None) -> Next:
            return after(run, ending, self._rules, self._clock.now(), random.random(), successor)  # noqa: S311 - jitter

        return decide

    def _milliseconds(self) -> int:
        return round((time.monotonic() - self._began) * 1000)
