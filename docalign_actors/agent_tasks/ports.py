"""What this capability needs from outside, as protocols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from msgspec import Struct

from docalign_actors.agent_tasks.messages import Op
from docalign_actors.agent_tasks.model import TaskId


class Performed(Struct, frozen=True):
    """What came of a batch. `answers` has one for each: the answer, or the TaskError that refuses it."""

    answers: Sequence[Any]
    ready: Mapping[tuple[str, str], int]
    """How many tasks became claimable, by tenant and command; those that were claimed at once are counted too."""
    ended: Sequence[TaskId] = ()
    answered: bool = False
    """Whether a task of a scan is among those that ended."""
    soonest: datetime | None = None
    """When the first of the tasks that it touched will be due or expire."""
    letters: int = 0
    """How many were put into the outbox."""


class TaskStore(Protocol):
    """The database, as the broker sees it. Every method is one transaction."""

    def perform(self, ops: Sequence[Op], now: datetime, *, notify: bool) -> Performed:
        """Carries all of these out. `notify`: there may be somebody who wants to be told of work."""
        ...

    def sweep(self, now: datetime, *, notify: bool) -> Performed:
        """Brings back a bounded number of tasks that are due or whose lease has run out."""
        ...

    def next_moment(self) -> datetime | None:
        """When the next task is due or expires."""
        ...

    def any_subscription(self, now: datetime) -> bool: ...
