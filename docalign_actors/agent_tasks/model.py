"""A task, in the database's words and on the wire."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any, NewType
from uuid import UUID

import msgspec
from msgspec import Struct

TaskId = NewType("TaskId", UUID)

MOST_CREATED = 100
"""Tasks or results in one request."""
MOST_CLAIMED = 10
DEFAULT_ATTEMPTS = 5


class Status(Enum):
    """What a task is to those who ask."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"

    @property
    def final(self) -> bool:
        return self in (Status.COMPLETED, Status.FAILED)


class Location(Enum):
    """Where a task lies: ready, delayed, with a worker, among the dead letters, or nowhere any more."""

    READY = "PENDING_LIST"
    DELAYED = "DELAYED_ZSET"
    IN_PROGRESS = "INPROG_SET"
    DEAD = "DLQ_SET"
    NONE = "NONE"


class Task(Struct, frozen=True):
    """A task as it is in the database."""

    id: TaskId
    position: int
    tenant_id: str
    command: str
    payload: str
    priority: int
    webhook: str
    status: Status
    location: Location
    attempts: int
    max_attempts: int
    visible_at: datetime | None
    worker_id: str
    lease_until: datetime | None
    error: str
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None


class Event(Struct, frozen=True):
    """Something that happened to a task: a delivery that came to nothing, a requeue, a result."""

    at: datetime
    what: str
    attempt: int
    worker_id: str
    reason: str


class Artifact(Struct, frozen=True):
    """Something that belongs to a result, by its address."""

    name: str
    url: str


class Record(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The result of a task, on the wire."""

    task_id: str
    status: str
    completed_at: str
    result: Any = None
    """JSON as the worker sent it, or nothing."""
    error: str = ""
    artifacts: tuple[Artifact, ...] = ()


class WireTask(Struct, frozen=True, rename="camel", omit_defaults=True):
    """A task on the wire. What is zero or empty is left out."""

    id: str
    command: str
    payload: str
    status: str
    created_at: str
    updated_at: str
    priority: int = 0
    webhook: str = ""
    last_known_location: str = ""
    worker_id: str = ""
    lease_until: str = ""
    attempts: int = 0
    max_attempts: int = 0
    error: str = ""
    result_key: str = ""
    tenant_id: str = ""


def to_wire(task: Task) -> WireTask:
    """The task as clients see it."""
    ended = task.status.final
    return WireTask(
        id=str(task.id), command=task.command, payload=task.payload, status=task.status.value,
        created_at=moment(task.created_at), updated_at=moment(task.updated_at), priority=task.priority,
        webhook=task.webhook, last_known_location=task.location.value, worker_id=task.worker_id,
        lease_until=moment(task.lease_until) if task.lease_until is not None else "",
        attempts=task.attempts, max_attempts=task.max_attempts, error=task.error,
        result_key=f"results/{task.id}" if ended else "", tenant_id=task.tenant_id,
    )  # fmt: skip


def record_of_failure(task: Task) -> Record:
    """The result of a task that failed without anybody submitting one: a dead letter."""
    return Record(str(task.id), task.status.value, moment(task.ended_at or task.updated_at), error=task.error)


def moment(at: datetime) -> str:
    """RFC 3339, in UTC."""
    return at.isoformat().replace("+00:00", "Z")


def raw_json(text: str) -> msgspec.Raw:
    """JSON that is passed on as it came."""
    return msgspec.Raw(text.encode())
