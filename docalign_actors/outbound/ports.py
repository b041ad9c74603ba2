"""What this capability needs from outside, as protocols."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.outbound.model import Letter


class Arrival(Struct, frozen=True):
    """What came of a delivery; `error` is empty if it arrived. One that is hopeless is not tried again."""

    error: str = ""
    hopeless: bool = False


class Sender(Protocol):
    """Carries a letter to its address. Takes a bounded time and raises nothing."""

    def send(self, letter: Letter, now: datetime) -> Arrival: ...


class Outbox(Protocol):
    """The database, as the outbound actor sees it. Every method is one transaction."""

    def due(self, now: datetime, busy: Collection[str], limit: int) -> list[Letter]:
        """The first letter of each lane that is due, but for lanes that are busy."""
        ...

    def next_due(self, busy: Collection[str]) -> datetime | None: ...
    def delivered(self, letter: UUID, attempts: int, now: datetime) -> None: ...
    def give_up(self, letter: UUID, attempts: int, error: str, now: datetime) -> None: ...
    def retry(self, letter: UUID, attempts: int, error: str, due: datetime) -> None: ...
    def forget(self, before: datetime, limit: int) -> int: ...
