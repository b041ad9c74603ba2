"""The words of this capability: applications, subscriptions, and what a journal says.

A subscription goes through these phases; at every point it may be paused, or have failed:

    new ──▶ files ──▶ claims ──▶ following
     ▲                               │
     └── resync; or the journal does not reach back far enough any more

`files` and `claims` are the snapshot: everything that there is, at one commit. `following` reads the journal from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, Literal, NewType
from uuid import UUID

from msgspec import Struct

from docalign_actors.scans.model import RepoId

AppId = NewType("AppId", UUID)
SubscriptionId = NewType("SubscriptionId", UUID)

CREATED, UPDATED, DELETED, RENAMED = "file.created", "file.updated", "file.deleted", "file.renamed"
DRIFTED, FIXED = "claim.drifted", "claim.fixed"
HEALTH, SCAN_FAILED = "health.changed", "scan.failed"
BREAKER_OPENED, BREAKER_CLOSED = "breaker.opened", "breaker.closed"
SNAPSHOT_STARTED, SNAPSHOT_COMPLETED = "snapshot.started", "snapshot.completed"

FILE_EVENTS: Final = (CREATED, UPDATED, DELETED, RENAMED)
CLAIM_EVENTS: Final = (DRIFTED, FIXED)
EVENTS: Final = (*FILE_EVENTS, *CLAIM_EVENTS, HEALTH, SCAN_FAILED, BREAKER_OPENED, BREAKER_CLOSED)
"""What can be subscribed to. The two of a snapshot come unasked: without them nobody knows when one is whole."""

LETTER: Final = "app.event"
"""The kind of letter in the outbox."""

Phase = Literal["new", "files", "claims", "following"]
Sort = Literal["", "file", "claim"]


def tenant_of(app: AppId) -> str:
    """Under which name an application's letters stand in the outbox."""
    return f"app:{app}"


class File(Struct, frozen=True):
    """A file at a commit. mode: file, executable or symlink."""

    path: str
    mode: str
    blob: str
    size: int

    @property
    def version(self) -> str:
        """What makes two states of a file differ."""
        return f"{self.mode} {self.blob}"


class Listing(Struct, frozen=True):
    """The files of one commit, in the order of their paths."""

    paths: tuple[str, ...] = ()
    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, files: Iterable[File]) -> Listing:
        ordered = sorted(files, key=lambda file: file.path)
        return cls(tuple(file.path for file in ordered), tuple(ordered))


class Change(Struct, frozen=True):
    """What became of one file between two commits. `file` is None if it is gone; `previous`: where it was."""

    kind: str
    path: str
    file: File | None = None
    previous: str = ""


class Entry(Struct, frozen=True, kw_only=True):
    """One thing that happened on a branch, as the journal has it. `name`: a path, or a claim's fingerprint."""

    kind: str
    name: str = ""
    previous_name: str = ""
    mode: str = ""
    blob: str = ""
    size: int = 0
    is_binary: bool = False
    commit: str = ""
    data: dict[str, Any] = {}
    at: datetime
    position: int = 0

    @property
    def file(self) -> File | None:
        return File(self.name, self.mode, self.blob, self.size) if self.blob else None


class Claim(Struct, frozen=True, kw_only=True):
    """A claim that is false as far as is known."""

    fingerprint: str
    file: str
    data: dict[str, Any]


class Branch(Struct, frozen=True):
    """A branch that somebody subscribes to. `commit` is None before the first scan, "" if the branch is empty."""

    name: str
    commit: str | None
    position: int = 0
    floor: int = 0


class Note(Struct, frozen=True):
    """What happened to a repository and is not in the journal yet. sort: scan, failure, breaker."""

    position: int
    repo_id: RepoId
    sort: str
    branch: str
    head: str
    data: dict[str, Any]
    at: datetime
    is_last: bool
    """Whether no later scan has been noted."""


class Subscription(Struct, frozen=True, kw_only=True):
    """A subscription, as much of it as decides what it is told next."""

    id: SubscriptionId
    app_id: AppId
    repo_id: RepoId
    branch: str
    paths: tuple[str, ...]
    events: tuple[str, ...]
    phase: Phase
    commit: str | None
    cursor: str
    position: int
    sequence: int
    lane: str
    url: str
    """The application's."""
    repo_name: str = ""
    repo_url: str = ""
    default_branch: str = ""
    waiting: int = 0
    """Deliveries in its lane."""

    @property
    def branch_name(self) -> str:
        return self.branch or self.default_branch
