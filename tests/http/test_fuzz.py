"""Whatever comes in, nothing breaks: no answer says that the mistake is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docalign_actors.http.problems import Problem
from docalign_actors.http.server import operations
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from tests.http.house import House

_STREAMS = ("/api/events", "/api/scans/{id}/events")
_PATHS = sorted({operation.path for operation in operations() if operation.path not in _STREAMS})

WORDS = """.. % %00 %zz -1 0 1e9 NaN null true {} ' " ' W10 WyJzY2FucyIsIDFd WyJzY2FucyIsIC0xXQ WyJyZXBvcyIsIjEiLCIyIl0 '--"""
AWKWARD = st.sampled_from([*WORDS.split(), "", "\0", "a\0b", "\u2028", "\ufffd", "9" * 40, "é" * 50, "A" * 1_000])
TEXT = st.one_of(AWKWARD, st.text(max_size=30).filter(lambda t: not re.search("[\ud800-\udfff]", t)))
VALUES: Any = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=8,
)
NAMES = st.sampled_from(["type", "url", "before", "after", "number", "base", "head", "x"])
BODIES = st.one_of(
    st.binary(max_size=60),
    VALUES.map(msgspec.json.encode),
    st.dictionaries(NAMES, st.one_of(st.sampled_from(["full", "push", "pr"]), VALUES), max_size=5).map(
        msgspec.json.encode
    ),
)
QUERIES = st.dictionaries(
    st.one_of(st.sampled_from(["limit", "cursor", "repo", "status", "verdict"]), TEXT), TEXT, max_size=3
)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["X-Delivery-Id", "X-Request-Id", "If-None-Match", "Content-Type", "Origin", "Cookie", "Content-Encoding"]
    ),
    st.one_of(
        st.text(st.characters(min_codepoint=33, max_codepoint=255), max_size=20), st.just("application/json")
    ).map(lambda text: text.encode("latin-1")),
    max_size=3,
)


@pytest.fixture(scope="module")
def standing(shared_database: Database) -> Iterator[House]:
    """One house for all examples."""
    with House(shared_database) as house:
        house.run = house.scan(house.repo())  # type: ignore[attr-defined]
        yield house


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    path=st.sampled_from(_PATHS),
    part=st.one_of(TEXT, st.just("known"), st.just(str(uuid4()))),
    method=st.sampled_from(["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"]),
    body=BODIES,
    query=QUERIES,
    headers=HEADERS,
)
def test_no_request_makes_the_service_fail(
    standing: House, path: str, part: str, method: str, body: bytes, query: dict[str, str], headers: dict[str, bytes]
) -> None:
    known = str(standing.run) if "scans/{" in path else str(standing.repo())  # type: ignore[attr-defined]
    name = known if part == "known" else part
    address = re.sub(r"{[\w:]+}", lambda _: quote(name), path)
    sent = {**{k: v.encode() for k, v in standing.bearer(Role.ADMIN).items()}, b"Content-Type": b"application/json"}
    answer = standing.client.request(method, address, params=query, content=body, headers={**sent, **headers})
    assert answer.status_code < 500, answer.text
    assert answer.headers["x-request-id"]
    if answer.status_code >= 400 and method != "HEAD":
        problem = msgspec.json.decode(answer.content, type=Problem)
        assert problem.status == answer.status_code
        assert "Traceback" not in problem.detail


@pytest.mark.parametrize(
    "path", [path for path in _PATHS if path not in ("/livez", "/readyz", "/healthz", "/openapi.json")]
)
def test_a_stranger_is_told_nothing_but_that_he_is_one(standing: House, path: str) -> None:
    address = re.sub(r"{[\w:]+}", str(uuid4()), path)
    for method in ("GET", "POST", "DELETE"):
        answer = standing.client.request(method, address, content=b"nonsense")
        assert answer.status_code in (401, 405)
