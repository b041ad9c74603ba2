"""What upkeep needs from outside."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Keep(Struct, frozen=True):
    """How long things are kept, in days, and how much of the caches, in bytes."""

    runs_days: int = 90
    events_days: int = 7
    incidents_days: int = 30
    blob_cache_bytes: int = 2 * 1024**3
    mirror_bytes: int = 20 * 1024**3
    tasks_days: int = 30
    journal_days: int = 30
    deliveries_days: int = 7
    verdicts_days: int = 30


class Housekeeper(Protocol):
    """Throws away what is old. Each call does a bounded piece of work."""

    def sweep(self, keep: Keep) -> dict[str, int]:
        """Rows that went, by table; no entry where nothing did. To be called again while something goes."""
        ...


class MirrorKeeper(Protocol):
    """Looks after the folder of mirrors."""

    def sweep(self, most_bytes: int) -> list[str]:
        """Removes mirrors of repositories that are gone and, beyond the budget, those unused for longest; names them."""
        ...


class IncidentLog(Protocol):
    """Where incidents are written down."""

    def record(self, actor: str, kind: str, error: str, trace: str) -> None: ...
