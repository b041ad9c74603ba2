"""The reconciler: finds what no webhook told us.

- What GitHub tried to deliver in vain, it is asked to deliver again.
- What was never sent, or lost after our answer, is found by looking: at each repository's open pull requests and the head of
  its default branch, one repository after another, by conditional requests, which cost nothing while nothing has changed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from loguru import logger
from msgspec import Struct

from docalign_actors.errors import DocAlignError, GitHubError, GitHubLimitError
from docalign_actors.github.payloads import concerns
from docalign_actors.github.ports import FailedDelivery, FoundPull
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.actor import Actor

NAME = "github-reconciler"
_MOST_AGAIN = 50
"""Deliveries that are asked for again in one sweep."""
_MOST_ATTEMPTS = 4
"""After so many in vain a delivery is left alone: something else is wrong, and GitHub's list of deliveries says what."""
_LEAST_GAP = 0.2
"""Seconds between two repositories, however many there are."""


class SweepDeliveries(Struct, frozen=True, tag="github.sweep_deliveries"):
    """To itself: what could GitHub not deliver?"""


class LookAtNext(Struct, frozen=True, tag="github.look_at_next"):
    """To itself: is the next repository as we know it?"""


class Watched(Struct, frozen=True):
    """A repository that is looked at. `head`: the commit of the default branch that was scanned last, "" for none."""

    repo_id: RepoId
    installation: int
    full_name: str
    head: str
    busy: bool
    """Whether a scan of the default branch waits or runs: it will see the newest commit."""


class Books(Protocol):
    """What the database knows."""

    def unknown_deliveries(self, app: int, guids: Sequence[str]) -> set[str]:
        """Another App gets the same event under the same id: what counts is what this one was told."""
        ...

    def watched(self) -> list[Watched]: ...

    def unknown_heads(self, repo: RepoId, pulls: Sequence[FoundPull]) -> list[FoundPull]: ...

    def rename(self, github_id: int, full_name: str) -> None: ...

    def gave_up(self, repo: RepoId, sha: str) -> bool:
        """Whether the scan of this commit of the default branch has failed for good."""
        ...


class Sights(Protocol):
    """What GitHub shows. Each method is one request; None where nothing has changed since the tag."""

    def failed_deliveries(self) -> list[FailedDelivery]: ...

    def redeliver(self, delivery: int) -> None: ...

    def open_pulls(self, installation: int, repo: str, etag: str) -> tuple[str, list[FoundPull] | None]: ...

    def default_head(self, installation: int, repo: str, etag: str) -> tuple[str, str | None]: ...


class ReconcilerParts(Struct, frozen=True):
    """What the actor works with. `every`: seconds that a round takes."""

    books: Books
    sights: Sights
    scan_pull: Callable[[RepoId, int, str, str], None]
    scan_push: Callable[[RepoId, str, str], None]
    pause: Callable[[int, datetime, str], None]
    """Nothing more is asked for an installation until then."""
    app_id: int = 0
    every: float = 300.0


class ReconcilerActor(Actor):
    """Goes its rounds."""

    def __init__(self, parts: ReconcilerParts) -> None:
        super().__init__()
        self._parts = parts
        self._left: list[Watched] = []
        self._gap = parts.every
        self._pulls: dict[RepoId, tuple[str, Sequence[FoundPull]]] = {}
        self._heads: dict[RepoId, tuple[str, str]] = {}

    def started(self) -> None:
        self.context.tell_self(SweepDeliveries())
        self.context.tell_self(LookAtNext())

    def receive(self, message: object) -> None:
        try:
            match message:
                case SweepDeliveries():
                    self.context.after(self._later(), SweepDeliveries(), key="sweep")
                    self._sweep()
                case LookAtNext():
                    self._look_at_next()
        except GitHubError as error:  # the next round is soon enough
            logger.warning("what no webhook told us is not looked for just now: {}", error)

    def _sweep(self) -> None:
        failed = [one for one in self._parts.sights.failed_deliveries() if concerns(one.event, one.action)]
        attempts = Counter(one.guid for one in failed)
        unknown = self._parts.books.unknown_deliveries(self._parts.app_id, list(attempts))
        newest = {one.guid: one for one in reversed(failed) if one.guid in unknown}
        hopeful = [one for one in newest.values() if attempts[one.guid] < _MOST_ATTEMPTS]
        if len(hopeful) < len(newest):
            logger.warning("{} webhooks could not be delivered time and again", len(newest) - len(hopeful))
        for one in hopeful[:_MOST_AGAIN]:
            self._parts.sights.redeliver(one.id)

    def _look_at_next(self) -> None:
        if not self._left:
            self._left = self._parts.books.watched()
            self._gap = max(_LEAST_GAP, self._parts.every / max(1, len(self._left)))
        self.context.after(self._later(self._gap), LookAtNext(), key="look")
        if self._left:
            watched = self._left.pop()
            try:
                self._compare(watched)
            except GitHubLimitError as error:
                # Whoever goes on asking is shut out for longer.
                self._left = [one for one in self._left if one.installation != watched.installation]
                self._parts.pause(watched.installation, error.resumes_at, f"{error}")

    def _compare(self, watched: Watched) -> None:
        """What GitHub has is remembered with its tag: it may be unchanged there, and we may have lost our way meanwhile."""
        repo, sights, books = watched.repo_id, self._parts.sights, self._parts.books
        tag, pulls = self._pulls.get(repo, ("", ()))
        tag, newer = sights.open_pulls(watched.installation, watched.full_name, tag)
        pulls = newer if newer is not None else pulls
        self._pulls[repo] = (tag, pulls)
        called = next((pull.repository for pull in pulls if pull.repository is not None), None)
        if called is not None and called[1] != watched.full_name:
            books.rename(*called)
        for pull in books.unknown_heads(repo, pulls) if pulls else ():
            self._ask(self._parts.scan_pull, repo, pull.number, pull.base_ref, pull.head_sha)
        if watched.busy or not watched.head:
            return  # the scan that is open will see the newest commit
        tag, head = self._heads.get(repo, ("", ""))
        tag, later = sights.default_head(watched.installation, watched.full_name, tag)
        head = later or head
        self._heads[repo] = (tag, head)
        if head and head != watched.head and not books.gave_up(repo, head):
            self._ask(self._parts.scan_push, repo, watched.head, head)

    def _ask(self, scan: Callable[..., None], *values: object) -> None:
        try:
            scan(*values)
        except DocAlignError as error:
            logger.warning("a commit that no webhook told of is not scanned: {}", error)

    def _later(self, seconds: float | None = None) -> float:
        """Not all services at the same instant."""
        return (seconds or self._parts.every) * (0.9 + 0.2 * random.random())  # noqa: S311 - jitter
