"""What is asked of the broker. Each is carried out whole or not at all; many of them share one transaction."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from docalign_actors.agent_tasks.admission import NewTask
from docalign_actors.agent_tasks.model import Artifact, Status, TaskId
from docalign_actors.agent_tasks.notices import Subscription


class Create(Struct, frozen=True, tag="task.create"):
    """Write a task down. Answered by the Task: this one, or the one that has its idempotency key already."""

    task: NewTask


class Claim(Struct, frozen=True, tag="task.claim"):
    """Up to `count` tasks for a worker, as a list. No commands: any. With `until`, wait for one until then."""

    tenant: str
    worker: str
    commands: tuple[str, ...]
    lease: float
    count: int = 1
    until: datetime | None = None


class Heartbeat(Struct, frozen=True, tag="task.heartbeat"):
    """The worker is at it still: its lease lasts for so many seconds from now."""

    tenant: str
    task: TaskId
    worker: str
    extend: float


class Abandon(Struct, frozen=True, tag="task.abandon"):
    """The worker gives the task back. Answered by what follows. `unseen`: it never got it, so that was no delivery."""

    tenant: str
    task: TaskId
    worker: str
    unseen: bool = False


class Nack(Struct, frozen=True, tag="task.nack"):
    """The worker could not do it. Answered by what follows."""

    tenant: str
    task: TaskId
    worker: str
    delay: int
    reason: str
    chance: float


class Content(Struct, frozen=True):
    """An artifact that came with its result."""

    name: str
    content_type: str
    data: bytes


class Submit(Struct, frozen=True, tag="task.submit"):
    """The result. `submission` is made by whoever asks: sent twice, it is written once. Answered by the Record."""

    tenant: str
    task: TaskId
    worker: str
    submission: UUID
    status: Status
    result: str | None
    error: str
    artifacts: tuple[Artifact, ...] = ()
    contents: tuple[Content, ...] = ()


class Requeue(Struct, frozen=True, tag="task.requeue"):
    """Put a failed task back in line, with all its attempts. Answered by the Task."""

    tenant: str
    task: TaskId


class Await(Struct, frozen=True, tag="task.await"):
    """The task and its result. With `until`, wait for the result until then. Answered by (Task, Record or None)."""

    tenant: str
    task: TaskId
    until: datetime | None = None


class Subscribe(Struct, frozen=True, tag="task.subscribe"):
    """Tell this address when there is work. Answered by the Subscription."""

    subscription: Subscription


class Renew(Struct, frozen=True, tag="task.renew"):
    """Keep a subscription for so many seconds more; 0 for as many as it was made for. Answered by the Subscription."""

    tenant: str
    subscription: UUID
    ttl: int = 0


class Tidy(Struct, frozen=True, tag="task.tidy"):
    """Announce what scans have asked since, and withdraw what they want no more. Answered by how many were withdrawn."""


Op = Create | Claim | Heartbeat | Abandon | Nack | Submit | Requeue | Await | Subscribe | Renew | Tidy


class Ask(Struct, frozen=True, tag="broker.ask"):
    """To the broker. `reply` gets the answer when, and only when, it is committed; to cancel it is to ask no more."""

    op: Op
    reply: Future[Any]
    woken: bool = False


class Sweep(Struct, frozen=True, tag="broker.sweep"):
    """To itself: bring back what is due and what has expired."""


class TimeUp(Struct, frozen=True, tag="broker.time_up"):
    """To itself: somebody has waited for as long as they wanted."""
