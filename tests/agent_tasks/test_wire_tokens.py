"""The wire, over HTTP: whose token may do what."""

from __future__ import annotations

from typing import Any

import pytest

from docalign_actors.persistence.tokens import Role
from tests.agent_tasks.wire import WireHouse, error_of


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
