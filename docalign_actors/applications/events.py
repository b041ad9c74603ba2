"""What this capability tells the stream of telemetry."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from docalign_actors.telemetry.events import Event


class JournalWritten(Event, frozen=True, tag="journal.written"):
    """Something went into the journal of a repository."""

    kept: ClassVar[bool] = False
    repo_id: UUID
    entries: int


class SubscriptionsChanged(Event, frozen=True, tag="app.changed"):
    """An application or a subscription of a repository was added, removed, paused, resumed; or failed."""

    repo_id: UUID | None = None
