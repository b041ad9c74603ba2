"""A scan's actor: starts the process that does the work, passes on how far it is, and writes down how it ended.

Every handler is short: what takes long happens in the scan's process or in its own thread, and comes back as a message. So
a cancellation is noticed at once, whatever stage the scan is in.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.findings.report import Report
from docalign_actors.scans.answering import citations, settle
from docalign_actors.scans.events import AgentsHeard, ScanMoved
from docalign_actors.scans.handing_back import HANDED_BACK
from docalign_actors.scans.log import log_outcome
from docalign_actors.scans.merging import merge, pairs_of, to_refer
from docalign_actors.scans.messages import (
    Cancel,
    CitationsChecked,
    FinishUp,
    Overdue,
    ProcessEnded,
    Referral,
    ReportMade,
    ScanEnded,
    ScanFacts,
    ScanFailed,
    StageReached,
)
from docalign_actors.scans.model import Run, RunId, ScanType
from docalign_actors.scans.outcomes import Ending, Next, Rules, after
from docalign_actors.scans.ports import Job, Processes, Results, ScanProcess, ScanStore, Started
from docalign_actors.scans.referrals import AgentRules, Kept, Parked
from docalign_actors.scans.remembering import worth_keeping
from docalign_actors.scans.stages import AGENTS, MERGE, REPORTING
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

_GONE_WITHIN = 20.0
"""Seconds for a killed process to be gone; one that is not hangs in the kernel, and its scan is settled without it."""


class Agents(Struct, frozen=True):
    """What a scan needs to ask agents. changed: there are new tasks, or some that nobody wants any more."""

    rules: AgentRules
    new_id: Callable[[], UUID]
    changed: Callable[[], None]


class ScanActor(Actor):
    """Carries one attempt of one run through."""

    def __init__(
        self, started: Started, store: ScanStore, processes: Processes, clock: Clock, events: EventStream, rules: Rules,
        make_job: Callable[[Started], Job], agents: Agents,
    ) -> None:  # fmt: skip
        super().__init__()
        self._started = started
        self._run = started.run
        self._resumed = started.resumed
        self._agents = agents
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
        self._outcome: Ending | ReportMade | CitationsChecked | None = None
        self._hurried = False
        self._ended = False

    def started(self) -> None:
        if self._resumed is not None:
            self._agents.changed()  # what nobody has answered is withdrawn
        cited = citations(self._resumed.answers) if self._resumed is not None else ()
        if self._resumed is not None and not cited:
            self._outcome = CitationsChecked(())
            self.context.tell_self(Overdue())
            return
        try:
            job = self._with_memory(self._make_job(self._started))
            if self._resumed is not None:
                job = replace(job, head=self._resumed.kept.report.commit, citations=cited)
        except DocAlignError as error:  # its host does not let us in just now
            self._outcome = Ending("failed", error.code, error.with_hint())
            self.context.tell_self(Overdue())
            return
        self._process = self._processes.start(job, self.context.tell_self)

    def _with_memory(self, job: Job) -> Job:
        """What agents decided for earlier scans goes along; a scan that may ask nothing and has nothing to recall asks no more."""
        asking, days = job.asking, self._agents.rules.remember
        if asking is None or self._resumed is not None:
            return job
        after = self._clock.now() - timedelta(days=days)
        known = tuple(self._store.verdicts(self._run.repo_id, after)) if days else ()
        return replace(job, asking=replace(asking, known=known) if known or asking.claims or asking.passages else None)

    def stopping(self) -> None:
        """However this actor ends, nothing that it started stays. A run that the service has no time for is handed back."""
        if self._process is not None:
            self._process.end()
        if self.context.draining and not self._ended and not self.context.fenced:
            self._ended = True
            self._store.settle(self._run.id, self._started.lease, self._decider(HANDED_BACK), self._milliseconds())

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
            case ReportMade() | CitationsChecked():
                self._decide(message)
            case ScanFailed(code=code, error=error, permanent=permanent):
                self._decide(Ending("failed", code, error, permanent))

    def _decide(self, outcome: Ending | ReportMade | CitationsChecked) -> None:
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
        match outcome:
            case ReportMade():
                self._store_report(outcome)
            case CitationsChecked():
                self._store_answers(outcome)
            case Ending(kind="failed") if self._resumed is not None and self._is_last(outcome):
                # What code decided is not lost because the answers of agents could not be looked at.
                self._store_answers(CitationsChecked(None))
            case Ending():
                self._end(outcome)

    def _is_last(self, ending: Ending) -> bool:
        return ending.permanent or self._run.attempt + 1 >= self._rules.attempts

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
        if self._resumed is not None:
            self._decide(CitationsChecked(None))
            return
        if not now and self._process is not None:
            self._process.hurry()
            return
        self._decide(Ending("partial", "DOCALIGN_E407", "The deadline passed before anything was decided."))

    def _store_report(self, made: ReportMade) -> None:
        late = made.partial or self._hurried
        suppressed = self._store.suppressions(self._run.repo_id, self._clock.now())
        asked = () if late else to_refer(made, suppressed)
        if asked:
            self._wait_for_agents(made, asked)
            return
        ending = Ending("completed")
        if late:
            ending = Ending("partial", "DOCALIGN_E407", "The deadline passed; what was decided by then is kept.")
        results = self._merged(made.report, made.facts, suppressed)
        self._store_results(replace(results, remembered=made.remembered), ending)

    def _wait_for_agents(self, made: ReportMade, asked: tuple[Referral, ...]) -> None:
        """Written down whole: from here on the run holds nothing, and any later life can take it up."""
        self._moved(AGENTS, 0, len(asked))
        now, rules = self._clock.now(), self._agents.rules
        ids = tuple(self._agents.new_id() for _ in asked)
        ending = Ending("referred", until=now + timedelta(seconds=rules.wait))
        kept = Kept(made.report, made.facts, made.blobs, made.remembered)
        parked = Parked(kept, asked, ids, now)
        outcome = self._store.park(
            self._run.id, self._started.lease, self._decider(ending), parked, rules, self._milliseconds()
        )
        self._say_ended(outcome)
        self._agents.changed()

    def _store_answers(self, checked: CitationsChecked) -> None:
        if self._resumed is None:
            raise AssertionError("only a run that waited has answers")
        kept = self._resumed.kept
        settled = settle(self._resumed, checked.lines, self._agents.rules.sure)
        verdicts = worth_keeping(self._resumed, checked.lines, checked.blobs)
        suppressed = self._store.suppressions(self._run.repo_id, self._clock.now())
        results = self._merged(settled.report, kept.facts, suppressed)
        heard = replace(
            results, notice=settled.notice, tokens=settled.tokens, verdicts=verdicts, remembered=kept.remembered
        )
        self._store_results(heard, Ending("completed"))
        self._events.publish(
            AgentsHeard(
                self._run.id, settled.asked, settled.answered, settled.decided, settled.undecided, settled.tokens
            )
        )

    def _merged(self, report: Report, facts: ScanFacts, suppressed: Sequence[tuple[str, str]]) -> Results:
        together = self._store.co_changes(self._run.repo_id, pairs_of(report.drifted))
        return merge(report, facts, suppressed, together, knowledge=self._run.type is not ScanType.PR)

    def _store_results(self, results: Results, ending: Ending) -> None:
        self._moved(MERGE, 0, 1)
        self._moved(REPORTING, 0, 1)
        outcome = self._store.store_results(
            self._run.id, self._started.lease, self._decider(ending), results, self._milliseconds()
        )
        self._say_ended(outcome)

    def _end(self, ending: Ending) -> None:
        # What is wrong with a pull request is nothing that is wrong with the repository.
        is_trouble = ending.kind == "failed" and self._run.type is not ScanType.PR
        trouble = (self._run.repo_id, ending.error[:1000].replace("\0", " ")) if is_trouble else None
        decide = self._decider(ending)
        self._say_ended(self._store.settle(self._run.id, self._started.lease, decide, self._milliseconds(), trouble))

    def _say_ended(self, outcome: Next | None) -> None:
        self._ended = True
        if outcome is not None:
            log_outcome(self._run, outcome, time.monotonic() - self._began)
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
