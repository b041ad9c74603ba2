"""The errands that tell a repository's workflow of its agent tasks: one repository dispatch for each scan that waits.

A dispatch whose answer is lost is sent again: a workflow that is started twice finds nothing to do the second time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from loguru import logger
from msgspec import Struct

from docalign_actors.errors import AgentNotConfiguredError, GitHubError, GitHubForbiddenError
from docalign_actors.github.ports import Host
from docalign_actors.github.telling import after_error

_MOST_NAMED = 100
"""Tasks that are named; whoever looks at the queue finds the others."""


class Wanted(Struct, frozen=True):
    """A scan of a repository that waits for agents."""

    run_id: UUID
    repo_id: UUID
    full_name: str
    type: str
    ref: str
    """The number of its pull request, or its commit."""
    commit: str
    tasks: tuple[str, ...]
    attempts: int = 0


class DispatchBook(Protocol):
    """What is to be dispatched and what was. Every method is one transaction."""

    def next_wanted(self, installation: int, now: datetime) -> Wanted | None: ...

    def due(self, installation: int) -> datetime | None: ...

    def installations(self, now: datetime) -> list[int]: ...

    def sent(self, run: UUID) -> None: ...

    def refused(self, run: UUID, notice: str) -> None:
        """Nobody will do the tasks: the scan goes on without agents, and says so."""
        ...

    def put_off(self, run: UUID, error: str, delay: timedelta | None) -> None:
        """To be tried again after the delay, or given up."""
        ...


class Dispatches(Struct, frozen=True):
    """`errands.Errands` out of the book of dispatches. `freed`: a scan of this repository need not wait any longer."""

    book: DispatchBook
    event_type: str
    freed: Callable[[UUID], None]

    def next(self, installation: int, now: datetime) -> DispatchErrand | None:
        wanted = self.book.next_wanted(installation, now)
        return DispatchErrand(wanted, self) if wanted is not None else None

    def due(self, installation: int) -> datetime | None:
        return self.book.due(installation)

    def installations(self, now: datetime) -> list[int]:
        return self.book.installations(now)


class DispatchErrand(Struct, frozen=True):
    """One dispatch."""

    wanted: Wanted
    dispatches: Dispatches

    @property
    def writes(self) -> bool:
        return True

    def run(self, host: Host) -> str:
        wanted, book = self.wanted, self.dispatches.book
        try:
            host.dispatch(wanted.full_name, self.dispatches.event_type, payload_of(wanted))
        except (AgentNotConfiguredError, GitHubForbiddenError):
            refused = AgentNotConfiguredError()
            logger.warning("{} has no agent: {}", wanted.full_name, refused.code)
            book.refused(wanted.run_id, f"{refused} ({refused.code})")
            self.dispatches.freed(wanted.repo_id)
            return ""
        book.sent(wanted.run_id)
        return "dispatch"

    def failed(self, error: GitHubError) -> None:
        logger.warning("{} is not told of its agent tasks: {}", self.wanted.full_name, error)
        delay = after_error(error, self.wanted.attempts)
        self.dispatches.book.put_off(self.wanted.run_id, f"{error} ({error.code})", delay)


def payload_of(wanted: Wanted) -> dict[str, object]:
    """What the workflow gets as `client_payload`. GitHub takes ten fields at the most."""
    return {
        "repo_id": str(wanted.repo_id), "scan_run_id": str(wanted.run_id), "scan_type": wanted.type, "trigger_ref": wanted.ref,
        "commit": wanted.commit, "task_ids": list(wanted.tasks[:_MOST_NAMED]), "task_count": len(wanted.tasks),
    }  # fmt: skip
