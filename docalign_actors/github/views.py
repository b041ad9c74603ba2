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
