"""The words of this capability: a repository, a scan run, its statuses, and which status may follow which.

The table at the bottom is the whole state machine; the database enforces the same table (migration 0001).

    queued ──▶ running ──▶ completed | partial | failed | cancelled
       ▲           │
       └───────────┘  an attempt failed, or its worker died: it waits for the next one
    queued ──▶ cancelled (asked for, or superseded) | failed (repaired too often)
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from typing import NewType
from uuid import UUID

from msgspec import Struct

RepoId = NewType("RepoId", UUID)
RunId = NewType("RunId", UUID)


class ScanType(Enum):
    """What is looked at: a pull request's change, a push to the default branch, or everything."""

    PR = "pr"
    PUSH = "push"
    FULL = "full"


class Trigger(Enum):
    """Why a scan runs. `manual`: a person asked; `scheduled`: an installation or a schedule did."""

    PR = "pr"
    PUSH = "push"
    SCHEDULED = "scheduled"
    MANUAL = "manual"
    AGENT_REPORT = "agent_report"


class Status(Enum):
    """Where a scan run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return not TRANSITIONS[self]


TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.QUEUED: frozenset({Status.RUNNING, Status.CANCELLED, Status.FAILED}),
    Status.RUNNING: frozenset(
        {Status.QUEUED, Status.COMPLETED, Status.PARTIAL, Status.FAILED, Status.CANCELLED},
    ),
    Status.COMPLETED: frozenset(),
    Status.PARTIAL: frozenset(),
    Status.FAILED: frozenset(),
    Status.CANCELLED: frozenset(),
}

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Repo(Struct, frozen=True):
    """A registered repository, as much of it as a scan needs."""

    id: RepoId
    url: str
    name: str
    organisation: str = "local"
    removed: bool = False


class Run(Struct, frozen=True):
    """A scan run that has not ended: what is queued or running."""

    id: RunId
    position: int
    repo_id: RepoId
    type: ScanType
    trigger: Trigger
    status: Status
    pr_number: int | None = None
    base_ref: str = ""
    commit_sha: str = ""
    attempt: int = 0
    repairs: int = 0
    not_before: datetime = LONG_AGO
    cancel_requested: bool = False
    cancel_reason: str = ""
    trace: str = ""


class Request(Struct, frozen=True):
    """What somebody asks for, before it is admitted.

    base_ref    of a pull request its base, of a push the commit before it, of a full scan nothing
    commit_sha  what is to be looked at; "" for the head of the default branch
    user        who counts for the per-person rate; "" where nobody in person asked
    delivery    (source, id) under which this very request may come again
    """

    repo_id: RepoId
    type: ScanType
    trigger: Trigger
    pr_number: int | None = None
    base_ref: str = ""
    commit_sha: str = ""
    user: str = ""
    delivery: tuple[str, str] | None = None
    trace: str = ""


class Counts(Struct, frozen=True):
    """What a scan counted, by claim; `suppressed`: findings that people want to hear nothing of, counted nowhere else; `cut`:
    findings beyond the number that is shown."""

    checked: int = 0
    verified: int = 0
    drifted: int = 0
    uncertain: int = 0
    suppressed: int = 0
    cut: int = 0
