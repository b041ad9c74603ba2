"""What people and clients read of this capability."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from docalign_actors.github.fixes import Mended


class DeliveryView(Struct, frozen=True, kw_only=True):
    """A webhook that could not be read or carried out. `excerpt`: how it begins, where it could not be read."""

    position: int
    delivery_id: str
    event: str
    action: str
    installation_id: int | None
    status: str
    attempts: int
    error: str
    excerpt: str
    received_at: datetime


class InstallationView(Struct, frozen=True, kw_only=True):
    """The App on one account. `waiting`: checks that are still to be told."""

    id: int
    account: str
    state: str
    permissions: dict[str, str]
    paused_until: datetime | None
    pause_reason: str
    repositories: int
    waiting: int


class CheckView(Struct, frozen=True, kw_only=True):
    """A check that could not be told, or waits for too long. `told < wanted`: it is still tried."""

    repo_id: UUID
    full_name: str
    number: int
    head_sha: str
    final: bool
    has_check: bool
    posting: bool
    commented: int
    reviewed: int
    wanted: int
    told: int
    attempts: int
    last_error: str
    failing_since: datetime | None
    due_at: datetime
    paused: bool
    suspended: bool

    @property
    def given_up(self) -> bool:
        return self.told >= self.wanted


class Rate(Struct, frozen=True):
    """How many requests an installation has left in this hour, as GitHub last said it."""

    remaining: int
    limit: int
    resets_at: datetime


class FixView(Struct, frozen=True, kw_only=True):
    """A fix that somebody asked for. `pull`: the pull request of our own that holds it, where there is one."""

    id: UUID
    position: int
    repo_id: UUID
    number: int | None
    findings: list[str]
    asked_by: str
    state: Literal["asked", "making", "pushed", "opened", "nothing", "failed"]
    reason: str
    branch: str
    commit_sha: str
    pull: int | None
    mended: list[Mended]
    last_error: str
    created_at: datetime
    ended_at: datetime | None


class PausedView(Struct, frozen=True, kw_only=True):
    """What somebody has paused. number: a pull request, 0 for the whole repository."""

    repo_id: UUID
    full_name: str
    number: int
    paused_by: str
    paused_at: datetime
    reason: str


class LastFixView(Struct, frozen=True, kw_only=True):
    """A fix, as the page of the App shows it. number: the pull request that it was asked for in, None for the default branch."""

    id: UUID
    repo_id: UUID
    full_name: str
    number: int | None
    asked_by: str
    state: str
    reason: str
    last_error: str
    commit_sha: str
    pull: int | None
    created_at: datetime
    ended_at: datetime | None
