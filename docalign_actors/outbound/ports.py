"""What this capability needs from outside, as protocols."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from msgspec import Struct

from docalign_actors.outbound.backoff import Backoff
from docalign_actors.outbound.model import Letter


class Arrival(Struct, frozen=True):
    """What came of a delivery; `error` is empty if it arrived. One that is hopeless is not tried again.

    answer   what the receiver said, where the letter's kind wants it kept
    """

    error: str = ""
    hopeless: bool = False
    answer: str = ""


class Outcome(Struct, frozen=True):
    """What becomes of a letter after an attempt. `due`: when it is tried again."""

    letter: Letter
    status: Literal["delivered", "dead", "waiting"]
    attempts: int
    error: str = ""
    answer: str = ""
    due: datetime | None = None


class Composed(Struct, frozen=True):
    """A letter as it is sent."""

    headers: Mapping[str, str]
    body: bytes


class Manner(Protocol):
    """How letters of one kind are put, how often they are tried, and which answers end the attempts at once."""

    @property
    def attempts(self) -> int: ...
    @property
    def backoff(self) -> Backoff: ...
    def compose(self, letter: Letter, now: datetime) -> Composed: ...
    def hopeless(self, status: int) -> bool: ...


Manners = Mapping[str, Manner]
"""By the kind of the letter. Other kinds are callbacks of the task queue."""


class Sender(Protocol):
    """Carries a letter to its address. Takes a bounded time and raises nothing."""

    def send(self, letter: Letter, now: datetime) -> Arrival: ...


class Outbox(Protocol):
    """The database, as the outbound actor sees it. Every method is one transaction."""

    def due(self, now: datetime, busy: Collection[str], limit: int, *, failing: bool) -> list[Letter]:
        """The first letter of each lane that is due, but for lanes that are busy; of lanes that work, or of those whose
        last attempt failed."""
        ...

    def next_due(self, busy: Collection[str], *, failing: bool) -> datetime | None: ...

    def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        """What became of letters, all in one transaction."""
        ...

    def forget(self, before: datetime, limit: int) -> int: ...
