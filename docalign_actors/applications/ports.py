"""What this capability needs from outside, as protocols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from docalign_actors.applications.letters import Fed
from docalign_actors.applications.model import Branch, Change, Entry, Listing, Note, Subscription, SubscriptionId
from docalign_actors.applications.telling import Known
from docalign_actors.scans.model import RepoId


class GoneError(Exception):
    """The mirror, or a commit in it, is not here."""


class Trees(Protocol):
    """The files of the repositories that are mirrored. Every call takes a bounded time."""

    def tip(self, repo: RepoId, branch: str) -> str:
        """The commit of a branch; "" if there is no such branch. GoneError without a mirror."""
        ...

    def listing(self, repo: RepoId, commit: str) -> Listing:
        """All files of a commit. GoneError if it is not here."""
        ...

    def changes(self, repo: RepoId, before: str, after: str) -> list[Change]:
        """What became of each file between two commits, renames included; "" is an empty tree. GoneError if one is missing."""
        ...

    def has(self, repo: RepoId, commit: str) -> bool: ...

    def read(self, repo: RepoId, blob: str, limit: int) -> bytes | None:
        """At most so many bytes of a blob; None if it is not here."""
        ...


class Written(Struct, frozen=True):
    """What a note leads to on one branch. `lost`: the commit before is not here, so nobody knows what changed."""

    branch: Branch
    commit: str | None
    entries: tuple[Entry, ...] = ()
    lost: bool = False


class Done(Struct, frozen=True):
    """How many letters went into the outbox, and how many subscriptions came further."""

    letters: int = 0
    moved: int = 0


Plan = Callable[[Subscription, Known], Fed]


class Chronicle(Protocol):
    """The database, as the chronicler sees it. Every method is one transaction."""

    def repos_with_work(self, low: int, limit: int) -> list[RepoId]:
        """Those with something to write down, or with a subscription that has something to be told and room for it."""
        ...

    def next_note(self, repo: RepoId) -> Note | None: ...

    def branches(self, repo: RepoId) -> list[Branch]: ...

    def write(self, note: Note, written: Sequence[Written]) -> bool:
        """Puts a note into the journal, once and for all. False if somebody has, or a branch has moved since."""
        ...

    def hungry(self, repo: RepoId, low: int, limit: int) -> list[tuple[Subscription, Branch]]:
        """Subscriptions that have something to be told and room for it, the longest unattended first."""
        ...

    def feed(self, subscriptions: Sequence[SubscriptionId], plan: Plan, now: datetime) -> Done:
        """Lets `plan` decide what each is told, and puts that into the outbox."""
        ...

    def start_anew(self, subscription: SubscriptionId) -> None:
        """The commit of its snapshot is not here any more: it begins again with the branch's last one."""
        ...
