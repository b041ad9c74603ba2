"""Joins the actors of this capability, and gives those who ask a place to ask at."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from docalign_actors.agent_tasks.broker import NAME, TaskBrokerActor
from docalign_actors.agent_tasks.messages import Ask, Op
from docalign_actors.agent_tasks.ports import TaskStore
from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.supervision.intake import Intake
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem


class TaskQueue:
    """Everything that anybody may ask of the queue. Thread-safe."""

    def __init__(self, system: ActorSystem, intake: Intake[Ask]) -> None:
        self._system = system
        self._intake = intake

    def ask(self, op: Op) -> Future[Any]:
        """The answer when it is committed, or the TaskError that refuses it. To cancel it is to ask no more."""
        asked = Ask(op, Future())
        self._intake.add(asked)
        return asked.reply

    def do(self, op: Op) -> None:
        """Nobody waits for the answer, and nobody minds if there is none: who asks will ask again."""
        if not self._system.stopping:
            with contextlib.suppress(DocAlignError):
                self.ask(op)


def assemble(
    system: ActorSystem, store: TaskStore, clock: Clock, *, handler_deadline: float = 60.0,
    answered: Callable[[], None] = lambda: None,
) -> TaskQueue:  # fmt: skip
    """Registers the broker. The outbound actor is to be registered before it: the broker tells it of letters.

    `answered`: what to do when tasks of scans have ended.
    """
    policy = Policy(handler_deadline=handler_deadline, mailbox=20_000, intensity=10, rest=30.0)
    intake: Intake[Ask] = Intake(lambda flush: system.tell(NAME, flush), policy.mailbox)
    system.supervise(NAME, lambda: TaskBrokerActor(intake, store, clock, answered), policy)
    return TaskQueue(system, intake)
