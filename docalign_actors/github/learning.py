"""What people taught us about a repository: what is suppressed, what is paused. Values, and what they read like."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

DISMISSALS = 2
"""So many suppress a claim."""


class Suppression(Struct, frozen=True, kw_only=True):
    """Findings that are not reported. scope: claim (value: its id), file (its path) or kind; `finding_id`: under which id
    people knew it."""

    id: UUID
    scope: str
    value: str
    reason: str
    created_by: str
    created_at: datetime
    expires_at: datetime | None = None
    about: str = ""
    finding_id: str = ""


class Paused(Struct, frozen=True, kw_only=True):
    """Nothing is checked for now. number: the pull request, 0 for the whole repository."""

    number: int
    paused_by: str
    paused_at: datetime
    reason: str = ""
