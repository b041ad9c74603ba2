"""Each line of the wire, over HTTP, to the letter."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from docalign_actors.http import api_codeq, api_codeq_admin
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from tests.agent_tasks.wire import PATIENCE, WireHouse
from tests.http.schema import problems_with


@pytest.fixture
def house(database: Database) -> Iterator[WireHouse]:
    with WireHouse(database) as opened:
        yield opened


def error_of(answer: Any) -> tuple[int, str]:
    assert list(answer.json()) == ["error"]
    return answer.status_code, answer.json()["error"]


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


# Tokens


def test_without_a_token_nobody_is_let_in(house: WireHouse) -> None:
    answer = house.client.post("/v1/codeq/tasks", json={})
    assert error_of(answer) == (401, "This needs a token.")


def test_a_role_allows_what_it_is_for(house: WireHouse) -> None:
    task = house.create()
    new = {"command": "X", "payload": 1}
    assert house.ask("/tasks", new, role=Role.OPERATOR).status_code == 202
    assert error_of(house.ask("/tasks", new, role=Role.WORKER)) == (403, "missing scope: the token lacks codeq:produce")
    assert error_of(house.ask("/tasks/claim", {}, role=Role.VIEWER)) == (
        403,
        "missing scope: the token lacks codeq:claim",
    )
    assert house.get(f"/tasks/{task['id']}", role=Role.VIEWER).status_code == 200
    assert error_of(house.get("/admin/queues", role=Role.WORKER)) == (403, "missing scope: the token lacks codeq:admin")


@pytest.mark.parametrize("scope", ["claim", "heartbeat", "abandon", "nack", "result", "subscribe", "admin"])
def test_a_token_with_scopes_may_do_that_and_nothing_else(house: WireHouse, scope: str) -> None:
    paths = {
        "claim": "/tasks/claim", "heartbeat": "/tasks/x/heartbeat", "abandon": "/tasks/x/abandon", "nack": "/tasks/x/nack",
        "result": "/tasks/x/result", "subscribe": "/workers/subscriptions", "admin": "/admin/tasks/cleanup",
    }  # fmt: skip
    for name, path in paths.items():
        answer = house.ask(path, {}, role=Role.WORKER, scopes=(f"codeq:{scope}",))
        assert (answer.status_code == 403) == (name != scope), (name, answer.text)


def test_a_token_claims_its_event_types_only(house: WireHouse) -> None:
    house.create("A"), house.create("B")
    limited: dict[str, Any] = {"role": Role.WORKER, "event_types": ("B",)}
    assert error_of(house.ask("/tasks/claim", {"commands": ["A"]}, **limited)) == (403, "event type not allowed")
    assert house.ask("/tasks/claim", {}, **limited).json()["command"] == "B"
    assert house.ask("/tasks/claim", {}, **limited).status_code == 204


def test_a_tenant_sees_and_touches_nothing_of_another(house: WireHouse) -> None:
    task = house.ask("/tasks", {"command": "X", "payload": 1}, tenant="a").json()
    assert task["tenantId"] == "a"
    assert house.get(f"/tasks/{task['id']}", tenant="b").status_code == 404
    assert house.ask("/tasks/claim", {}, tenant="b").status_code == 204
    assert house.ask("/tasks/claim", {}, tenant="a").status_code == 200
    for action in ("heartbeat", "abandon", "nack"):
        assert error_of(house.ask(f"/tasks/{task['id']}/{action}", {}, tenant="b")) == (404, "not-found")
    assert house.get("/admin/queues", tenant="b").json() == []
    assert house.get("/admin/tasks?status=IN_PROGRESS", tenant="b").json() == {"tasks": []}


def test_workers_that_share_a_token_may_say_who_they_are(house: WireHouse) -> None:
    house.create()
    task = house.ask("/tasks/claim", {}, headers={"X-Worker-Id": "one"}).json()
    assert task["workerId"].endswith("/one")
    path = f"/tasks/{task['id']}/heartbeat"
    assert error_of(house.ask(path, {}, headers={"X-Worker-Id": "two"})) == (403, "not-owner")
    assert house.ask(path, {}, headers={"X-Worker-Id": "one"}).status_code == 200


def test_the_id_of_a_request_is_echoed_or_made(house: WireHouse) -> None:
    assert house.get("/tasks/x", headers={"X-Request-Id": "request-12345"}).headers["x-request-id"] == "request-12345"
    assert len(house.get("/tasks/x").headers["x-request-id"]) == 32


@pytest.mark.parametrize("name", ["7", "a" * 64])
def test_a_short_and_a_long_id_of_a_request_are_echoed(house: WireHouse, name: str) -> None:
    assert house.get("/tasks/x", headers={"X-Request-Id": name}).headers["x-request-id"] == name


def test_health_is_answered_to_anybody(house: WireHouse) -> None:
    assert house.client.get("/healthz").status_code == 200


# Admins


def test_admins_see_how_many_tasks_lie_where(house: WireHouse) -> None:
    for _ in range(2):
        house.create("A")
    house.create("A", delaySeconds=5)
    house.create("B", maxAttempts=1)
    house.claim("A")
    house.ask(f"/tasks/{house.claim('B')['id']}/nack", {})
    a = {"command": "A", "ready": 1, "delayed": 1, "inProgress": 1, "dlq": 0}
    b = {"command": "B", "ready": 0, "delayed": 0, "inProgress": 0, "dlq": 1}
    assert house.get("/admin/queues").json() == [a, b]
    assert house.get("/admin/queues/B").json() == b
    assert house.get("/admin/queues/C").json() == {"command": "C", "ready": 0, "delayed": 0, "inProgress": 0, "dlq": 0}


def test_admins_list_requeue_and_purge(house: WireHouse) -> None:
    made = [house.create(maxAttempts=1)["id"] for _ in range(3)]
    for _ in made:
        house.ask(f"/tasks/{house.claim()['id']}/nack", {})
    first = house.get("/admin/tasks?status=FAILED&limit=2").json()
    assert [task["id"] for task in first["tasks"]] == [made[2], made[1]]
    rest = house.get(f"/admin/tasks?status=FAILED&limit=2&before={first['next']}").json()
    assert [task["id"] for task in rest["tasks"]] == [made[0]]
    assert house.get("/admin/tasks").status_code == 400
    again = house.ask(f"/tasks/{made[0]}/requeue").json()
    assert (again["status"], "attempts" in again) == ("PENDING", False)
    assert error_of(house.ask(f"/tasks/{made[0]}/requeue")) == (409, "not-failed")
    assert house.send("DELETE", "/admin/queues/X/dlq").json() == {"deleted": 2}
    assert house.get(f"/tasks/{made[1]}").status_code == 404


def test_what_ended_can_be_cleaned_up(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": {}})
    kept = house.create()
    house.clock.pass_time(10)
    assert house.ask("/admin/tasks/cleanup", {"before": "nonsense"}).status_code == 400
    answer = house.ask("/admin/tasks/cleanup", {"before": "2030-01-01T12:00:10Z"}).json()
    assert answer == {"deleted": 1, "before": "2030-01-01T12:00:10Z", "limit": 1000}
    assert house.get(f"/tasks/{task['id']}").status_code == 404
    assert house.get(f"/tasks/{kept['id']}").status_code == 200


def test_a_cleanup_that_names_no_moment_leaves_what_is_still_kept(house: WireHouse) -> None:
    house.create()
    task = house.claim()
    house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": {}})
    house.clock.pass_time(30 * 86_400)
    assert house.ask("/admin/tasks/cleanup").json()["deleted"] == 0
    house.clock.pass_time(1)
    assert house.ask("/admin/tasks/cleanup").json() == {"deleted": 1, "before": "2030-01-01T12:00:01Z", "limit": 1000}


def test_a_command_with_a_slash_has_figures_and_dead_letters_of_its_own(house: WireHouse) -> None:
    house.create("docs/verify", maxAttempts=1)
    house.ask(f"/tasks/{house.claim('docs/verify')['id']}/nack", {})
    figures = {"command": "docs/verify", "ready": 0, "delayed": 0, "inProgress": 0, "dlq": 1}
    assert house.get("/admin/queues/docs%2Fverify").json() == figures
    assert house.send("DELETE", "/admin/queues/docs%2Fverify/dlq").json() == {"deleted": 1}


# Callbacks and subscriptions


def test_a_callback_tells_of_every_end(house: WireHouse) -> None:
    hook = "https://x.org/hook"
    for _ in range(3):
        house.create(webhook=hook, maxAttempts=1)
    house.ask(f"/tasks/{house.claim()['id']}/result", {"status": "COMPLETED", "result": {"x": 1}})
    house.ask(f"/tasks/{house.claim()['id']}/result", {"status": "FAILED", "error": "broken"})
    house.ask(f"/tasks/{house.claim()['id']}/nack", {"reason": "no"})
    said = [json.loads(letter.body) for letter in house.sender.wait_for(3)]
    assert [(one["status"], one["error"]) for one in said] == [
        ("COMPLETED", ""), ("FAILED", "broken"), ("FAILED", "nacked on delivery 1 of 1: no")
    ]  # fmt: skip
    assert set(said[0]) == {"taskId", "eventType", "status", "result", "error", "artifacts", "completedAt"}
    assert said[0]["result"] == {"x": 1}


def test_a_subscriber_is_told_that_there_is_work(house: WireHouse) -> None:
    answer = house.ask(
        "/workers/subscriptions", {"callbackUrl": "https://x.org/s", "eventTypes": ["X"], "ttlSeconds": 60}
    )
    assert answer.json()["expiresAt"] == "2030-01-01T12:01:00Z"
    house.create("Y"), house.create("X")
    letter = house.sender.wait_for(1)[0]
    assert (letter.url, '"eventType":"X"' in letter.body) == ("https://x.org/s", True)
    house.create("X")
    house.clock.pass_time(5)
    house.create("X")
    assert len(house.sender.wait_for(2)) == 2
    identity = answer.json()["subscriptionId"]
    assert house.ask(f"/workers/subscriptions/{identity}/heartbeat", {"ttlSeconds": 120}).json() == {
        "subscriptionId": identity, "expiresAt": "2030-01-01T12:02:05Z",
    }  # fmt: skip
    assert error_of(house.ask("/workers/subscriptions/x/heartbeat")) == (404, "not-found")


def test_a_notice_that_falls_into_the_interval_is_sent_when_it_has_passed(house: WireHouse) -> None:
    house.ask("/workers/subscriptions", {"callbackUrl": "https://x.org/s", "minIntervalSeconds": 10})
    house.create("X"), house.create("Y"), house.create("Z")
    house.claim("Z")
    house.sender.wait_for(1)
    house.clock.pass_time(9)
    house.sweep()
    house.create("X")
    assert len(house.sender.wait_for(1)) == 1
    told: list[str] = []
    for count in (2, 3):
        house.clock.pass_time(10)
        house.sweep()
        told = [json.loads(letter.body)["eventType"] for letter in house.sender.wait_for(count)]
    assert told == ["X", "Y", "X"]  # Z was claimed meanwhile: nobody needs to hear of it
    house.clock.pass_time(100)
    house.sweep()
    house.create("X")
    assert len(house.sender.wait_for(4)) == 4


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, "callbackUrl is required"),
        ({"callbackUrl": "https://x", "deliveryMode": "pigeon"}, "invalid deliveryMode"),
        ({"callbackUrl": "https://x", "deliveryMode": "group"}, "groupId is required"),
    ],
)
def test_a_wrong_subscription_is_refused(house: WireHouse, body: Any, text: str) -> None:
    assert error_of(house.ask("/workers/subscriptions", body)) == (400, text)


def test_every_line_of_the_wire_is_in_the_description_of_the_api(house: WireHouse) -> None:
    whole = house.client.get("/openapi.json").json()
    shown = {
        (method.upper(), path.removeprefix("/v1/codeq"))
        for path, methods in whole["paths"].items()
        if path.startswith("/v1/codeq")
        for method in methods
    }
    assert shown == {
        (line.method, line.path.replace(":path", "")) for line in (*api_codeq.LINES, *api_codeq_admin.LINES)
    }
    names = [one["operationId"] for methods in whole["paths"].values() for one in methods.values()]
    assert len(names) == len(set(names))


def test_answers_are_what_the_description_says(house: WireHouse) -> None:
    whole = house.client.get("/openapi.json").json()
    known = whole["components"]["schemas"]

    def fits(method: str, path: str, answer: httpx2.Response) -> None:
        said = whole["paths"]["/v1/codeq" + path][method]["responses"][str(answer.status_code)]
        found = problems_with(answer.json(), said["content"]["application/json"]["schema"], known)
        assert found == [], (path, answer.text)

    made = house.ask("/tasks", {"command": "X", "payload": {"n": [1, None]}, "maxAttempts": 1})
    fits("post", "/tasks", made)
    fits("post", "/tasks", house.ask("/tasks", {}))
    fits("post", "/tasks/batch", house.ask("/tasks/batch", {"tasks": [{"command": "B", "payload": 1}, {}]}))
    task = house.claim("X")
    fits("post", "/tasks/{id}/heartbeat", house.ask(f"/tasks/{task['id']}/heartbeat"))
    fits("post", "/tasks/{id}/nack", house.ask(f"/tasks/{task['id']}/nack", {"reason": "no"}))
    fits("get", "/tasks/{id}/result", house.get(f"/tasks/{task['id']}/result"))
    fits("post", "/tasks/{id}/requeue", house.ask(f"/tasks/{task['id']}/requeue"))
    fits("post", "/tasks/claim/batch", house.ask("/tasks/claim/batch", {"commands": ["X"], "count": 2}))
    fits("post", "/tasks/{id}/abandon", house.ask(f"/tasks/{task['id']}/abandon"))
    fits("post", "/tasks/claim", house.ask("/tasks/claim", {"commands": ["B"]}))
    batch = {"results": [{"taskId": task["id"], "status": "COMPLETED", "result": 1}]}
    fits("post", "/tasks/batch/results", house.ask("/tasks/batch/results", batch))
    fits("get", "/admin/queues", house.get("/admin/queues"))
    fits("get", "/admin/queues/{command}", house.get("/admin/queues/X"))
    fits("get", "/admin/tasks", house.get("/admin/tasks?status=FAILED&limit=1"))
    fits("post", "/admin/tasks/cleanup", house.ask("/admin/tasks/cleanup"))
    fits("get", "/admin/webhooks", house.get("/admin/webhooks"))
    fits("delete", "/admin/queues/{command}/dlq", house.send("DELETE", "/admin/queues/X/dlq"))
    fits("post", "/workers/subscriptions", house.ask("/workers/subscriptions", {"callbackUrl": "https://x.org"}))
