"""What people and clients are shown of schedules, circuits and credentials."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct


class ScheduleView(Struct, frozen=True, kw_only=True):
    """When a repository is looked at, and what was seen last."""

    repo_id: UUID
    check: str
    """How often its head is looked at."""
    full: str
    """How often everything is scanned."""
    own_check: bool
    """Whether `check` was set for this repository; otherwise the service's setting holds."""
    own_full: bool
    elsewhere: bool
    """Whether the GitHub App looks at its head instead."""
    next_check_at: datetime | None
    next_full_at: datetime | None
    last_look_at: datetime | None
    last_head: str
    last_branch: str
    last_error: str
    """Why the last look came to nothing; "" if it did not."""


class CircuitMoveView(Struct, frozen=True, kw_only=True):
    """A change of a circuit's state."""

    id: int
    at: datetime
    before: str
    after: str
    cause: str
    failures: int
    error_code: str
    error: str


class CircuitView(Struct, frozen=True, kw_only=True):
    """Whether git reaches a repository, and if not, when it is tried again."""

    repo_id: UUID
    state: str
    """closed, open or half_open."""
    failures: int
    """Of git, in a row."""
    opens_at: int
    """So many failures in a row open it."""
    since: datetime | None
    open_until: datetime | None
    error_code: str
    error: str
    history: list[CircuitMoveView] = []
    """Newest first."""


class TroubledView(Struct, frozen=True, kw_only=True):
    """A circuit that is not closed."""

    repo_id: UUID
    name: str
    state: str
    failures: int
    open_until: datetime | None
    error_code: str
    error: str
    changed_at: datetime


class WatchLine(Struct, frozen=True, kw_only=True):
    """A repository's rules and circuit in one line of a list."""

    repo_id: UUID
    check: str
    full: str
    due_at: datetime | None
    circuit: str


class CredentialsView(Struct, frozen=True, kw_only=True):
    """Whether a repository has credentials of its own. The password is never shown."""

    repo_id: UUID
    set: bool
    user: str
