"""The task queue of the real service, killed again and again under load: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.outbound.receiver import Receiver
from tests.support.service import ServiceProcess

TASKS = 120
KILLS = 3
PATIENCE = 100.0


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    made = ServiceProcess(tmp_path / "data", DOCALIGN_OUTBOUND_ALLOW_PRIVATE="true", DOCALIGN_OUTBOUND_SECRET="s")
    yield made
    made.kill()
    made.wait_until_nothing_is_left()


class Load:
    """Producers and workers who go on whatever happens to the service."""

    def __init__(self, service: ServiceProcess, webhook: str) -> None:
        self.service = service
        self.webhook = webhook
        self.end = time.monotonic() + PATIENCE
        self.accepted: dict[int, str] = {}
        self.completed: Counter[str] = Counter()
        self.enough = threading.Event()
        self.progress = threading.Condition()

    def produce(self, first: int) -> None:
        for number in range(first, TASKS, 2):
            body = {
                "command": "X", "payload": number, "idempotencyKey": f"k{number}", "maxAttempts": 100, "webhook": self.webhook,
            }  # fmt: skip
            while number not in self.accepted and time.monotonic() < self.end:
                status, task = self.service.call("POST", "/v1/codeq/tasks", body)
                if status == 202:
                    self.accepted[number] = task["id"]
                else:
                    self.enough.wait(0.02)

    def work(self) -> None:
        while not self.enough.is_set() and time.monotonic() < self.end:
            body = {"commands": ["X"], "leaseSeconds": 2, "waitSeconds": 1}
            status, task = self.service.call("POST", "/v1/codeq/tasks/claim", body)
            if status != 200:
                self.enough.wait(0.02)
                continue
            result = {"status": "COMPLETED", "result": {"payload": task["payload"]}}
            status, _ = self.service.call("POST", f"/v1/codeq/tasks/{task['id']}/result", result)
            if status == 200:
                with self.progress:
                    self.completed[task["id"]] += 1
                    self.progress.notify_all()

    def wait_for(self, count: int) -> None:
        with self.progress:
            self.progress.wait_for(lambda: len(self.completed) >= count, PATIENCE)


@pytest.mark.timeout(240)
def test_tasks_survive_kill_9_under_load(service: ServiceProcess) -> None:
    with Receiver() as receiver:
        service.start()
        load = Load(service, receiver.url)
        threads = [threading.Thread(target=load.produce, args=(n,)) for n in range(2)]
        threads += [threading.Thread(target=load.work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for kill in range(KILLS):
            load.wait_for((kill + 1) * TASKS // (KILLS + 2))
            service.kill()
            service.wait_until_nothing_is_left()
            service.start()
        done = _until_all_ended(load)
        load.enough.set()
        for thread in threads:
            thread.join(30)
        assert len(load.accepted) == TASKS
        assert len(set(load.accepted.values())) == TASKS
        assert done == {"COMPLETED": TASKS}
        # An answer may be lost with the process, but no task is ever accepted as completed twice.
        assert set(load.completed) <= set(load.accepted.values())
        assert max(load.completed.values()) == 1
        told = receiver.wait_for(TASKS)
        _all_told(receiver, set(load.accepted.values()))
        assert all(headers["x-codeq-signature"] for headers, _ in told)


def _until_all_ended(load: Load) -> dict[str, int]:
    """Looks at another process, which tells nobody."""
    while time.monotonic() < load.end:
        status, stats = load.service.get("/v1/codeq/admin/queues/X")
        if (
            len(load.accepted) == TASKS
            and status == 200
            and not any(stats[n] for n in ("ready", "delayed", "inProgress"))
        ):
            break
        load.enough.wait(0.1)
    counts: Counter[str] = Counter()
    for task in load.accepted.values():
        _, found = load.service.get(f"/v1/codeq/tasks/{task}/result")
        counts[_status(found)] += 1
    return dict(counts)


def _status(found: Any) -> str:
    return found["task"]["status"] if isinstance(found, dict) and "task" in found else str(found)


def _all_told(receiver: Receiver, tasks: set[str]) -> None:
    with receiver.changed:
        assert receiver.changed.wait_for(lambda: {json.loads(body)["taskId"] for _, body in receiver.got} >= tasks, 30)
