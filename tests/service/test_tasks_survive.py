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
KILLS = 4
BATCH = 5
PATIENCE = 100.0


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    made = ServiceProcess.prepared(
        tmp_path / "data", DOCALIGN_OUTBOUND_ALLOW_PRIVATE="true", DOCALIGN_OUTBOUND_SECRET="s"
    )
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
        """One by one, or several in a request."""
        for number in range(first, TASKS, 2 * BATCH):
            batch = [
                {"command": "X", "payload": n, "idempotencyKey": f"k{n}", "maxAttempts": 100, "webhook": self.webhook}
                for n in range(number, min(number + 2 * BATCH, TASKS), 2)
            ]
            while any(one["payload"] not in self.accepted for one in batch) and time.monotonic() < self.end:
                if first:
                    for body in batch:
                        self._accept(*self.service.call("POST", "/v1/codeq/tasks", body))
                else:
                    status, answer = self.service.call("POST", "/v1/codeq/tasks/batch", {"tasks": batch})
                    for one in answer["results"] if status == 200 else ():
                        self._accept(202 if "task" in one else 500, one.get("task"))

    def _accept(self, status: int, task: Any) -> None:
        if status == 202:
            self.accepted[int(task["payload"])] = task["id"]
        else:
            self.enough.wait(0.02)

    def work(self) -> None:
        while not self.enough.is_set() and time.monotonic() < self.end:
            body = {"commands": ["X"], "leaseSeconds": 2, "waitSeconds": 1}
            status, task = self.service.call("POST", "/v1/codeq/tasks/claim", body)
            if status != 200:
                self.enough.wait(0.02)
            elif self._end(task):
                with self.progress:
                    self.completed[task["id"]] += 1
                    self.progress.notify_all()

    def _end(self, task: dict[str, Any]) -> bool:
        """Every way in which a delivery can go; whether the task was accepted as ended."""
        address, way, first = f"/v1/codeq/tasks/{task['id']}", int(task["payload"]) % 6, task["attempts"] == 1
        result = {"status": "COMPLETED", "result": {"payload": task["payload"]}}
        if way == 0 and first:
            self.service.call("POST", f"{address}/nack", {"delaySeconds": 1, "reason": "not now"})
            return False
        if way == 1 and first:
            self.service.call("POST", f"{address}/abandon", {})
            return False
        if way == 2:
            self.service.call("POST", f"{address}/heartbeat", {"extendSeconds": 3})
        if way == 3:
            body = {"results": [{"taskId": task["id"], **result}]}
            status, answer = self.service.call("POST", "/v1/codeq/tasks/batch/results", body)
            return status == 200 and "result" in answer["results"][0]
        if way == 4:
            result = {"status": "FAILED", "error": "it cannot be done"}
        return self.service.call("POST", f"{address}/result", result)[0] == 200

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
        assert done == {"COMPLETED": TASKS - TASKS // 6, "FAILED": TASKS // 6}
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
