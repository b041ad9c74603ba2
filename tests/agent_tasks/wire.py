"""The wire of the task queue: the real application, a real PostgreSQL, the real broker; time is moved by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import httpx2
from starlette.testclient import TestClient

from docalign_actors.agent_tasks.assembly import assemble as assemble_tasks
from docalign_actors.agent_tasks.messages import Sweep
from docalign_actors.clock import SystemClock
from docalign_actors.http.bearers import bearers_of
from docalign_actors.http.server import Pages, make_app
from docalign_actors.http.services import HttpSettings, Services, TaskServices
from docalign_actors.outbound.actor import assemble as assemble_outbound
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.outbound.messages import Post
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival, Sender
from docalign_actors.persistence.agent_task_views import TaskViews
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.model import TaskSettings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from tests.http.house import HandClock

PATIENCE = 20.0


class Remembering:
    """A sender that keeps what it is given, and answers as it is told."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.sent: list[Letter] = []
        self.answer: Callable[[Letter], Arrival] = lambda _: Arrival()

    def send(self, letter: Letter, now: object) -> Arrival:
        arrival = self.answer(letter)
        with self.changed:
            self.sent.append(letter)
            self.changed.notify_all()
        return arrival

    def wait_for(self, count: int) -> list[Letter]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.sent) >= count, PATIENCE), f"{len(self.sent)} of {count}"
            return list(self.sent)


class WireHouse:
    """Everything between the client and the database."""

    def __init__(
        self,
        database: Database,
        sender: Sender | None = None,
        tasks: TaskSettings | None = None,
        pages: Pages | None = None,
    ) -> None:
        self.database = database
        self.clock = HandClock()
        self.events = EventStream()
        self.system = ActorSystem(self.events, clock=SystemClock(), escalate=lambda name, reason: None)
        self.tokens = TokenStore(database, self.clock)
        self.sender = Remembering()
        self.outbox = PostgresOutbox(database)
        assemble_outbound(self.system, self.outbox, sender or self.sender, self.clock)
        self.store = PostgresTaskStore(database, Backoff(Curve.FIXED))
        queue = assemble_tasks(self.system, self.store, self.clock)
        scans = PostgresScanStore(database)

        def nothing(_: object) -> Any:
            raise AssertionError

        self.services = Services(
            triggers=TriggerService(scans, nothing, self.system.tell), system=self.system, database=database,
            tokens=self.tokens, repos=RepoStore(database), views=Views(database), events=self.events,
            metrics=Metrics(self.events).render, clock=self.clock, settings=HttpSettings(port=0),
            tasks=TaskServices(
                queue, TaskViews(database), self.outbox, self.post, bearers=bearers_of(tasks or TaskSettings(), self.clock)
            ),
        )  # fmt: skip
        self.app = make_app(self.services, pages)
        self.client = TestClient(self.app, base_url="http://127.0.0.1:8080")
        self._secrets: dict[Any, str] = {}

    def __enter__(self) -> WireHouse:
        self.client.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.__exit__(None, None, None)
        self.system.stop(5.0)

    def post(self) -> None:
        self.system.tell("outbound", Post())

    def sweep(self) -> None:
        self.system.tell("task-broker", Sweep())

    def secret(self, role: Role = Role.ADMIN, **more: Any) -> str:
        key = (role, tuple(sorted(more.items())))
        if key not in self._secrets:
            self._secrets[key] = self.tokens.create("wim" if role is Role.WORKER else role.value, role, **more)
        return self._secrets[key]

    def send(
        self, method: str, path: str, body: Any = None, *, role: Role = Role.ADMIN, headers: Any = (), **token: Any
    ) -> httpx2.Response:
        sent = {"Authorization": f"Bearer {self.secret(role, **token)}", **dict(headers)}
        if body is None:
            return self.client.request(method, f"/v1/codeq{path}", headers=sent)
        return self.client.request(method, f"/v1/codeq{path}", headers=sent, json=body)

    def ask(self, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        return self.send("POST", path, body, **more)

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return self.send("GET", path, None, **more)

    def create(self, command: str = "X", **fields: Any) -> dict[str, Any]:
        answer = self.ask("/tasks", {"command": command, "payload": {"n": 1}, **fields})
        assert answer.status_code == 202, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def claim(self, *commands: str, **fields: Any) -> dict[str, Any]:
        answer = self.ask("/tasks/claim", {"commands": list(commands) or ["X"], **fields})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def error_of(answer: Any) -> tuple[int, str]:
    assert list(answer.json()) == ["error"]
    return answer.status_code, answer.json()["error"]
