"""The wire, over HTTP: what admins see and do, callbacks and subscriptions, and the description of it all."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from docalign_actors.http import api_codeq, api_codeq_admin
from tests.agent_tasks.wire import WireHouse, error_of
from tests.http.schema import problems_with


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
