"""The broker: carries out what producers and workers ask, many of them in one transaction, and wakes those who wait.

Where requests gather: supervision/intake.py. A claim that finds nothing waits here, as a message, and is tried again when
a task becomes ready; no thread waits and nobody polls. The database is the truth: what waits here is lost with the process,
and asks again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from docalign_actors.agent_tasks.errors import TaskError
from docalign_actors.agent_tasks.messages import Abandon, Ask, Await, Claim, Subscribe, Sweep, TimeUp
from docalign_actors.agent_tasks.model import Task
from docalign_actors.agent_tasks.ports import Performed, TaskStore
from docalign_actors.agent_tasks.waiting import Waiting, until_of
from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.outbound.messages import Post
from docalign_actors.supervision.intake import GatheringActor, Intake, StoppingError, fail, settle
from docalign_actors.telemetry.trace import traced

NAME = "task-broker"
_MOST = 128
"""Requests in one transaction: enough to make the commit cheap, few enough to answer the first of them soon."""
_NET = 30.0
"""Seconds after which the sweeper looks whatever it believes: the net under every wake-up that could be lost."""
_LEAST = 0.05


class TaskBrokerActor(GatheringActor[Ask]):
    """One of them: all writes to the queue pass through it, in batches."""

    def __init__(
        self, intake: Intake[Ask], store: TaskStore, clock: Clock, answered: Callable[[], None] = lambda: None
    ) -> None:
        """`answered`: what to do when tasks of scans have ended."""
        super().__init__(intake, _MOST)
        self._store = store
        self._clock = clock
        self._answered = answered
        self._waiting = Waiting()
        self._sweep_at: datetime | None = None
        self._time_up_at: datetime | None = None
        self._subscribed = False

    def started(self) -> None:
        self._subscribed = self._store.any_subscription(self._clock.now())
        super().started()
        self.context.tell_self(Sweep())

    def receive(self, message: object) -> None:
        match message:
            case Sweep():
                self._sweep()
            case TimeUp():
                self._time_up_at = None
                self.intake.put_back([_last_try(ask) for ask in self._waiting.due(self._clock.now())])
                self._mind_the_time()
            case _:
                super().receive(message)

    def stopping(self) -> None:
        super().stopping()
        # Those who wait are remembered here alone: whoever comes after this actor knows nothing of them.
        for ask in self._waiting.all():
            fail(ask.reply, StoppingError())

    def answer(self, batch: list[Ask]) -> None:
        self._carry_out(batch)
        self._mind_the_time()

    def _carry_out(self, batch: Sequence[Ask]) -> None:
        asks = [ask for ask in batch if not ask.reply.done()]
        if len(asks) < len(batch):  # one that was woken has gone: somebody else may have what it was woken for
            gone = [ask.op for ask in batch if ask.woken and ask.reply.done() and isinstance(ask.op, Claim)]
            keys = [(op.tenant, command) for op in gone for command in op.commands]
            self.intake.put_back([replace(ask, woken=True) for ask in self._waiting.claims_for(dict.fromkeys(keys, 1))])
        if not asks:
            return
        if any(isinstance(ask.op, Subscribe) for ask in asks):
            self._subscribed = True
        try:
            # A batch belongs to many traces, so to none; each row has its own. Statements without a trace are prepared.
            with traced(""):
                done = self._store.perform([ask.op for ask in asks], self._clock.now(), notify=self._subscribed)
        except Exception as error:
            for ask in asks:
                fail(ask.reply, error)
            if not isinstance(error, DocAlignError):
                raise
            return
        for ask, answer in zip(asks, done.answers, strict=True):
            self._answer(ask, answer)
        self._follow(done)

    def _answer(self, ask: Ask, answer: Any) -> None:
        if isinstance(answer, TaskError):
            fail(ask.reply, answer)
            return
        if until_of(ask) is not None and not _satisfied(ask, answer):
            self._waiting.add(replace(ask, woken=False))
            return
        if not settle(ask.reply, answer) and isinstance(ask.op, Claim):
            # The client left at this very moment: what it was given is given back.
            self.intake.put_back([_give_back(ask.op, task) for task in answer])

    def _follow(self, done: Performed) -> None:
        """Those who waited for what has happened, and those who are to be told."""
        woken = [*self._waiting.claims_for(done.ready), *self._waiting.readers_of(done.ended)]
        self.intake.put_back([replace(ask, woken=True) for ask in woken])
        if done.soonest is not None and (self._sweep_at is None or done.soonest < self._sweep_at):
            self._sweep_by(done.soonest)
        if done.answered:
            self._answered()
        if done.letters:
            with contextlib.suppress(DocAlignError):
                self.context.tell("outbound", Post())

    def _sweep(self) -> None:
        now = self._clock.now()
        self._sweep_at = None
        self._subscribed = self._store.any_subscription(now)
        with traced(""):
            done = self._store.sweep(now, notify=self._subscribed)
        self._follow(done)
        self.intake.put_back([replace(ask, woken=True) for ask in self._waiting.all()])
        self._sweep_by(self._store.next_moment())

    def _sweep_by(self, moment: datetime | None) -> None:
        now = self._clock.now()
        at = min(moment or now + timedelta(seconds=_NET), now + timedelta(seconds=_NET))
        self._sweep_at = at
        self.context.after(max(_LEAST, (at - now).total_seconds()), Sweep(), key="sweep")

    def _mind_the_time(self) -> None:
        """Whoever waits longest enough first sets the clock."""
        end = self._waiting.next_end()
        if end is None or (self._time_up_at is not None and self._time_up_at <= end):
            return
        self._time_up_at = end
        self.context.after(max(0.0, (end - self._clock.now()).total_seconds()), TimeUp(), key="time-up")


def _satisfied(ask: Ask, answer: Any) -> bool:
    match ask.op:
        case Claim():
            return bool(answer)
        case Await():
            return answer[1] is not None
    return True


def _last_try(ask: Ask) -> Ask:
    """Once more, without waiting."""
    op = ask.op
    return replace(ask, op=replace(op, until=None)) if isinstance(op, Claim | Await) else ask


def _give_back(claim: Claim, task: Task) -> Ask:
    return Ask(Abandon(claim.tenant, task.id, claim.worker, unseen=True), Future())
