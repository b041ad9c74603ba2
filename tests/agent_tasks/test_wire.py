"""Each line of the wire, over HTTP, to the letter."""

from __future__ import annotations

import base64
import threading
from typing import Any

import pytest

from docalign_actors.persistence.tokens import Role
from tests.agent_tasks.wire import PATIENCE, WireHouse, error_of

# Producers


def test_a_task_is_accepted_and_given_back(house: WireHouse) -> None:
    answer = house.ask(
        "/tasks", {"command": "GENERATE", "payload": {"a": [1, 2.50]}, "priority": 12, "webhook": "https://x.org/h"}
    )
    assert answer.status_code == 202
    body = answer.json()
    identity = body.pop("id")
    assert len(identity) == 36
    assert body == {
        "command": "GENERATE", "payload": '{"a":[1,2.5]}', "priority": 9, "webhook": "https://x.org/h", "status": "PENDING",
        "lastKnownLocation": "PENDING_LIST", "maxAttempts": 5, "createdAt": "2030-01-01T12:00:00Z",
        "updatedAt": "2030-01-01T12:00:00Z",
    }  # fmt: skip
    assert house.get(f"/tasks/{identity}").json() == {"id": identity, **body}


def test_the_same_key_gives_the_original_task_again(house: WireHouse) -> None:
    assert house.create(idempotencyKey="k")["id"] == house.create("other", idempotencyKey="k")["id"]


def test_a_task_with_a_moment_or_a_delay_waits(house: WireHouse) -> None:
    assert house.create(delaySeconds=5)["lastKnownLocation"] == "DELAYED_ZSET"
    assert house.create(runAt="2030-01-01T13:00:00Z")["lastKnownLocation"] == "DELAYED_ZSET"
    assert house.ask("/tasks/claim", {"commands": ["X"]}).status_code == 204
    house.clock.pass_time(5)
    assert house.claim()["attempts"] == 1


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"payload": 1}, "invalid body: 'command' is required"),
        ({"command": "X"}, "invalid body: 'payload' is required and may not be null"),
        ({"command": "X", "payload": None}, "invalid body: 'payload' is required and may not be null"),
        ({"command": "X", "payload": 1, "runAt": "soon"}, "invalid 'runAt' (use RFC3339)"),
        ({"command": "X", "payload": 1, "delaySeconds": -1}, "invalid 'delaySeconds' (must be >= 0)"),
        ({"command": 7, "payload": 1}, "invalid body: Expected `str`, got `int` - at `$.command`"),
        ([], "invalid body: Expected `object`, got `array`"),
    ],
)
def test_a_wrong_task_is_refused(house: WireHouse, body: Any, text: str) -> None:
    assert error_of(house.ask("/tasks", body)) == (400, text)


def test_a_batch_answers_for_each_task(house: WireHouse) -> None:
    answer = house.ask("/tasks/batch", {"tasks": [{"command": "X", "payload": 1}, {"command": "", "payload": 1}]})
    assert answer.status_code == 200
    first, second = answer.json()["results"]
    assert first["task"]["status"] == "PENDING"
    assert second == {"error": "invalid body: 'command' is required"}


def test_a_batch_has_one_to_a_hundred_tasks(house: WireHouse) -> None:
    task = {"command": "X", "payload": 1}
    assert error_of(house.ask("/tasks/batch", {"tasks": [task] * 101})) == (400, "batch size exceeds maximum of 100")
    assert house.ask("/tasks/batch", {"tasks": []}).status_code == 400
    assert len(house.ask("/tasks/batch", {"tasks": [task] * 100}).json()["results"]) == 100


# Workers


def test_a_claim_gives_a_task_under_a_lease(house: WireHouse) -> None:
    made = house.create()
    got = house.claim()
    assert got["id"] == made["id"]
    assert (got["status"], got["lastKnownLocation"], got["attempts"]) == ("IN_PROGRESS", "INPROG_SET", 1)
    assert got["leaseUntil"] == "2030-01-01T12:05:00Z"
    assert got["workerId"].startswith("admin#")
    assert house.ask("/tasks/claim", {"commands": ["X"]}).status_code == 204
    assert house.ask("/tasks/claim", {}).content == b""


