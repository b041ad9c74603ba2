"""A client that writes null for what it leaves open is answered as if it had left it out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct, field, json

from docalign_actors.http.nulls import without_nulls
from docalign_actors.http.schemas_codeq import ResultBatch
from tests.agent_tasks.wire import WireHouse

OPEN = ("priority", "webhook", "maxAttempts", "idempotencyKey", "runAt", "delaySeconds")


def test_a_task_whose_other_fields_are_null_is_taken(house: WireHouse) -> None:
    task = {"command": "X", "payload": {"keep": None}, **dict.fromkeys(OPEN)}
    made = house.ask("/tasks", task).json()
    assert (made["payload"], made["maxAttempts"], "priority" in made) == ('{"keep":null}', 5, False)
    (one,) = house.ask("/tasks/batch", {"tasks": [task]}).json()["results"]
    assert one["task"]["payload"] == '{"keep":null}'


def test_a_worker_may_send_nulls_all_the_way(house: WireHouse) -> None:
    house.create(), house.create()
    asked = {"commands": ["X"], "leaseSeconds": None, "waitSeconds": None}
    task = house.ask("/tasks/claim", asked).json()["id"]
    assert house.ask(f"/tasks/{task}/heartbeat", {"extendSeconds": None}).json() == {"ok": True}
    answer = house.ask(f"/tasks/{task}/nack", {"delaySeconds": None, "reason": None})
    assert answer.json()["status"] == "requeued"
    (other,) = house.ask("/tasks/claim/batch", {"count": 1, "commands": None}).json()["tasks"]
    result = {
        "taskId": other["id"], "status": "COMPLETED", "result": {"a": None}, "error": None,
        "artifacts": [{"name": "a", "url": "https://x.org/", "contentBase64": None, "contentType": None}],
    }  # fmt: skip
    (said,) = house.ask("/tasks/batch/results", {"results": [result]}).json()["results"]
    assert said["result"]["result"] == {"a": None}
    wanted = {"callbackUrl": "https://x.org/", **dict.fromkeys(("eventTypes", "ttlSeconds", "groupId", "deliveryMode"))}
    assert house.ask("/workers/subscriptions", wanted).status_code == 200
    assert house.ask("/admin/tasks/cleanup", {"before": None, "limit": None}).status_code == 200


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"command": None, "payload": 1}, "invalid body: 'command' is required"),
        (
            {"command": "X", "payload": None, "priority": None},
            "invalid body: 'payload' is required and may not be null",
        ),
        ({"command": "X", "payload": 1, "webhook": None, "priority": "x"}, "invalid body: Expected `int`, got `str`"),
    ],
)
def test_what_is_required_is_required_still(house: WireHouse, body: Any, text: str) -> None:
    answer = house.ask("/tasks", body)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(text)


class _Inner(Struct, frozen=True):
    a: int = 0
    free: Raw = field(default_factory=lambda: Raw(b"null"))


class _Outer(Struct, frozen=True):
    b: str = ""
    inner: list[_Inner] = []


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda kids: (
        st.lists(kids, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "free", "inner"]), kids, max_size=4)
    ),
    max_leaves=12,
)


@given(_json)
def test_whatever_comes_is_read_once_more_and_nothing_without_a_shape_is_touched(value: Any) -> None:
    raw = json.encode({"b": None, "inner": [{"a": None, "free": value}, value]})
    read = json.decode(without_nulls(raw, _Outer))
    assert "b" not in read
    assert read["inner"][0] == ({"free": value} if value is not None else {})


@pytest.mark.parametrize("raw", [b"[]", b"null", b"3", b'{"results": 3}', b'{"results": [3, null]}'])
def test_what_is_no_object_is_left_for_others_to_refuse(raw: bytes) -> None:
    assert json.decode(without_nulls(raw, ResultBatch)) == json.decode(raw)
