"""What people and clients are shown of repositories and scans. The API sends these as they are; the pages are made of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct


class RepoView(Struct, frozen=True, kw_only=True):
    """A registered repository."""

    id: UUID
    url: str
    name: str
    host: str
    organisation: str
    status: str
    """registered, active, partial or failing."""
    default_branch: str
    head_sha: str
    health_score: int | None
    claims_total: int
    claims_verified: int
    claims_drifted: int
    last_full_scan_at: datetime | None
    last_error: str
    created_at: datetime
    queued: int = 0
    """Runs that wait."""
    running: UUID | None = None
    """The run that is being worked on."""
    check_rule: str = ""
    """How often its head is looked at; "" as the service's setting says."""
    full_rule: str = ""
    """How often everything is scanned; "" as the service's setting says."""
    due_at: datetime | None = None
    """When it is looked at next; null for never."""
    circuit: str = "closed"
    """Whether git reaches it: closed (it does), open or half_open."""


class RunView(Struct, frozen=True, kw_only=True):
    """A scan run."""

    id: UUID
    position: int
    repo_id: UUID
    repo_name: str
    type: str
    trigger: str
    status: str
    pr_number: int | None
    base_ref: str
    commit_sha: str
    requested_by: str
    attempt: int
    repairs: int
    stage: str
    cancel_requested_at: datetime | None
    cancel_reason: str
    superseded_by: UUID | None
    last_error_code: str
    last_error: str
    claims_checked: int
    claims_verified: int
    claims_drifted: int
    claims_uncertain: int
    total_duration_ms: int
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    stage_done: int = 0
    stage_total: int = 0
    waited_since: datetime | None = None
    """When it began to wait for agents, if it ever did."""
    waits_until: datetime | None = None
    """While it waits for agents: when it goes on without them."""
    agent_tasks: int = 0
    """What it asked of agents."""
    agent_tasks_done: int = 0
    agent_remembered: int = 0
    """Claims that agents had decided for earlier scans."""
    agent_notice: str = ""
    """What agents left open, and why."""


class FindingView(Struct, frozen=True, kw_only=True):
    """One finding of a run: what `docalign scan --format json` prints, and whether it is new with this run."""

    id: str
    rule: str
    kind: str
    severity: str
    confidence: float
    file: str
    line: int
    column: int
    claim: str
    message: str
    new: bool
    decided_by: str = ""
    """`agent` where an agent said so, "" where code decided."""
    evidence: list[dict[str, Any]] = []
    mentions: list[dict[str, Any]] = []
    fix: dict[str, Any] | None = None


class HealthPointView(Struct, frozen=True, kw_only=True):
    """The health after one scan of the default branch."""

    at: datetime
    run_id: UUID | None
    score: int | None
    total: int
    verified: int
    drifted: int


class HealthView(Struct, frozen=True, kw_only=True):
    """A repository's health now, and how it came to be."""

    repo_id: UUID
    score: int | None
    trend: str
    """improving, declining or steady."""
    history: list[HealthPointView] = []


class IncidentView(Struct, frozen=True, kw_only=True):
    """An actor that failed, was fenced or gave up."""

    id: int
    actor: str
    kind: str
    error: str
    trace: str
    at: datetime


class EventView(Struct, frozen=True, kw_only=True):
    """A step of a run, as SSE sends it."""

    seq: int
    kind: str
    data: dict[str, Any]
    at: datetime


class ClaimView(Struct, frozen=True, kw_only=True):
    """What is known of one claim of the default branch's documentation."""

    fingerprint: str
    kind: str
    rule: str
    text: str
    file: str
    line: int
    mentions: list[dict[str, Any]]
    verdict: str
    severity: str
    confidence: float
    message: str
    run_id: UUID | None
    """The scan that decided it last."""
    first_seen_at: datetime
    verdict_since: datetime


class SuppressionView(Struct, frozen=True, kw_only=True):
    """Findings that are not reported."""

    id: UUID
    repo_id: UUID
    scope: str
    """claim, file or kind."""
    value: str
    reason: str
    about: str
    """What it is about, as the finding read when it was suppressed."""
    origin: str
    """api, comment or dismissals."""
    created_by: str
    created_at: datetime
    expires_at: datetime | None


class PauseView(Struct, frozen=True, kw_only=True):
    """What is not checked for now. number: a pull request, 0 for the whole repository."""

    number: int
    paused_by: str
    paused_at: datetime
    reason: str
