"""What is not a proper request, and what every answer has."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future

import msgspec
import pytest

from docalign_actors.errors import DatabaseError, DocAlignError
from docalign_actors.http import errors, problems
from docalign_actors.http.bridge import Bridge
from docalign_actors.http.desk import Desk
from docalign_actors.http.edge import allowed_hosts
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from tests.http.house import House

JSON = {"Content-Type": "application/json"}


def refused(house: House, body: bytes | Iterator[bytes], **headers: str) -> tuple[int, str]:
    answer = house.send("POST", "/api/repos", Role.OPERATOR, content=body, headers={**JSON, **headers})
    assert answer.headers["content-type"] == "application/problem+json"
    problem = msgspec.json.decode(answer.content, type=problems.Problem)
    assert problem.status == answer.status_code
    assert problem.trace == answer.headers["x-request-id"]
    assert problem.hint
    return answer.status_code, problem.code


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b"\xff\xfe", b'{"url": "\xff"}', b'{"url": "\\ud800"}', b"[" * 60_000, b'{"url"' * 9_000],
)
def test_what_is_no_json_is_refused(house: House, body: bytes) -> None:
    status, code = refused(house, body)
    assert (status, code) in ((400, "DOCALIGN_E420"), (422, "DOCALIGN_E421"))


@pytest.mark.parametrize(
    "value", [b"1", b"null", b"[]", b"1" + b"0" * 400, b'"a\\u0000b"', b'"-x"', b'"ext::sh -c x"', b'""']
)
def test_an_address_that_is_none_is_refused(house: House, value: bytes) -> None:
    status, code = refused(house, b'{"url": ' + value + b"}")
    assert status == 422
    assert code in ("DOCALIGN_E421", "DOCALIGN_E408")


@pytest.mark.parametrize(
    "media", ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"]
)
def test_a_body_that_is_not_json_by_its_own_word_is_refused(house: House, media: str) -> None:
    assert refused(house, b"{}", **{"Content-Type": media}) == (415, "DOCALIGN_E426")


def test_a_compressed_body_is_refused(house: House) -> None:
    assert refused(house, b"{}", **{"Content-Encoding": "gzip"}) == (415, "DOCALIGN_E426")


def test_a_body_over_the_limit_is_refused_by_its_length(house: House) -> None:
    assert refused(house, b" " * 70_000) == (413, "DOCALIGN_E425")


def test_a_body_over_the_limit_is_refused_though_it_does_not_tell_its_length(house: House) -> None:
    assert refused(house, (b" " * 1_000 for _ in range(100))) == (413, "DOCALIGN_E425")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/api/repos", 405),
        ("OPTIONS", "/api/repos", 405),
        ("DELETE", "/livez", 405),
        ("GET", "/api/scans/x/cancel", 405),
        ("GET", "/nowhere", 404),
        ("GET", "/api/repos/", 404),
        ("GET", "/api/repos/x/y/z", 404),
        ("GET", "//evil.example/", 404),
        ("GET", "/" + "x" * 3_000, 414),
        ("GET", "/api/repos?" + "x" * 9_000, 414),
        ("GET", "/actors/" + "x" * 1_500, 404),
        ("GET", "/actors/a%00b", 404),
        ("GET", "/actors/%ff%fe", 404),
        ("GET", "/api/repos/%00", 404),
        ("GET", "/api/repos/..%2f..%2fetc", 404),
    ],
)
def test_an_address_or_method_that_there_is_not(house: House, method: str, path: str, status: int) -> None:
    answer = house.send(method, path, Role.ADMIN)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.headers.get("allow") is not None) == (status == 405)


def test_every_answer_has_the_headers_that_keep_it_safe(house: House) -> None:
    for path in ("/livez", "/api/repos", "/nowhere"):
        headers = house.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert len(headers["x-request-id"]) >= 8


@pytest.mark.parametrize("given", ["-dash", "x" * 65, "has space in it", "*/ DROP TABLE x; --", "\x7fabcdefgh"])
def test_a_trace_that_is_not_fit_for_a_log_is_replaced(house: House, given: str) -> None:
    answer = house.client.get("/livez", headers={"X-Request-Id": given})
    assert answer.headers["x-request-id"] != given
    assert len(answer.headers["x-request-id"]) == 32


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "localhost.evil.example"]
)
def test_a_request_for_another_host_is_refused(house: House, host: str) -> None:
    answer = house.get("/api/repos", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "DOCALIGN_E429")
    assert house.get("/livez", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:8080", "LOCALHOST:8080"])
def test_a_request_for_this_host_is_taken(house: House, host: str) -> None:
    assert house.get("/api/repos", headers={"Host": host}).status_code == 200


def test_the_names_of_the_service_come_from_its_settings() -> None:
    hosts = allowed_hosts("0.0.0.0", "https://docs.example.org:8443/x", ["Other.example"])
    assert hosts == {"localhost", "127.0.0.1", "[::1]", "docs.example.org", "other.example"}
    assert "[fe80::1]" in allowed_hosts("fe80::1", "", [])


def test_a_read_that_has_not_changed_is_not_sent_again(house: House) -> None:
    house.repo()
    answer = house.get("/api/repos")
    tag = answer.headers["etag"]
    for header in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = house.get("/api/repos", headers={"If-None-Match": header})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    house.repo("another")
    assert house.get("/api/repos", headers={"If-None-Match": tag}).status_code == 200


def test_a_head_request_is_answered_like_a_get(house: House) -> None:
    answer = house.send("HEAD", "/api/repos", Role.VIEWER)
    assert answer.status_code == 200
    assert "etag" in answer.headers


def test_a_database_that_is_away_is_said_with_when_to_come_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.get("/api/repos")

    def away(*_: object, **__: object) -> None:
        raise DatabaseError("The database cannot be reached: connection to server on socket /secret/path failed.")

    monkeypatch.setattr(house.database, "run", away)
    answer = house.get("/api/repos")
    assert (answer.status_code, answer.json()["code"]) == (503, "DOCALIGN_E301")
    assert int(answer.headers["retry-after"]) > 0
    assert "secret" not in answer.text
    ready = house.client.get("/readyz")
    assert ready.status_code == 503
    assert "DOCALIGN_E301" in ready.text


def test_a_mistake_of_ours_is_not_shown(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.get("/api/repos")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(house.views, "repos", broken)
    answer = house.get("/api/repos")
    assert (answer.status_code, answer.json()["code"]) == (500, "DOCALIGN_E000")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-request-id"] == answer.json()["trace"]


def _all(kind: type[DocAlignError]) -> Iterator[type[DocAlignError]]:
    for one in kind.__subclasses__():
        yield one
        yield from _all(one)


def test_every_error_of_the_http_side_has_a_status_of_its_own() -> None:
    own = [kind for kind in _all(DocAlignError) if kind.__module__ == errors.__name__]
    inward = {errors.InternalError, errors.NotPublicError, errors.CannotListenError}
    assert {kind for kind in own if problems.status_of(kind) == 500} == inward


def test_the_service_says_why_it_is_not_ready(house: House) -> None:
    assert house.client.get("/readyz").json() == {"ready": True, "reasons": []}
    house.reasons.append("the mirror's disk is full")
    house.clock.pass_time(1)
    answer = house.client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "reasons": ["the mirror's disk is full"]})


def test_a_full_desk_refuses_instead_of_growing(house: House, database: Database) -> None:
    desk = house.app.state.context.desk
    house.get("/api/repos")
    desk._open = desk._most_open
    try:
        answer = house.get("/api/repos")
        assert (answer.status_code, answer.json()["code"]) == (503, "DOCALIGN_E601")
    finally:
        desk._open = 0


def test_many_who_ask_whether_it_is_ready_are_answered_by_one_look(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    monkeypatch.setattr(house.views, "trouble", lambda: looks.append(1) or [])
    for _ in range(5):
        house.client.get("/readyz")
    assert len(looks) == 1
    house.clock.pass_time(1)
    house.client.get("/readyz")
    assert len(looks) == 2


def test_work_that_takes_too_long_is_not_waited_for() -> None:
    released = threading.Event()

    async def wait() -> None:
        desk = Desk(threads=1, seconds=0.05)
        try:
            with pytest.raises(errors.NoAnswerError):
                await desk.run(released.wait, 10)
        finally:
            released.set()
            desk.close()

    asyncio.run(wait())


def test_an_answer_that_comes_too_late_is_left_to_itself() -> None:
    async def wait() -> None:
        bridge = Bridge()
        late: Future[int] = Future()
        with pytest.raises(errors.NoAnswerError):
            await bridge.wait(late, 0.02)
        late.set_result(1)

    asyncio.run(wait())


def test_answers_from_many_threads_all_arrive() -> None:
    async def wait() -> None:
        bridge = Bridge()
        answers: list[Future[int]] = [Future() for _ in range(500)]
        waiting = asyncio.gather(*(bridge.wait(one, 10) for one in answers))
        await asyncio.sleep(0)

        def give(part: int) -> None:
            for n in range(part, 500, 5):
                answers[n].set_result(n)

        threads = [threading.Thread(target=give, args=(part,)) for part in range(5)]
        for thread in threads:
            thread.start()
        assert await waiting == list(range(500))
        for thread in threads:
            thread.join()

    asyncio.run(wait())


def test_without_any_database_every_route_says_so(database_url: str) -> None:
    never_opened = Database(database_url)
    with House(never_opened) as house:
        header = {"Authorization": "Bearer docalign_a_" + "A" * 43}
        answer = house.client.get("/api/repos", headers=header)
        assert (answer.status_code, answer.json()["code"]) == (503, "DOCALIGN_E301")
        assert house.client.get("/livez").status_code == 200
        assert house.client.get("/readyz").status_code == 503
