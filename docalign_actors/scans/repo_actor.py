"""A repository's actor: its mailbox is the order in which the repository's scans run, one at a time.

It holds an id; the database holds the state. It may be put to sleep whenever no scan of it is under way, and reads the
database again when the next message wakes it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.log import log_outcome
from docalign_actors.scans.messages import (
    Cancel,
    CancelRun,
    DeadlinePassed,
    FinishUp,
    Look,
    PermitGranted,
    PermitReleased,
    PermitsWanted,
    ScanEnded,
)
from docalign_actors.scans.model import RepoId, Run, RunId, Status
from docalign_actors.scans.outcomes import Ending, Next, Rules, after
from docalign_actors.scans.ports import ScanStore, Started
from docalign_actors.scans.queueing import Start, WaitUntil, next_step
from docalign_actors.supervision.actor import Actor, ChildEnded
from docalign_actors.telemetry.stream import EventStream

POOL = "worker-pool"
_STAY_AWAKE = 60.0
"""Seconds for which an actor waits for its next run without going to sleep."""


class Scanning(Struct):
    """The scan under way: its actor's name and what it writes under."""

    started: Started
    child: str


class RepoActor(Actor):
    """Runs a repository's scans."""

    def __init__(
        self, repo: RepoId, store: ScanStore, clock: Clock, events: EventStream, rules: Rules, deadline: float, grace: float,
        new_id: Callable[[], UUID], make_scan: Callable[[Started], Actor],
    ) -> None:  # fmt: skip
        super().__init__()
        self._repo = repo
        self._store = store
        self._clock = clock
        self._events = events
        self._rules = rules
        self._deadline = deadline
        self._grace = grace
        self._new_id = new_id
        self._make_scan = make_scan
        self._scanning: Scanning | None = None
        self._waits = False

    def started(self) -> None:
        self._look()

    def may_passivate(self) -> bool:
        return self._scanning is None and not self._waits

    def receive(self, message: object) -> None:
        match message:
            case Look():
                self._look()
            case PermitGranted(permit=permit):
                self._start_next(permit)
            case CancelRun(run_id=run_id):
                self._cancel(run_id)
            case DeadlinePassed(run_id=run_id, hard=hard):
                self._finish_up(run_id, hard)
            case ScanEnded(run_id=run_id):
                self._ended(run_id)
            case ChildEnded(name=name, error=error):
                self._child_ended(name, error)

    def _look(self) -> None:
        """Reads the database, takes up what an earlier life left running, and asks for a permit if something is due."""
        runs = self._store.open_runs(self._repo, self._clock.now())
        current = self._scanning.started.run.id if self._scanning else None
        for run in runs:
            if run.status is Status.RUNNING and run.id != current:
                self._repair(run)
                runs = self._store.open_runs(self._repo, self._clock.now())
            elif run.status is Status.RUNNING and run.cancel_requested:
                self._cancel(run.id)
        self._waits = False
        match next_step(runs, self._clock.now()):
            case Start():
                self.context.tell(POOL, PermitsWanted((self._repo,)))
            case WaitUntil(instant=instant):
                seconds = max(0.0, (instant - self._clock.now()) / timedelta(seconds=1))
                # For a run that waits for agents nobody stays awake: the pool finds it when its time is up.
                self._waits = seconds <= _STAY_AWAKE
                if self._waits:
                    self.context.after(seconds, Look(), key="due")

    def _start_next(self, permit: int) -> None:
        if self._scanning is not None:
            return  # the pool counts again and finds out
        step = next_step(self._store.open_runs(self._repo, self._clock.now()), self._clock.now())
        started = self._store.start(step.run.id, permit, self._new_id()) if isinstance(step, Start) else None
        if started is None:
            self.context.tell(POOL, PermitReleased(self._repo))
            self._look()
            return
        run = started.run
        # An earlier attempt's actor may not be quite gone: each has a name of its own.
        child = self.context.spawn(f"scan/{run.id}-{run.attempt + run.repairs + 1}", lambda: self._make_scan(started))
        self._scanning = Scanning(started, child)
        self.context.after(self._deadline, DeadlinePassed(run.id), key="deadline")
        if run.cancel_requested:
            self.context.tell(child, Cancel(run.cancel_reason))

    def _cancel(self, run_id: RunId) -> None:
        if self._scanning and self._scanning.started.run.id == run_id:
            self.context.tell(self._scanning.child, Cancel())

    def _finish_up(self, run_id: RunId, hard: bool) -> None:
        if self._scanning is None or self._scanning.started.run.id != run_id:
            return
        self.context.tell(self._scanning.child, FinishUp(now=hard))
        if not hard:
            self.context.after(self._grace, DeadlinePassed(run_id, hard=True), key="deadline")

    def _ended(self, run_id: RunId) -> None:
        if self._scanning is None or self._scanning.started.run.id != run_id:
            return
        self._scanning = None
        self.context.cancel_timer("deadline")
        self.context.tell(POOL, PermitReleased(self._repo))
        self._look()

    def _child_ended(self, name: str, error: str) -> None:
        """A scan's actor that ended without having said so has died."""
        if self._scanning is None or self._scanning.child != name:
            return
        started = self._scanning.started
        self._settle(started.run, started.lease, Ending("died", "DOCALIGN_E601", error or "The scan's actor ended."))
        self._ended(started.run.id)

    def _repair(self, run: Run) -> None:
        """A run that is said to be running, but not by me: its worker died with an earlier life of mine."""
        for running, _, lease in self._store.running():
            if running.id == run.id:
                self._settle(run, lease, Ending("died", "DOCALIGN_E601", "The service ended while it ran."))
        self.context.tell(POOL, PermitReleased(self._repo))

    def _settle(self, run: Run, lease: UUID, ending: Ending) -> None:
        def decide(now: Run, successor: RunId | None) -> Next:
            return after(now, ending, self._rules, self._clock.now(), random.random(), successor)  # noqa: S311 - jitter

        outcome = self._store.settle(run.id, lease, decide)
        if outcome is not None:
            log_outcome(run, outcome, 0.0)
            kind = "end" if outcome.status.final else "queued"
            self._events.publish(ScanMoved(run.id, run.repo_id, 0, kind, outcome.status.value, type=run.type.value))
