"""What an installation's actor does beside telling of checks. It is the only one that writes for its installation: whoever
has something else to say to GitHub gives it errands to run, one request each."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from docalign_actors.errors import GitHubError
from docalign_actors.github.ports import Host


class Errand(Protocol):
    """One request, and what it is worth writing down of it."""

    @property
    def writes(self) -> bool:
        """Whether it counts against the limits of writes."""
        ...

    def run(self, host: Host) -> str:
        """Does it and writes it down; gives what was told, "" for nothing."""
        ...

    def failed(self, error: GitHubError) -> None:
        """It could not be done; a limit is nobody's failure and does not come here."""
        ...


class Errands(Protocol):
    """Errands that wait, for each installation."""

    def next(self, installation: int, now: datetime) -> Errand | None: ...

    def due(self, installation: int) -> datetime | None:
        """When the next one is; None if there is none."""
        ...

    def installations(self, now: datetime) -> list[int]:
        """Those with one that is due."""
        ...