def test_a_claim_may_name_its_lease(house: WireHouse) -> None:
    house.create()
    assert house.claim(leaseSeconds=10)["leaseUntil"] == "2030-01-01T12:00:10Z"


def test_a_batch_of_claims_gives_up_to_ten(house: WireHouse) -> None:
    for _ in range(3):
        house.create()
    answer = house.ask("/tasks/claim/batch", {"commands": ["X"], "count": 10})
    assert len(answer.json()["tasks"]) == 3
    assert house.ask("/tasks/claim/batch", {"commands": ["X"], "count": 10}).status_code == 204
    assert error_of(house.ask("/tasks/claim/batch", {"count": 11})) == (400, "count exceeds maximum of 10")
    assert house.ask("/tasks/claim/batch", {"count": 0}).status_code == 400


def test_a_heartbeat_extends_the_lease(house: WireHouse) -> None:
    house.create()
    task = house.claim(leaseSeconds=10)
    assert house.ask(f"/tasks/{task['id']}/heartbeat", {"extendSeconds": 60}).json() == {"ok": True}
    assert house.get(f"/tasks/{task['id']}").json()["leaseUntil"] == "2030-01-01T12:01:00Z"


def test_a_worker_whose_lease_is_lost_is_told_at_its_next_heartbeat(house: WireHouse) -> None:
    house.create()
    task = house.claim(leaseSeconds=10)
    house.clock.pass_time(10)
    assert error_of(house.ask(f"/tasks/{task['id']}/heartbeat", {})) == (409, "not-in-progress")
    assert error_of(house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": {}})) == (
        409,
        "not-in-progress",
    )
    house.ask("/tasks/claim", {"commands": ["X"]}, role=Role.WORKER)
    assert error_of(house.ask(f"/tasks/{task['id']}/heartbeat", {})) == (403, "not-owner")


def test_an_abandoned_task_is_requeued(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    assert house.ask(f"/tasks/{task['id']}/abandon").json() == {"status": "requeued"}
    assert house.claim()["attempts"] == 2


def test_a_nack_says_what_becomes_of_the_task(house: WireHouse) -> None:
    house.create(maxAttempts=3)
    task = house.claim()
    path = f"/tasks/{task['id']}/nack"
    assert house.ask(path, {"reason": "busy"}).json() == {"status": "requeued", "delaySeconds": 5}
    assert house.get(f"/tasks/{task['id']}").json()["error"] == "busy"
    house.clock.pass_time(5)
    house.claim()
    assert house.ask(path, {"delaySeconds": 7}).json() == {"status": "requeued", "delaySeconds": 7}
    house.clock.pass_time(7)
    house.claim()
    assert house.ask(path, {"delaySeconds": 7, "reason": "no model"}).json() == {"status": "dlq", "delaySeconds": 0}
    dead = house.get(f"/tasks/{task['id']}").json()
    assert (dead["status"], dead["lastKnownLocation"], dead["attempts"]) == ("FAILED", "DLQ_SET", 3)
    assert dead["error"] == "nacked on delivery 3 of 3: no model"


def test_a_completed_task_has_a_result(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    path = f"/tasks/{task['id']}/result"
    assert error_of(house.get(path)) == (404, "result not found")
    record = {"taskId": task["id"], "status": "COMPLETED", "result": {"x": 1.5}, "completedAt": "2030-01-01T12:00:00Z"}
    assert house.ask(path, {"status": "COMPLETED", "result": {"x": 1.5}}).json() == record
    got = house.get(path).json()
    assert got["result"] == record
    assert (got["task"]["status"], got["task"]["lastKnownLocation"]) == ("COMPLETED", "NONE")
    assert got["task"]["resultKey"]
    assert error_of(house.ask(path, {"status": "COMPLETED", "result": {"x": 1.5}})) == (409, "not-in-progress")


def test_a_failed_task_has_an_error(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    got = house.ask(f"/tasks/{task['id']}/result", {"status": "FAILED", "error": "broken"}).json()
    assert (got["status"], got["error"]) == ("FAILED", "broken")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"status": "COMPLETED"}, "result required when status=COMPLETED"),
        ({"status": "FAILED"}, "error required when status=FAILED"),
        ({"status": "PENDING"}, "invalid status"),
        (
            {"status": "COMPLETED", "result": {}, "artifacts": [{"name": "a", "contentBase64": "%"}]},
            "artifact a base64 decode: not base64",
        ),
    ],
)
def test_a_wrong_result_is_refused(house: WireHouse, body: Any, text: str) -> None:
    house.create()
    assert error_of(house.ask(f"/tasks/{house.claim()['id']}/result", body)) == (400, text)


