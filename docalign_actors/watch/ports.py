"""What the watcher needs from outside, as protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.watch.circuit import Failed, Worked
from docalign_actors.watch.deciding import Due, Head, Numbers, Plan, Wanted
from docalign_actors.watch.events import CircuitMoved


class Settled(Struct, frozen=True, kw_only=True):
    """What came of a repository that was due. `looked`: how the look ended, None if there was none."""

    due: Due
    plan: Plan
    looked: Failed | Worked | None = None
    looked_at: datetime | None = None
    head: Head | None = None


class Figures(Struct, frozen=True):
    """How many are due, since when the longest, and how many circuits are not closed."""

    due: int
    oldest: datetime | None
    open: int
    half_open: int


class WatchStore(Protocol):
    """The database, as the watcher sees it. Every method is one transaction."""

    def spread(self, now: datetime, numbers: Numbers, window: float) -> int:
        """What is long due, or planned by rules that do not hold any more, is spread over the next `window` seconds."""
        ...

    def due(self, now: datetime, under_way: Collection[RepoId], most: int) -> list[Due]:
        """The longest due first."""
        ...

    def next_due(self, under_way: Collection[RepoId]) -> datetime | None: ...

    def let_through(self, repo: RepoId, now: datetime) -> CircuitMoved | None:
        """A try is made although the circuit is not closed: nobody else is let through meanwhile."""
        ...

    def settle(self, results: Sequence[Settled], now: datetime) -> list[CircuitMoved]:
        """Writes down what was seen and when each is due again, and counts what failed."""
        ...

    def count_scans(self, now: datetime, most: int) -> tuple[int, list[CircuitMoved]]:
        """Counts how scans ended, in order. Gives how many there were, and the circuits that moved."""
        ...

    def figures(self, now: datetime) -> Figures: ...


class Heads(Protocol):
    """Looks at repositories. Each look ends in time."""

    def look(self, repo: RepoId, url: str, scanned: str, others: Collection[str] = ()) -> Head:
        """`others`: further branches to look at. Raises a DocAlignError if the repository cannot be reached."""
        ...

    def close(self) -> None:
        """Ends what is under way."""
        ...


class Asking(Protocol):
    """Asks for scans."""

    def __call__(self, due: Due, wanted: Wanted) -> RunId:
        """The run, when it is committed. Raises a DocAlignError if there is none."""
        ...
