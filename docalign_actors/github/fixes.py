"""Fixes that somebody asked for: what they are, and what making one needs from outside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.findings.model import Finding
from docalign_actors.scans.model import RepoId


class Mended(Struct, frozen=True):
    """A finding that a commit puts right, and where."""

    finding: str
    rule: str
    file: str
    line: int


class Fix(Struct, frozen=True):
    """A fix as its row says. `number`: the pull request that it is for, None for the default branch."""

    id: UUID
    repo_id: RepoId
    full_name: str
    number: int | None = None
    findings: tuple[str, ...] = ()
    """Which ones; none for all whose fix is certain."""
    asked_by: str = ""
    state: str = "asked"
    parent_sha: str = ""
    branch: str = ""
    base_ref: str = ""
    """Where a pull request of our own goes; "" for a commit on somebody's branch."""
    commit_sha: str = ""
    pull: int | None = None
    """The pull request of our own."""
    mended: tuple[Mended, ...] = ()
    attempts: int = 0


class Making(Struct, frozen=True):
    """A commit that is there, and the branch that is to lead to it."""

    parent_sha: str
    branch: str
    base_ref: str
    commit_sha: str
    pull: int | None
    mended: tuple[Mended, ...]


class Scanned(Struct, frozen=True):
    """How the scan of a commit stands: pending, decided or not decided (it failed or was stopped)."""

    state: str
    findings: tuple[Finding, ...] = ()


class PullTarget(Struct, frozen=True):
    """A pull request as GitHub knows it now, with the branch that it comes from."""

    open: bool
    head_sha: str
    head_ref: str
    head_repo: str
    """"" where the fork is gone."""
    base_ref: str
    default_branch: str = ""
    """Of the repository that it goes to."""


class OwnPull(Struct, frozen=True):
    """An open pull request of this App, from a branch of the same repository."""

    number: int
    head_ref: str
    head_sha: str
    body: str


class TreeEntry(Struct, frozen=True):
    """One name in a folder. kind: blob, tree or commit (a submodule)."""

    name: str
    mode: str
    kind: str
    sha: str


class NewEntry(Struct, frozen=True):
    """A file that a new tree has: its text, or the id of a blob that is no text."""

    path: str
    mode: str
    text: str | None = None
    sha: str = ""


class Workbench(Protocol):
    """Git at GitHub, as one installation of the App sees it. Each call is one request, and raises a GitHubError or succeeds."""

    def pull_target(self, repo: str, number: int) -> PullTarget: ...

    def default_branch(self, repo: str) -> str: ...

    def tip(self, repo: str, branch: str) -> str:
        """The commit of a branch, "" if there is no such branch."""
        ...

    def own_pulls(self, repo: str, base: str) -> list[OwnPull]: ...

    def root(self, repo: str, commit: str) -> str:
        """The tree of a commit."""
        ...

    def entries(self, repo: str, tree: str) -> list[TreeEntry]: ...

    def blob(self, repo: str, sha: str) -> bytes: ...

    def create_blob(self, repo: str, data: bytes) -> str: ...

    def create_tree(self, repo: str, base: str, entries: Sequence[NewEntry]) -> str: ...

    def create_commit(self, repo: str, message: str, tree: str, parent: str) -> str: ...

    def create_branch(self, repo: str, branch: str, commit: str) -> None: ...

    def move_branch(self, repo: str, branch: str, commit: str) -> None:
        """Never by force."""
        ...

    def contains(self, repo: str, tip: str, commit: str) -> bool:
        """Whether one has come from the other."""
        ...

    def create_pull(self, repo: str, title: str, body: str, branch: str, base: str) -> int: ...


class FixStore(Protocol):
    """The fixes in the database. Every method is one transaction; one actor writes for an installation."""

    def next_fix(self, installation: int, now: datetime) -> Fix | None: ...

    def scanned(self, fix: Fix, commit: str) -> Scanned:
        """What is known of a commit: of the pull request that the fix is for, or of the default branch."""
        ...

    def record_making(self, fix: Fix, making: Making) -> None: ...

    def start_over(self, fix: Fix) -> None:
        """The branch has moved: nothing of what was made holds any more."""
        ...

    def end(self, fix: Fix, state: str, reason: str, pull: int | None) -> None:
        """It has ended; where there is something to say about it, the pull request's comment says it."""
        ...

    def put_off(self, fix: Fix, error: str, delay: timedelta) -> None: ...
