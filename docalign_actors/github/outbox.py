"""What the actors that tell GitHub need from the database, and who may ask for a scan on their behalf."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.github.remembering import Said
from docalign_actors.github.telling import Head
from docalign_actors.scans.model import RepoId


class Due(Struct, frozen=True):
    """When an installation has something to tell; None if nothing."""

    at: datetime | None
    paused_until: datetime | None = None
    reason: str = ""


class Outbox(Protocol):
    """What is to be told and what was. Every method is one transaction; one actor writes for an installation."""

    def next_head(self, installation: int, now: datetime) -> Head | None:
        """The head whose turn it is."""
        ...

    def due(self, installation: int) -> Due: ...

    def installations(self, now: datetime) -> list[int]:
        """Those with something to tell now."""
        ...

    def installation_of(self, repo: RepoId) -> int | None: ...

    def mark_posting(self, head: Head, *, annotations: bool) -> None:
        """The next request makes a check run or adds annotations to it, and its answer may be lost."""
        ...

    def record_check(self, head: Head, check: int | None, annotated: int, concluded: str, told_text: str = "") -> None:
        """What GitHub has now; `told_text`: the digest of what the conclusion says."""
        ...

    def renew(self, head: Head) -> None: ...

    def mark_commenting(self, head: Head) -> None: ...

    def record_comment(self, head: Head, comment: int | None, said: Sequence[Said], *, done: bool) -> None:
        """The comment on the pull request, None if there is none; `done`: everything is said for now."""
        ...

    def leave_comment(self, head: Head) -> None:
        """Nothing is to be said for now; a comment that is there stays as it is."""
        ...

    def mark_reviewing(self, head: Head) -> None:
        """The next request makes a review, and its answer may be lost."""
        ...

    def record_review(self, head: Head, review: int | None, findings: Sequence[str]) -> None:
        """The review of this head and what it suggests; None if there is none after all."""
        ...

    def leave_review(self, head: Head) -> None:
        """Nothing is to be suggested for now."""
        ...

    def settle(self, head: Head) -> None:
        """Everything that was wanted when the head was read is told."""
        ...

    def put_off(self, head: Head, error: str, delay: timedelta | None) -> None:
        """To be tried again after the delay, or given up."""
        ...

    def pause(self, installation: int, until: datetime | None, reason: str) -> None: ...

    def knows_head(self, repo: RepoId, number: int, sha: str) -> bool: ...

    def running_check(self, run: UUID) -> Head | None:
        """The head whose check is in progress for this run, with nothing else to tell."""
        ...
