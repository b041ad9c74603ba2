"""What the actors of the conversation need from the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.github.answering import Given
from docalign_actors.github.deciding import Facts, Hold, NoteDismissal, Release, Revoke, Suppress
from docalign_actors.github.events import Record
from docalign_actors.github.learning import Paused
from docalign_actors.github.ports import OpenPull, PullToRescan, ThumbDown
from docalign_actors.scans.model import RepoId, RunId

Stored = Suppress | Revoke | NoteDismissal | Hold | Release
"""Effects that are rows of the database and nothing else."""


class Ended(Struct, frozen=True, kw_only=True):
    """A command that waited for a scan, or a fix, which has ended."""

    given: Given
    run: UUID | None
    status: str
    code: str = ""
    error: str = ""
    superseded: bool = False
    findings: int = 0
    checked: int = 0
    fix: str = ""
    """How a fix ended: pushed, opened, nothing or failed; "" where it was none, and `error` says why."""
    pull: int | None = None
    """The pull request of our own that holds the fix."""


class CommandBook(Protocol):
    """The record of commands. Every method is one transaction that may be run twice."""

    def record(self, command: Record) -> bool:
        """Writes commands down; False if they were there already, or the repository is not known."""
        ...

    def record_closing(self, github_id: int, number: int) -> bool:
        """A pull request that we commented on was closed."""
        ...

    # What is asked of GitHub and told to it

    def next_given(self, installation: int, now: datetime) -> Given | None: ...

    def due(self, installation: int) -> datetime | None: ...

    def installations(self, now: datetime) -> list[int]: ...

    def mark_seen(self, given: Given) -> None: ...

    def note_permission(self, given: Given, permission: str) -> None: ...

    def note_head(self, given: Given, base: str, head: str) -> None: ...

    def note_material(self, given: Given, material: str) -> None: ...

    def note_reactions(self, given: Given, reactions: Sequence[ThumbDown]) -> None:
        """What people think of our suggestions; whether they may is asked next."""
        ...

    def make_ready(self, given: Given) -> None: ...

    def mark_replying(self, given: Given) -> None: ...

    def note_reply(self, given: Given, comment: int | None) -> None: ...

    def finish(self, given: Given) -> None: ...

    def put_off(self, given: Given, error: str, delay: timedelta | None) -> None:
        """To be tried again after the delay, or given up."""
        ...

    # What is carried out

    def ready(self, most: int) -> list[Given]:
        """The oldest first; none before an earlier one of the same repository that is not carried out yet."""
        ...

    def facts(self, given: Given, ids: Sequence[str], now: datetime) -> Facts: ...

    def answer(
        self, given: Given, result: str, reply: str, effect: Stored | None = None, *, rescan: bool = False
    ) -> list[RunId]:
        """What came of it, and the effect, in one transaction; gives the scans that are to be told to stop. `rescan`:
        something is to be looked at again, and that is not forgotten."""
        ...

    def to_rescan(self, most: int) -> list[Given]: ...

    def rescanned(self, given: Given) -> None: ...

    def pulls_to_rescan(self, most: int) -> list[PullToRescan]:
        """Pull requests for which a suppression or a pause has changed, not by a command."""
        ...

    def pull_rescanned(self, pull: PullToRescan) -> None: ...

    def wait_for(self, given: Given, run: RunId | None) -> None:
        """For a scan, or for the fix that was asked for under the command's own name."""
        ...

    def ended(self, most: int) -> list[Ended]: ...

    # Pauses

    def pause_of(self, repo: RepoId, number: int) -> Paused | None:
        """What keeps a pull request from being checked, if anything does."""
        ...

    def note_pause(self, repo: RepoId, number: int, head: str, paused: Paused) -> None:
        """There will be no scan of this head for now; its check says why."""
        ...

    def open_pulls(self, repo: RepoId) -> list[OpenPull]:
        """Those that nobody has paused for themselves."""
        ...
