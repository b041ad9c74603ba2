"""The waiting room: where runs wait for agents, without a permit, a process or an actor of their own.

It is told that tasks have ended, and looks which runs need not wait any longer; it also looks now and then, so that no run
waits for a message that was lost. It decides nothing and remembers nothing that the database does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from msgspec import Struct, json

from docalign_actors.clock import Clock
from docalign_actors.scans.answering import command_of, follow_ups
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.messages import PermitsWanted, Referral
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.ports import WaitStore
from docalign_actors.scans.referrals import AgentRules, Unasked, Waited
from docalign_actors.scans.referring import question_of
from docalign_actors.scans.stages import AGENTS
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

NAME = "waiting-room"
_NET = 30.0
"""Seconds between two looks that nobody asked for: the net under every message that could have been lost."""
_GATHER = 0.05
"""Seconds in which news gather, so that many tasks that end together are one look."""
_WORTH_ASKING = timedelta(seconds=60)
"""With less time left nobody could answer a further question."""


class TasksChanged(Struct, frozen=True, tag="waiting_room.tasks_changed"):
    """Tasks of scans were made or have ended, or a scan has: something may be due."""


class Look(Struct, frozen=True, tag="waiting_room.look"):
    """To itself: who need not wait any longer?"""


class WaitingRoomActor(Actor):
    """Looks after the runs that wait. `tidy`: tells the task queue of new tasks, and to withdraw what nobody wants."""

    def __init__(
        self, store: WaitStore, clock: Clock, events: EventStream, rules: AgentRules, new_id: Callable[[], UUID], most_more: int,
        tidy: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__()
        self._store = store
        self._clock = clock
        self._events = events
        self._rules = rules
        self._new_id = new_id
        self._most_more = most_more
        self._tidy = tidy
        self._told: dict[RunId, tuple[int, int]] = {}
        self._gathering = False

    def started(self) -> None:
        self._look()

    def receive(self, message: object) -> None:
        match message:
            case TasksChanged() if not self._gathering:
                self._gathering = True
                self.context.after(_GATHER, Look(), key="look")
            case Look():
                self._look()

    def _look(self) -> None:
        self._gathering = False
        self._tidy()
        free: list[RepoId] = []
        for run in self._store.answered(self._clock.now()):
            if not self._ask_further(run) and self._store.release(run.id):
                free.append(run.repo_id)
        self._tell_progress(self._store.progress())
        if free:
            self.context.tell("worker-pool", PermitsWanted(tuple(dict.fromkeys(free))))
        self.context.after(_NET, Look(), key="look")

    def _ask_further(self, run: Unasked) -> bool:
        """What agents read out of prose is asked about, once. Whether there was anything to ask."""
        now = self._clock.now()
        if not run.follow or run.until - now < _WORTH_ASKING:
            return False
        tasks = follow_ups(self._store.answers(run.id), self._most_more)
        referrals = [
            Referral(task.claim.id, command_of(task), json.encode(task).decode(), question_of(task)) for task in tasks
        ]
        ids = [self._new_id() for _ in referrals]
        asked = self._store.refer_more(run.id, referrals, ids, now, self._rules) and bool(referrals)
        if asked:
            self._tidy()
        return asked

    def _tell_progress(self, waiting: list[Waited]) -> None:
        known, self._told = self._told, {run.id: (run.done, run.total) for run in waiting}
        for run in waiting:
            if known.get(run.id, (0, run.total)) != (run.done, run.total):
                data = {"stage": AGENTS, "done": run.done, "total": run.total}
                seq = self._store.append_waiting_event(run.id, data)
                moved = ScanMoved(run.id, run.repo_id, seq, "progress", "queued", AGENTS, run.done, run.total, run.type)
                self._events.publish(moved)
