"""What the fake GitHub remembers. Every object has the number of the write that made it, so that a stale read can be made."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from docalign_actors.demo.github.gitstore import GitStore
from docalign_actors.github.requirements import EVENTS

DEFAULT_PERMISSIONS = {
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
}
API_HOUR = 5_000


class Clock:
    """The machine's clock, moved forward by hand."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def advance(self, seconds: float) -> None:
        self.ahead += timedelta(seconds=seconds)


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class App:
    id: int
    slug: str
    name: str
    private_key: str
    public_key: str
    owner: str = "docalign"
    permissions: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_PERMISSIONS))
    events: list[str] = field(default_factory=lambda: list(EVENTS))

    @property
    def bot(self) -> dict[str, Any]:
        return {"login": f"{self.slug}[bot]", "id": 9_000_000 + self.id, "type": "Bot"}

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id, "slug": self.slug, "name": self.name, "owner": {"login": self.owner},
            "html_url": f"https://github.example.org/apps/{self.slug}", "permissions": self.permissions, "events": self.events,
        }  # fmt: skip


@dataclass
class Installation:
    id: int
    account: str
    app: App
    permissions: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_PERMISSIONS))
    repositories: list[str] = field(default_factory=list)
    suspended: bool = False
    used: int = 0
    window_ends: float = 0.0

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "app_id": self.app.id,
            "app_slug": self.app.slug,
            "account": {"login": self.account, "id": self.id * 10, "type": "Organization"},
            "permissions": self.permissions,
            "events": ["pull_request", "push"],
            "repository_selection": "selected",
            "suspended_at": "2026-01-01T00:00:00Z" if self.suspended else None,
        }


@dataclass
class Comment:
    id: int
    seq: int
    body: str
    user: dict[str, Any]
    number: int
    created: str
    updated: str
    via: App | None = None
    review: dict[str, Any] | None = None
    """Of a review comment: path, line, side, commit."""
    reactions: list[dict[str, Any]] = field(default_factory=list)

    def json(self, base: str) -> dict[str, Any]:
        kind = "pulls" if self.review is not None else "issues"
        return {
            "id": self.id, "body": self.body, "user": self.user, "created_at": self.created, "updated_at": self.updated,
            "url": f"{base}/{kind}/comments/{self.id}", "issue_url": f"{base}/issues/{self.number}",
            "html_url": f"{base}/pull/{self.number}#issuecomment-{self.id}",
            "performed_via_github_app": self.via.json() if self.via else None, **(self.review or {}),
            "reactions": {c: sum(r["content"] == c for r in self.reactions) for c in ("+1", "-1", "eyes", "rocket", "confused")},
        }  # fmt: skip


@dataclass
class Review:
    id: int
    seq: int
    body: str
    user: dict[str, Any]
    number: int
    commit: str
    submitted: str

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id, "state": "COMMENTED", "body": self.body, "user": self.user, "commit_id": self.commit,
            "submitted_at": self.submitted,
        }  # fmt: skip


@dataclass
class CheckRun:
    id: int
    seq: int
    name: str
    head_sha: str
    app: App
    external_id: str = ""
    status: str = "queued"
    conclusion: str | None = None
    details_url: str = ""
    title: str = ""
    summary: str = ""
    text: str = ""
    annotations: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    """Every status that it was given, and the title beside it."""

    def json(self, base: str) -> dict[str, Any]:
        return {
            "id": self.id, "name": self.name, "head_sha": self.head_sha, "external_id": self.external_id,
            "status": self.status, "conclusion": self.conclusion, "details_url": self.details_url,
            "url": f"{base}/check-runs/{self.id}", "html_url": f"{base}/runs/{self.id}", "app": self.app.json(),
            "pull_requests": [], "output": {
                "title": self.title or None, "summary": self.summary or None, "text": self.text or None,
                "annotations_count": len(self.annotations), "annotations_url": f"{base}/check-runs/{self.id}/annotations",
            },
        }  # fmt: skip


@dataclass
class Pull:
    number: int
    seq: int
    title: str
    author: str
    base_ref: str
    head_ref: str
    head_repo: str
    heads: list[tuple[int, str]]
    """The heads that it has had, each with the number of the write."""
    created: str
    updated: str
    state: str = "open"
    draft: bool = False
    merged: bool = False
    body: str = ""

    @property
    def head(self) -> str:
        return self.heads[-1][1]

    def head_at(self, seq: int | None) -> str:
        seen = [sha for number, sha in self.heads if seq is None or number <= seq]
        return seen[-1] if seen else self.heads[0][1]


@dataclass
class Repository:
    id: int
    full_name: str
    git: GitStore
    private: bool = True
    archived: bool = False
    default_branch: str = "main"
    pulls: dict[int, Pull] = field(default_factory=dict)
    checks: dict[int, CheckRun] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    review_comments: dict[int, Comment] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    protected: set[str] = field(default_factory=set)
    """Branches that nobody may push to."""
    dispatches: list[dict[str, Any]] = field(default_factory=list)
    dispatch_status: int = 204
    roles: dict[str, str] = field(default_factory=dict)
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def owner(self) -> str:
        return self.full_name.partition("/")[0]

    @property
    def name(self) -> str:
        return self.full_name.partition("/")[2]


@dataclass
class Token:
    value: str
    installation: Installation
    expires: datetime


@dataclass
class Delivery:
    """One event of one App's hook, with every attempt to deliver it."""

    id: int
    guid: str
    event: str
    action: str | None
    body: bytes
    installation_id: int | None
    at: str
    status: str = "pending"
    code: int = 0
    attempts: int = 0
    redelivery: bool = False
    listed: bool = True
    """Whether the API knows it. What was lost after our own answer, or never sent, is not there."""

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id, "guid": self.guid, "delivered_at": self.at, "redelivery": self.redelivery, "duration": 0.1,
            "status": "OK" if self.code // 100 == 2 else f"failed to connect ({self.code})", "status_code": self.code,
            "event": self.event, "action": self.action, "installation_id": self.installation_id, "repository_id": None,
        }  # fmt: skip
