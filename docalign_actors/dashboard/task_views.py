"""What the pages of the task queue and of the outbox are made of, and who provides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.agent_tasks.model import Event, Record, Task
from docalign_actors.outbound.model import LetterFigures, LetterView


class Queue(Struct, frozen=True):
    """How many tasks of a command lie where."""

    command: str
    ready: int = 0
    delayed: int = 0
    in_progress: int = 0
    dead: int = 0


class Tasks(Struct, frozen=True, kw_only=True):
    """The queues, and a stretch of the tasks in one status, newest first. `after`: where the next one begins."""

    queues: Sequence[Queue] = ()
    tasks: Sequence[Task] = ()
    after: str = ""


class TaskDetail(Struct, frozen=True, kw_only=True):
    """One task, what became of its deliveries, and its result."""

    task: Task
    history: Sequence[Event] = ()
    result: Record | None = None


class Letters(Struct, frozen=True, kw_only=True):
    """A stretch of the letters in one status, newest first."""

    figures: LetterFigures = LetterFigures()
    letters: Sequence[LetterView] = ()
    after: str = ""


class TaskReader(Protocol):
    """Where these pages get their views. Everybody sees what belongs to their tenant."""

    async def tasks(self, tenant: str, status: str, after: str) -> Tasks: ...

    async def task(self, tenant: str, task: UUID) -> TaskDetail: ...

    async def outgoing(self, tenant: str, status: str, after: str) -> Letters: ...


class TaskDesk(Protocol):
    """What their buttons ask for. Refusals are DocAlignErrors."""

    async def requeue(self, tenant: str, task: UUID) -> None: ...

    async def purge(self, tenant: str, command: str) -> int: ...

    async def replay(self, tenant: str, letter: UUID) -> None: ...
