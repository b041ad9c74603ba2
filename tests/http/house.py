"""A whole HTTP side for tests, with the people who use it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

import httpx2
from starlette.testclient import TestClient

from docalign_actors.applications.keys import MasterKey
from docalign_actors.clock import SystemClock
from docalign_actors.hosts.belongings import Belongings
from docalign_actors.hosts.credentials import CredentialFiles
from docalign_actors.http.server import Pages, make_app
from docalign_actors.http.services import AppServices, HttpSettings, Services, WatchServices
from docalign_actors.ids import new_id
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.persistence.watch import PostgresWatchStore
from docalign_actors.scans.admission import run_of
from docalign_actors.scans.model import RepoId, Request, RunId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.circuit import Rules
from docalign_actors.watch.deciding import Numbers

NAMES = {
    Role.ADMIN: "ada", Role.OPERATOR: "olga", Role.VIEWER: "viktor", Role.WORKER: "wim", Role.SUBSCRIBER: "sven"
}  # fmt: skip


class HandClock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = datetime(2030, 1, 1, 12, tzinfo=UTC)
        self.ticks = 1_000.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.ticks

    def pass_time(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds


class Listener(Actor):
    """Stands for the repositories' actors: remembers what it is told."""

    heard: ClassVar[list[tuple[str, object]]] = []
    rung: ClassVar = threading.Condition()

    def receive(self, message: object) -> None:
        with self.rung:
            self.heard.append((self.context.name, message))
            self.rung.notify_all()


class Nothing:
    """Contents of no file."""

    def stream(self, repo: RepoId, blob: str, limit: int) -> Iterator[bytes] | None:
        return None


class House:
    """Everything that the application is given, and clients to use it with."""

    def __init__(self, database: Database, settings: HttpSettings | None = None, pages: Pages | None = None) -> None:
        self.database = database
        self.clock = HandClock()
        self.events = EventStream()
        self.system = ActorSystem(self.events, clock=SystemClock(), escalate=lambda name, reason: None)
        self.store = PostgresScanStore(database)
        self.tokens = TokenStore(database, self.clock)
        self.views = Views(database)
        self.reasons: list[str] = []
        self.folder = Path(tempfile.gettempdir()) / f"docalign-house-{new_id()}"  # made when it is needed
        self.credentials = CredentialFiles(self.folder / "credentials")
        self.watch = PostgresWatchStore(database, Numbers(), Rules())
        self.woken = threading.Event()
        self.asked = 0
        self.services = Services(
            triggers=TriggerService(self.store, self.ingest, self.system.tell),
            system=self.system,
            database=database,
            tokens=self.tokens,
            repos=RepoStore(database, lambda repo, running: Belongings(self.folder).forget(repo, running), self.clock),
            views=self.views,
            events=self.events,
            metrics=Metrics(self.events).render,
            clock=self.clock,
            settings=settings or HttpSettings(keep_alive=0.2),
            ready=lambda: self.reasons,
            watch=WatchServices(self.watch, self.credentials, self.woken.set),
            apps=AppServices(
                ApplicationStore(database, self.clock),
                DeliveryLog(database, self.clock),
                MasterKey(b"k" * 32),
                Nothing(),
            ),
        )
        self.app = make_app(self.services, pages)
        self.client = TestClient(self.app, base_url="http://127.0.0.1:8080", raise_server_exceptions=True)
        self._secrets: dict[Role, str] = {}

    def __enter__(self) -> House:
        Listener.heard.clear()
        self.system.family("repo", lambda key: Listener(), Policy())
        self.client.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.__exit__(None, None, None)
        self.system.stop(5.0)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ingest(self, request: Request) -> Future[RunId]:
        """What the ingest actor does, without the batch."""
        self.asked += 1
        answer: Future[RunId] = Future()
        try:
            found = self.store.enqueue([request], [RunId(new_id())], self.clock.now().date(), lambda d: [None] * len(d))
            answer.set_result(run_of(found[0]))
        except Exception as error:
            answer.set_exception(error)
        return answer

    def secret(self, role: Role = Role.ADMIN) -> str:
        if role not in self._secrets:
            self._secrets[role] = self.tokens.create(NAMES[role], role)
        return self._secrets[role]

    def bearer(self, role: Role = Role.ADMIN) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret(role)}"}

    def get(self, path: str, role: Role = Role.VIEWER, **more: Any) -> httpx2.Response:
        return self.send("GET", path, role, **more)

    def post(self, path: str, body: Any = None, role: Role = Role.OPERATOR, **more: Any) -> httpx2.Response:
        return (
            self.send("POST", path, role, json=body, **more)
            if body is not None
            else self.send("POST", path, role, **more)
        )

    def send(self, method: str, path: str, role: Role, **more: Any) -> httpx2.Response:
        headers = {**self.bearer(role), **more.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **more)

    def repo(self, name: str = "project") -> RepoId:
        """A registered repository, without a folder behind it."""
        return RepoId(UUID(self.post("/api/repos", {"url": f"https://github.com/owner/{name}"}).json()["id"]))

    def scan(self, repo: RepoId, **body: Any) -> RunId:
        answer = self.post(f"/api/repos/{repo}/scans", body or {"type": "full"})
        assert answer.status_code == 202, answer.text
        return RunId(UUID(answer.json()["scan_run_id"]))

    def start(self, run: RunId, permit: int = 1) -> UUID:
        """Makes a run running, as its actor would; gives the lease."""
        lease = new_id()
        assert self.store.start(run, permit, lease) is not None
        return lease

    def execute(self, statement: str, **values: Any) -> list[Any]:
        def unit(connection: Any) -> list[Any]:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

        return self.database.run(unit)
