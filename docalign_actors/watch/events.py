"""What the watcher tells the stream of telemetry."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from docalign_actors.telemetry.events import Event


class CircuitMoved(Event, frozen=True, tag="watch.circuit_moved"):
    """A circuit opened, half-opened or closed; the database says so already, under this id in `circuit_history`."""

    id: int
    repo_id: UUID
    at: datetime
    before: str
    after: str
    cause: str
    failures: int
    error_code: str = ""
    error: str = ""


class HeadLooked(Event, frozen=True, tag="watch.head_looked"):
    """A repository's head was looked at. outcome: moved, same or failed."""

    kept: ClassVar[bool] = False
    repo_id: UUID
    outcome: str
    seconds: float
    late: float
    """Seconds between the time that it was due and the look."""


class ScanAsked(Event, frozen=True, tag="watch.scan_asked"):
    """The watcher asked for a scan. kind: initial or re-scan."""

    repo_id: UUID
    run_id: UUID
    kind: str
    why: str
