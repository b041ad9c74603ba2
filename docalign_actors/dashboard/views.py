"""What each page is made of, and who provides it. The views of repositories and scans are the API's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct, field

from docalign_actors.scans.views import (
    FindingView,
    HealthView,
    IncidentView,
    PauseView,
    RepoView,
    RunView,
    SuppressionView,
)
from docalign_actors.supervision import ActorInfo, FamilyInfo
from docalign_actors.telemetry.events import DeadLetter
from docalign_actors.watch.views import CircuitView, ScheduleView, TroubledView


class Tree(Struct, frozen=True, kw_only=True):
    """The actors, parents before their children.

    families      the actors that come and go, in figures
    dead_letters  how many messages nobody handled
    letters       the last of those, newest first
    names         what stands behind the ids in actors' names: repository id → its name
    """

    actors: Sequence[ActorInfo] = ()
    families: Sequence[FamilyInfo] = ()
    dead_letters: int = 0
    letters: Sequence[DeadLetter] = ()
    names: Mapping[str, str] = field(default_factory=dict)


class RepoLine(Struct, frozen=True, kw_only=True):
    """A repository in a list, with the scores of its last scans, oldest first."""

    repo: RepoView
    scores: Sequence[int | None] = ()
    trend: str = "steady"


class Overview(Struct, frozen=True, kw_only=True):
    """Everything at a glance. `reasons`: why the service is not healthy; empty if it is."""

    tree: Tree
    repos: Sequence[RepoLine] = ()
    repos_total: int = 0
    drifted_total: int = 0
    running: Sequence[RunView] = ()
    waiting: Sequence[RunView] = ()
    waiting_total: int = 0
    incidents: Sequence[IncidentView] = ()
    reasons: Sequence[str] = ()
    troubled: Sequence[TroubledView] = ()
    """Circuits that are not closed."""


class Repos(Struct, frozen=True, kw_only=True):
    """A stretch of the list of repositories. `after`: where the next one begins, "" at the end."""

    lines: Sequence[RepoLine] = ()
    after: str = ""


class RepoDetail(Struct, frozen=True, kw_only=True):
    """One repository. `drifted`: the claims that are false as far as is known of the default branch; `more` are not shown."""

    repo: RepoView
    health: HealthView
    runs: Sequence[RunView] = ()
    drifted: Sequence[FindingView] = ()
    more: bool = False
    schedule: ScheduleView | None = None
    circuit: CircuitView | None = None
    suppressions: Sequence[SuppressionView] = ()
    pauses: Sequence[PauseView] = ()


class Scans(Struct, frozen=True, kw_only=True):
    """A stretch of the list of scans, newest first."""

    runs: Sequence[RunView] = ()
    after: str = ""


class ScanDetail(Struct, frozen=True, kw_only=True):
    """One scan with what it found. `more`: there are findings that are not shown here."""

    run: RunView
    findings: Sequence[FindingView] = ()
    more: bool = False
    hint: str = ""
    """What to do about the run's error."""


class ActorDetail(Struct, frozen=True, kw_only=True):
    """One actor, its children, and the stack of its thread."""

    actor: ActorInfo
    tree: Tree
    stack: str = ""
    incidents: Sequence[IncidentView] = ()


class Incidents(Struct, frozen=True, kw_only=True):
    """A stretch of the list of incidents, newest first."""

    incidents: Sequence[IncidentView] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    after: str = ""


class Reader(Protocol):
    """Where the pages get their views. What is not there is a DocAlignError (E404)."""

    async def overview(self) -> Overview: ...

    async def repos(self, after: str) -> Repos: ...

    async def repo(self, repo: UUID) -> RepoDetail: ...

    async def scans(self, status: str, after: str) -> Scans: ...

    async def scan(self, run: UUID) -> ScanDetail: ...

    async def tree(self) -> Tree: ...

    async def actor(self, name: str) -> ActorDetail: ...

    async def incidents(self, after: str) -> Incidents: ...


class Desk(Protocol):
    """What the pages' buttons ask for. Refusals are DocAlignErrors."""

    async def add_repo(self, url: str, user: str) -> UUID: ...

    async def remove_repo(self, repo: UUID) -> None: ...

    async def scan_now(self, repo: UUID, user: str) -> UUID: ...

    async def cancel(self, run: UUID, user: str) -> None: ...

    async def set_schedule(self, repo: UUID, check: str, full: str) -> None:
        """Rules in words; "" for the service's."""
        ...

    async def reset_circuit(self, repo: UUID, user: str) -> None: ...

    async def suppress(self, repo: UUID, form: Mapping[str, str], user: str) -> None:
        """The form's fields: scope, value, reason, days."""
        ...

    async def unsuppress(self, repo: UUID, suppression: str, user: str) -> None: ...
