"""A scan of the real service that waits for agents, killed at each point of its way: nothing is lost, nothing done twice."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.repository import Repository
from tests.support.service import ServiceProcess

FILES: dict[str, str | bytes] = {
    "README.md": "# Tool\n\nThe `max_retries` setting is read by the client.\n",
    "src/client.py": "class Client:\n    def __init__(self, max_retries=3):\n        self.max_retries = max_retries\n",
}
WRITTEN = (
    "# Tool\n\nThe `max_retries` setting is read by the client.\n\n"
    "Call `connect_quickly` on the connection to begin.\n\nRequests that fail are retried and then written to disk.\n"
)
CITED = {"file": "src/use.py", "line": 2, "quote": "return conn.connect_quickly"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    made = ServiceProcess.prepared(tmp_path / "data", DOCALIGN_AGENTS_ENABLED="true")
    yield made
    made.kill()
    made.wait_until_nothing_is_left()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    return Repository(root, FILES)


class Worker:
    """An agent with a token of its own, which outlives the service."""

    def __init__(self, service: ServiceProcess) -> None:
        self.service = service
        said = service.docalign("token", "create", "--role", "worker", "--name", "agent")
        self.token = next(word for word in said.split() if len(word) > 30 and "/" not in word)

    def call(self, path: str, body: Any) -> tuple[int, Any]:
        handle = self.service.handle()
        assert handle is not None
        connection = http.client.HTTPConnection(handle["address"].removeprefix("http://"), timeout=40)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request("POST", f"/v1/codeq{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, json.loads(data) if data else None

    def claim(self) -> dict[str, Any]:
        status, task = self.call("/tasks/claim", {"leaseSeconds": 600, "waitSeconds": 30})
        assert status == 200, task
        found: dict[str, Any] = task
        return found

    def hand_in(self, task: dict[str, Any], result: dict[str, Any]) -> tuple[int, Any]:
        return self.call(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": result})


def killed(service: ServiceProcess) -> None:
    service.kill()
    service.wait_until_nothing_is_left()
    service.start()


def ask(service: ServiceProcess, repository: Repository) -> str:
    service.start("--register", str(repository.root))
    service.until(
        lambda: service.get("/api/scans")[1]["items"]
    )  # it answers before what it is to register is registered
    (first,) = service.get("/api/scans")[1]["items"]
    service.wait_for_end(first["id"])
    base = repository.git("rev-parse", "HEAD").strip()
    repository.git("checkout", "-q", "-b", "feature")
    repository.write({"README.md": WRITTEN, "src/use.py": "def use(conn):\n    return conn.connect_quickly\n"}).commit(
        "x"
    )
    head = repository.git("rev-parse", "HEAD").strip()
    asked = {"type": "pr", "number": 7, "base": base, "head": head}
    _, answer = service.call("POST", f"/api/repos/{first['repo_id']}/scans", asked)
    run: str = answer["scan_run_id"]
    service.until(lambda: service.get(f"/api/scans/{run}")[1]["stage"] == "agents")
    return run


@pytest.mark.timeout(240)
def test_a_scan_that_waits_survives_kill_9_at_each_point_of_its_way(
    service: ServiceProcess, repository: Repository
) -> None:
    run = ask(service, repository)
    worker = Worker(service)
    killed(service)  # while it waits
    waiting = service.get(f"/api/scans/{run}")[1]
    assert (waiting["status"], waiting["stage"], waiting["agent_tasks"]) == ("queued", "agents", 2)
    assert waiting["waits_until"] > waiting["waited_since"]
    tasks = {task["command"]: task for task in (worker.claim(), worker.claim())}
    assert worker.hand_in(tasks["verification"], {"verdict": "no"})[0] == 422
    killed(service)  # while an agent works
    assert worker.hand_in(tasks["claim_extraction"], {"type": "claim_extraction", "claims": []})[0] == 200
    killed(service)  # when the first answer is in
    assert service.get(f"/api/scans/{run}")[1]["agent_tasks_done"] == 1
    result = {
        "type": "verification", "verdict": "drifted", "confidence": 0.9, "reasoning": "It is no method.", "evidence": [CITED],
    }  # fmt: skip
    assert worker.hand_in(tasks["verification"], result)[0] == 200
    killed(service)  # when the last answer is in, and it goes on or has just ended
    ended = service.wait_for_end(run)
    assert (ended["status"], ended["claims_drifted"], ended["agent_tasks"]) == ("completed", 1, 2)
    (finding,) = service.get(f"/api/scans/{run}/findings")[1]["items"]
    assert (finding["claim"], finding["decided_by"]) == ("connect_quickly", "agent")
    figures = service.get("/v1/codeq/admin/queues")[1]
    assert not any(one["ready"] or one["inProgress"] or one["delayed"] for one in figures)
    assert worker.hand_in(tasks["verification"], result)[0] == 409
