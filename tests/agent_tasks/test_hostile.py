"""Whatever is sent, the queue answers in its own words: never with a failure of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docalign_actors.http import api_codeq, api_codeq_admin
from docalign_actors.persistence.database import Database
from tests.agent_tasks.wire import WireHouse
from tests.support.database import create_database, drop_database

LINES = [*api_codeq.LINES, *api_codeq_admin.LINES]
NAMES = [
    "command", "payload", "priority", "webhook", "maxAttempts", "idempotencyKey", "runAt", "delaySeconds", "tasks", "commands",
    "leaseSeconds", "count", "extendSeconds", "reason", "status", "result", "error", "artifacts", "results", "taskId", "name",
    "url", "contentBase64", "contentType", "callbackUrl", "eventTypes", "ttlSeconds", "deliveryMode", "groupId",
    "minIntervalSeconds", "limit", "before",
]  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8),
    st.sampled_from(["COMPLETED", "FAILED", "X", "https://x.org", "http://[", "2030-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "group", "\0"]),
)  # fmt: skip
BODIES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def standing() -> Iterator[WireHouse]:
    url = create_database()
    with Database(url) as database, WireHouse(database) as opened:
        yield opened
    drop_database(url)


@given(
    line=st.sampled_from(LINES),
    body=BODIES,
    part=st.sampled_from(["x", "00000000-0000-0000-0000-000000000000", "%00", "..", "a%2Fb"]),
)
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_body_makes_the_queue_fail(standing: WireHouse, line: Any, body: Any, part: str) -> None:
    path = line.path.replace("{id}", part).replace("{command}", part).replace("{name}", part)
    answer = standing.send(line.method, path, body if line.method == "POST" else None)
    assert answer.status_code < 500, (line.path, body, answer.text)
    if answer.status_code >= 400:
        assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[" * 100_000, b'"\xff"', b'{"command": "\\ud800", "payload": 1}', b'{"command": "X", "payload": "\xff"}', b"null", b"\0",
     b'{"command": "X", "payload": 1e999}', b'{"command": "X", "payload": "\\ud800\\u0000"}'],
)  # fmt: skip
def test_no_bytes_make_the_queue_fail(standing: WireHouse, raw: bytes) -> None:
    for path in (
        "/tasks",
        "/tasks/batch",
        "/tasks/claim",
        "/tasks/x/result",
        "/workers/subscriptions",
        "/admin/tasks/cleanup",
    ):
        headers = {"Authorization": f"Bearer {standing.secret()}"}
        assert standing.client.post(f"/v1/codeq{path}", content=raw, headers=headers).status_code < 500


def test_a_body_that_is_too_large_is_refused(standing: WireHouse) -> None:
    assert standing.ask("/tasks", {"command": "X", "payload": "x" * 70_000}).status_code == 413


@pytest.mark.parametrize(
    "query",
    ["?status=FAILED&limit=-1", "?status=FAILED&limit=99999999999999999999", "?status=FAILED&before=x", "?status=%00"],
)
def test_no_query_makes_the_queue_fail(standing: WireHouse, query: str) -> None:
    assert standing.get(f"/admin/tasks{query}").status_code < 500
    assert standing.get(f"/tasks/x/result{query}&waitSeconds=x").status_code == 404
