"""The one way to a scan of a pull request on GitHub: a pause or a limit that stands in the way is what its check says."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from msgspec import Struct

from docalign_actors.errors import ScanLimitError
from docalign_actors.github.learning import Paused
from docalign_actors.github.replies import limited_notice as limited
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.triggers import TriggerService

_ANSWER = 10.0


class Notices(Protocol):
    """What checks say where there is no scan."""

    def note_refusal(self, repo: RepoId, number: int, head: str, notice: str, resumes_at: datetime | None) -> None: ...


class Pauses(Protocol):
    """What is not checked for now."""

    def pause_of(self, repo: RepoId, number: int) -> Paused | None: ...

    def note_pause(self, repo: RepoId, number: int, head: str, paused: Paused) -> None: ...


class PullScans(Struct, frozen=True):
    """Asks for scans of pull requests; waits for the answer."""

    triggers: TriggerService
    notices: Notices
    pauses: Pauses

    def ask(
        self, repo: RepoId, number: int, base: str, head: str, delivery: tuple[str, str] | None = None, user: str = ""
    ) -> RunId | None:
        """None where there is a pause. A limit is written down and raised: ScanLimitError."""
        paused = self.pauses.pause_of(repo, number)
        if paused is not None:
            self.pauses.note_pause(repo, number, head, paused)
            return None
        try:
            return self.triggers.enqueue_pr_scan(repo, number, base, head, delivery=delivery, user=user).result(_ANSWER)
        except ScanLimitError as refused:
            self.notices.note_refusal(repo, number, head, limited(refused), refused.resets_at)
            raise
