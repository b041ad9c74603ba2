"""What this capability tells the stream of telemetry."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.telemetry.events import Event


class ScanMoved(Event, frozen=True, tag="scan.moved"):
    """A run was queued, started, came further, or ended; the database says so already."""

    run_id: UUID
    repo_id: UUID
    seq: int
    kind: str
    """queued, stage, progress or end."""
    status: str
    stage: str = ""
    done: int = 0
    total: int = 0
    type: str = ""
    seconds: float = 0.0
    """Of an end: how long the run took."""


class AgentsHeard(Event, frozen=True, tag="scan.agents_heard"):
    """A run that waited for agents has ended: so many questions, so many answers, so many claims that these decided or not."""

    run_id: UUID
    asked: int
    answered: int
    decided: int
    undecided: int
    tokens: int = 0


class RepoChanged(Event, frozen=True, tag="repo.changed"):
    """A repository was registered, removed, or is known better."""

    repo_id: UUID