def test_artifacts_come_by_address_or_as_content(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    artifacts = [
        {"name": "log", "url": "https://x.org/log"},
        {"name": "logs/a b.txt", "contentBase64": base64.b64encode(b"hello").decode(), "contentType": "text/plain"},
    ]
    got = house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": {}, "artifacts": artifacts}).json()
    address = f"http://127.0.0.1:8080/v1/codeq/tasks/{task['id']}/artifacts/logs%2Fa%20b.txt"
    assert got["artifacts"] == [{"name": "log", "url": "https://x.org/log"}, {"name": "logs/a b.txt", "url": address}]
    content = house.get(address.partition("/v1/codeq")[2])
    assert content.content == b"hello"
    assert content.headers["content-disposition"].startswith("attachment")


def test_a_batch_of_results_answers_for_each(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    other = "00000000-0000-0000-0000-000000000000"
    results = [
        {"taskId": task["id"], "status": "COMPLETED", "result": {}},
        {"taskId": other, "status": "COMPLETED", "result": {}},
        {"taskId": "x", "status": "FAILED", "error": "e"},
    ]
    got = house.ask("/tasks/batch/results", {"results": results}).json()["results"]
    assert got[0]["result"]["status"] == "COMPLETED"
    assert got[1:] == [{"taskId": other, "error": "task not found"}, {"taskId": "x", "error": "task not found"}]


@pytest.mark.parametrize("action", ["heartbeat", "abandon", "nack"])
def test_what_there_is_not_is_not_found(house: WireHouse, action: str) -> None:
    for identity in ("00000000-0000-0000-0000-000000000000", "nonsense"):
        assert error_of(house.ask(f"/tasks/{identity}/{action}", {})) == (404, "not-found")


def test_reads_of_what_there_is_not_say_so(house: WireHouse) -> None:
    assert error_of(house.get("/tasks/x")) == (404, "not found")
    assert error_of(house.get("/tasks/x/result")) == (404, "task not found")
    assert error_of(house.ask("/tasks/x/result", {"status": "COMPLETED", "result": {}})) == (404, "task not found")
    assert error_of(house.get("/nothing/here")) == (404, "not found")
    assert error_of(house.send("PUT", "/tasks")) == (405, "method not allowed")


# Waiting


def in_background(work: Any) -> tuple[threading.Thread, list[Any]]:
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(work()))
    thread.start()
    return thread, got


def test_a_claim_that_waits_is_served_by_the_next_task(house: WireHouse) -> None:
    thread, got = in_background(lambda: house.ask("/tasks/claim", {"commands": ["X"], "waitSeconds": 30}))
    made = house.create()
    thread.join(PATIENCE)
    assert got[0].json()["id"] == made["id"]


def test_a_reader_that_waits_is_served_by_the_result(house: WireHouse) -> None:
    task = house.claim() if house.create() else {}
    thread, got = in_background(lambda: house.get(f"/tasks/{task['id']}/result?waitSeconds=60"))
    house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": {"done": True}})
    thread.join(PATIENCE)
    assert got[0].json()["result"]["result"] == {"done": True}


def test_a_claim_waits_for_a_delayed_task_and_for_one_that_is_given_back(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    thread, got = in_background(lambda: house.ask("/tasks/claim", {"commands": ["X"], "waitSeconds": 30}))
    house.ask(f"/tasks/{task['id']}/abandon")
    thread.join(PATIENCE)
    assert got[0].json()["id"] == task["id"]


# Admins
