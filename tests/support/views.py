"""Views made by hand: enough of them, and odd enough, to show every page as people will see it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from docalign_actors.applications.views import AppDeliveryView, AppView, SubscriptionView
from docalign_actors.scans.views import (
    FindingView,
    HealthPointView,
    HealthView,
    IncidentView,
    PauseView,
    RepoView,
    RunView,
    SuppressionView,
)
from docalign_actors.supervision import ActorInfo
from docalign_actors.watch.views import CircuitMoveView, CircuitView, ScheduleView, TroubledView

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
SHA = "3f2a9c81d07be64455a1c9f0e2b7d8846a10cc57"
OTHER_SHA = "b81d5520e6f3a47c99de01b2c3d4e5f60718293a"
XSS = """"'><script>alert(1)</script><img src=x onerror=alert(2)>javascript:alert(3)&amp;\u202etxt.exe\x00"""


def uid(number: int) -> UUID:
    return UUID(int=0x018F00000000700080000000 << 32 | number)


def ago(**length: float) -> datetime:
    return NOW - timedelta(**length)


def repo(number: int = 1, **changes: Any) -> RepoView:
    values: dict[str, Any] = {
        "id": uid(number), "url": f"/srv/git/project-{number}.git", "name": f"project-{number}", "host": "git", "organisation": "local",
        "status": "active", "default_branch": "main", "head_sha": SHA, "health_score": 96, "claims_total": 412, "claims_verified": 380,
        "claims_drifted": 12, "last_full_scan_at": ago(hours=3), "last_error": "", "created_at": ago(days=40),
    }  # fmt: skip
    return RepoView(**{**values, **changes})


def schedule(repo: UUID, said: str) -> ScheduleView:
    return ScheduleView(
        repo_id=repo, check="every 5 minutes", full="weekly on sunday at 04:30", own_check=False, own_full=True, elsewhere=False,
        next_check_at=NOW + timedelta(minutes=3), next_full_at=NOW + timedelta(days=2), last_look_at=ago(minutes=2), last_head=SHA,
        last_branch=said, last_error=said,
    )  # fmt: skip


def circuit(repo: UUID, said: str, state: str = "closed") -> CircuitView:
    if state == "closed":
        return CircuitView(
            repo_id=repo, state=state, failures=0, opens_at=5, since=None, open_until=None, error_code="", error=""
        )
    moves = [
        CircuitMoveView(id=n, at=ago(hours=9 - n), before=before, after=after, cause=said, failures=5, error_code=said, error=said)
        for n, (before, after) in enumerate((("half_open", "open"), ("open", "half_open"), ("closed", "open")))
    ]  # fmt: skip
    return CircuitView(
        repo_id=repo, state=state, failures=6, opens_at=5, since=ago(minutes=9), open_until=NOW + timedelta(minutes=21),
        error_code=said, error=said, history=moves,
    )  # fmt: skip


def troubled(repo: UUID, name: str, said: str) -> TroubledView:
    return TroubledView(
        repo_id=repo, name=name, state="open", failures=6, open_until=NOW + timedelta(minutes=21), error_code="DOCALIGN_E106",
        error=said, changed_at=ago(minutes=9),
    )  # fmt: skip


def run(number: int = 100, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "id": uid(number), "position": number, "repo_id": uid(1), "repo_name": "project-1", "type": "full", "trigger": "manual",
        "status": "completed", "pr_number": None, "base_ref": "", "commit_sha": SHA, "requested_by": "ada", "attempt": 1, "repairs": 0,
        "stage": "reporting", "cancel_requested_at": None, "cancel_reason": "", "superseded_by": None, "last_error_code": "",
        "last_error": "", "claims_checked": 412, "claims_verified": 380, "claims_drifted": 12, "claims_uncertain": 20,
        "total_duration_ms": 4210, "created_at": ago(minutes=9), "started_at": ago(minutes=8), "completed_at": ago(minutes=7),
    }  # fmt: skip
    return RunView(**{**values, **changes})


def running(number: int, stage: str, done: int = 0, total: int = 0, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "status": "running", "stage": stage, "stage_done": done, "stage_total": total, "completed_at": None, "attempt": 0,
        "started_at": ago(seconds=42), "claims_checked": 0, "claims_verified": 0, "claims_drifted": 0, "claims_uncertain": 0,
        "total_duration_ms": 0,
    }  # fmt: skip
    return run(number, **{**values, **changes})


def queued(number: int, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "status": "queued",
        "stage": "",
        "started_at": None,
        "completed_at": None,
        "attempt": 0,
        "total_duration_ms": 0,
    }
    return run(number, **{**values, "claims_checked": 0, "claims_drifted": 0, **changes})


def failed(number: int, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "status": "failed", "stage": "fetch", "attempt": 3, "last_error_code": "DOCALIGN_E106", "claims_checked": 0, "claims_drifted": 0,
        "last_error": "Git could not fetch from https://git.example.org/team/gone.git: the repository was not found.",
    }  # fmt: skip
    return run(number, **{**values, **changes})


