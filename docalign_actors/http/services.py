"""What the HTTP side is given to work with. `app.py` puts it together; nothing here is made or found by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.agent_tasks.assembly import TaskQueue
from docalign_actors.applications.keys import MasterKey
from docalign_actors.clock import Clock
from docalign_actors.github.payloads import Taken
from docalign_actors.github.views import Rate
from docalign_actors.http.bearers import Bearers
from docalign_actors.persistence.agent_task_views import TaskViews
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.github_fixes import Asked, PostgresFixes
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.tokens import TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.persistence.watch import PostgresWatchStore
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.kinds import Secret
from docalign_actors.supervision.directory import DeadLetters
from docalign_actors.supervision.snapshot import ActorInfo, FamilyInfo
from docalign_actors.telemetry.stream import EventStream


class HttpSettings(Struct, frozen=True, kw_only=True):
    """Where the service listens and what it puts up with."""

    host: str = "127.0.0.1"
    port: int = 8080
    public_url: str = ""
    """The address that people use, where a proxy stands before the service: https://docs.example.org"""
    allowed_hosts: tuple[str, ...] = ()
    """Further names that requests may carry in their Host header."""
    body_limit: int = 65_536
    body_seconds: float = 10.0
    answer_seconds: float = 10.0
    """How long a request waits for the actors."""
    session_hours: float = 12.0
    streams: int = 200
    """How many live streams may be open at once."""
    keep_alive: float = 15.0
    """Seconds of silence on a live stream after which a comment is sent."""
    send_seconds: float = 20.0
    """How long a reader may keep a live stream from being written to."""
    token_cache_seconds: float = 5.0


class Actors(Protocol):
    """What is asked of the actor system."""

    @property
    def dead_letters(self) -> DeadLetters: ...
    def snapshot(self) -> list[ActorInfo]: ...
    def families(self) -> list[FamilyInfo]: ...
    def stack(self, name: str) -> str: ...
    def healthy(self) -> list[str]: ...
    def tell(self, name: str, message: object, *, trace: str = "") -> None: ...


class TaskServices(Struct, frozen=True):
    """What the routes of the task queue use."""

    queue: TaskQueue
    views: TaskViews
    outbox: PostgresOutbox
    post: Callable[[], None] = lambda: None
    """Tells that there may be something to send."""
    lease: float = 300.0
    longest_lease: float = 3_600.0
    keep_days: int = 30
    """For how long tasks that have ended are kept."""
    bearers: Bearers | None = None
    """Tokens that somebody else signed, where they are taken."""


class CredentialStore(Protocol):
    """Credentials that operators gave for single repositories."""

    def put(self, repo: UUID, user: str, password: str) -> None: ...
    def user_of(self, repo: UUID) -> str | None:
        """The name; None where there are no credentials."""
        ...

    def remove(self, repo: UUID) -> bool: ...


class WatchServices(Struct, frozen=True):
    """What the routes of schedules, circuits and credentials use."""

    store: PostgresWatchStore
    credentials: CredentialStore
    look_around: Callable[[], None] = lambda: None
    """Tells the watcher that something may be due."""


class AppServices(Struct, frozen=True):
    """What the routes of applications use."""

    store: ApplicationStore
    log: DeliveryLog
    key: MasterKey
    trees: Contents
    allow_private: bool = False
    fetch_bytes: int = 64 * 2**20


class Contents(Protocol):
    """Gives the contents of files."""

    def stream(self, repo: RepoId, blob: str, limit: int) -> Iterator[bytes] | None: ...


class Webhooks(Struct, frozen=True):
    """The GitHub App, as far as its webhook and its page go. `secrets`: the current one, and the one before it."""

    app_id: int
    secrets: tuple[Secret, ...]
    keep: Callable[[Taken], Future[bool]]
    """Writes a delivery down; the answer comes when that is committed."""
    body_limit: int = 25_000_000
    rate: Callable[[int], Rate | None] = lambda _: None
    """What GitHub last said about an installation's limit."""
    ignored: Callable[[], Sequence[tuple[str, int]]] = tuple
    """Events that did not concern us, by name, since this start."""
    wake: Callable[[], None] = lambda: None
    """There may be something to carry out, or to tell."""


class FixServices(Struct, frozen=True):
    """Fixes, where there is a GitHub App. It is `github.ports.FixDesk`: what is asked for is begun at once."""

    store: PostgresFixes
    told: Callable[[], None] = lambda: None
    """Tells that there is something to do."""

    def ask_fix(self, repo: RepoId, pull: int | None, findings: tuple[str, ...], asked_by: str, source: str) -> bool:
        asked = self.ask(repo, pull, findings, asked_by, source)
        return asked is not None and asked.new

    def ask(
        self, repo: RepoId, pull: int | None, findings: tuple[str, ...], asked_by: str, source: str
    ) -> Asked | None:
        """The same, with the id of the fix; None if the repository is not GitHub's."""
        asked = self.store.ask(repo, pull, findings, asked_by, source)
        if asked is not None and asked.new:
            self.told()
        return asked


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that the routes use."""

    triggers: TriggerService
    system: Actors
    database: Database
    tokens: TokenStore
    repos: RepoStore
    views: Views
    events: EventStream
    metrics: Callable[[], bytes]
    """All figures, in Prometheus' text format."""
    clock: Clock
    settings: HttpSettings = field(default_factory=HttpSettings)
    ready: Callable[[], Sequence[str]] = lambda: ()
    """Reasons why the service is not ready; none if it is. May take a moment: it is asked in a thread of its own."""
    webhooks: Webhooks | None = None
    """None where there is no GitHub App."""
    fixes: FixServices | None = None
    """None where there is no GitHub App."""
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the service begins to stop: streams end, and it is no longer ready."""
    tasks: TaskServices | None = None
    """The task queue, if there is one."""
    watch: WatchServices | None = None
    """Schedules and circuits, where repositories are watched."""
    apps: AppServices | None = None
    """Applications, if there can be any."""