def finding(number: int = 1, **changes: Any) -> FindingView:
    source = "Run `make lint-all` before you push; `make lint-all --fix` repairs most of it."
    values: dict[str, Any] = {
        "id": f"a{number:011x}", "rule": "missing-script", "kind": "script", "severity": "high", "confidence": 0.98,
        "file": "docs/contributing.md", "line": 31, "column": 6, "claim": "make lint-all",
        "message": "`lint-all` is not a target of the Makefile any more", "new": True,
        "evidence": [{"file": "Makefile", "line": 12, "commit": OTHER_SHA, "text": "defined until `b81d5520e6`"},
                     {"file": "Makefile", "line": 14, "commit": None, "text": "`lint` is defined now"}],
        "mentions": [
            {"file": "docs/contributing.md", "line": 31, "column": 6, "text": "make lint-all", "source": source, "replacement": "make lint", "safe": True},
            {"file": "docs/contributing.md", "line": 31, "column": 39, "text": "make lint-all", "source": source, "replacement": "make lint", "safe": True},
            {"file": "README.md", "line": 88, "column": 3, "text": "make lint-all", "source": "$ make lint-all", "replacement": "make lint"},
        ],
        "fix": {"replacement": "make lint", "safe": True},
    }  # fmt: skip
    return FindingView(**{**values, **changes})


def health(scores: list[int | None], repo_id: UUID | None = None, trend: str = "improving") -> HealthView:
    """`scores` are given oldest first; the view has them newest first."""
    points = [
        HealthPointView(
            at=ago(days=len(scores) - n),
            run_id=None,
            score=score,
            total=412,
            verified=380,
            drifted=400 - 4 * (score or 0),
        )
        for n, score in enumerate(scores)
    ]
    return HealthView(
        repo_id=repo_id or uid(1), score=scores[-1] if scores else None, trend=trend, history=points[::-1]
    )


def suppression(number: int = 1, **changes: Any) -> SuppressionView:
    values: dict[str, Any] = {
        "id": uid(900 + number), "repo_id": uid(1), "scope": "claim", "value": f"a{number:011x}", "reason": "a placeholder", "origin": "comment",
        "about": "`README.md:88`: `make lint-all` is not a target of the Makefile any more.", "created_by": "will",
        "created_at": ago(days=3), "expires_at": None,
    }  # fmt: skip
    return SuppressionView(**{**values, **changes})


def pause(number: int = 0, **changes: Any) -> PauseView:
    values: dict[str, Any] = {"number": number, "paused_by": "mia", "paused_at": ago(hours=2), "reason": "we move"}
    return PauseView(**{**values, **changes})


def actor(name: str, parent: str = "supervisor", **changes: Any) -> ActorInfo:
    values: dict[str, Any] = {
        "name": name, "parent": parent, "kind": "RepoActor", "state": "running", "depth": 0, "oldest": 0.0, "under_way": "",
        "under_way_for": 0.0, "restarts": 0, "last_error": "", "started_at": ago(hours=5),
    }  # fmt: skip
    return ActorInfo(**{**values, **changes})


def incident(number: int = 1, **changes: Any) -> IncidentView:
    values: dict[str, Any] = {
        "id": number, "actor": "worker-pool", "kind": "failed", "error": "OperationalError: the connection is closed\n  at line 12\n  at line 99",
        "trace": "9f3c1a20b7d84e55", "at": ago(minutes=17),
    }  # fmt: skip
    return IncidentView(**{**values, **changes})


def app(number: int = 1, **changes: Any) -> AppView:
    values: dict[str, Any] = {
        "id": uid(700 + number), "name": f"reader-{number}", "url": f"https://reader-{number}.example.org/docalign", "secret_generation": 1,
        "secret_rotated_at": ago(days=12), "created_by": "ada", "created_at": ago(days=12), "token_last_used_at": ago(minutes=4),
        "subscriptions": 2, "failed": 0,
    }  # fmt: skip
    return AppView(**{**values, **changes})


def subscription(number: int = 1, **changes: Any) -> SubscriptionView:
    values: dict[str, Any] = {
        "id": uid(720 + number), "app_id": uid(701), "repo_id": uid(1), "repo_name": "docalign-actors", "branch": "", "paths": [],
        "events": ["file.created", "file.updated"], "status": "active", "phase": "following", "commit": SHA, "sequence": 412, "behind": 0,
        "waiting": 0, "files": 87, "failure": "", "answer": "", "failed_at": None, "created_at": ago(days=12),
    }  # fmt: skip
    return SubscriptionView(**{**values, **changes})


def app_delivery(number: int = 1, **changes: Any) -> AppDeliveryView:
    values: dict[str, Any] = {
        "id": uid(740 + number), "position": number, "app_id": uid(701), "subscription_id": uid(721), "repo_id": uid(1), "sequence": number,
        "event": "file.updated", "name": "docs/guide.md", "previous_name": "", "chunk": 1, "chunks": 1, "status": "delivered", "attempts": 1,
        "error": "", "answer": "", "created_at": ago(minutes=6), "ended_at": ago(minutes=5),
    }  # fmt: skip
    return AppDeliveryView(**{**values, **changes})
