from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.testclient import TestClient

from docalign_actors.errors import DocAlignError
from docalign_actors.http import problems
from docalign_actors.http.context import Context
from docalign_actors.http.csrf import csrf_token
from docalign_actors.http.services import HttpSettings
from docalign_actors.http.throttle import Throttle, key_of
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from tests.http.house import HandClock, House

ORIGIN = {"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}
NEW = {"url": "https://example.org/a/b"}


def pages(context: Context) -> Sequence[BaseRoute]:
    """The least that pages do: sign in and out."""

    async def sign_in(request: Request) -> Response:
        try:
            session = await context.sign_in.sign_in(request, request.query_params["token"])
        except DocAlignError as error:
            return problems.respond(error, "trace-of-test")
        return PlainTextResponse(session.csrf, headers={"Set-Cookie": session.set_cookie})

    async def sign_out(request: Request) -> Response:
        who = await context.gate.require(request, Role.VIEWER)
        return PlainTextResponse("", headers={"Set-Cookie": await context.sign_in.sign_out(request, who.session)})

    return [Route("/sign-in", sign_in), Route("/sign-out", sign_out)]


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database, pages=pages) as opened:
        yield opened


def test_who_signs_in_with_a_token_reads_with_a_cookie(house: House) -> None:
    answer = house.client.get("/sign-in", params={"token": house.secret(Role.VIEWER)})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    assert house.client.get("/api/repos").status_code == 200


def test_over_https_the_cookie_is_for_this_host_alone(database: Database) -> None:
    with House(database, HttpSettings(public_url="https://docs.example.org"), pages) as house:
        cookie = house.client.get("/sign-in", params={"token": house.secret()}).headers["set-cookie"]
        assert cookie.startswith("__Host-docalign=")
        assert "; Secure" in cookie
        assert "Domain" not in cookie


def test_a_wrong_token_signs_nobody_in(house: House) -> None:
    assert house.client.get("/sign-in", params={"token": "docalign_a_" + "A" * 43}).status_code == 401
    assert house.client.get("/sign-in", params={"token": "\0" * 500}).status_code == 401


def test_after_ten_failures_there_is_a_minute_of_rest(house: House) -> None:
    for _ in range(10):
        assert house.client.get("/sign-in", params={"token": "wrong"}).status_code == 401
    refused = house.client.get("/sign-in", params={"token": house.secret()})
    assert (refused.status_code, refused.json()["code"]) == (429, "DOCALIGN_E428")
    house.clock.pass_time(60)
    assert house.client.get("/sign-in", params={"token": house.secret()}).status_code == 200


def test_a_change_by_cookie_needs_the_token_of_the_page_and_its_origin(house: House) -> None:
    csrf = house.client.get("/sign-in", params={"token": house.secret()}).text
    good = {**ORIGIN, "X-CSRF-Token": csrf}
    for bad in (
        {},
        {"X-CSRF-Token": csrf},
        ORIGIN,
        {**good, "X-CSRF-Token": csrf[:-1] + "!"},
        {**good, "Origin": "http://evil.example"},
        {**good, "Origin": "null"},
        {**good, "Origin": "http://[broken"},
        {**good, "Sec-Fetch-Site": "cross-site"},
        {**good, "Sec-Fetch-Site": "same-site"},
        {**good, "Sec-Fetch-Site": "none"},
        {**good, "X-CSRF-Token": csrf_token("another session")},
    ):
        answer = house.client.post("/api/repos", json=NEW, headers=bad)
        assert (answer.status_code, answer.json()["code"]) == (403, "DOCALIGN_E424"), bad
    assert house.client.post("/api/repos", json=NEW, headers=good).status_code == 201
    old_browser = {"Origin": ORIGIN["Origin"], "X-CSRF-Token": csrf}
    assert house.client.post("/api/repos", json=NEW, headers=old_browser).status_code == 200


def test_a_bearer_token_needs_no_page(house: House) -> None:
    assert house.post("/api/repos", NEW).status_code == 201


def test_who_signs_out_is_out(house: House) -> None:
    house.client.get("/sign-in", params={"token": house.secret()})
    kept = dict(house.client.cookies)
    assert house.client.get("/sign-out").status_code == 200
    house.client.cookies.update(kept)
    assert house.client.get("/api/repos").status_code == 401


def test_the_memory_of_failures_is_bounded() -> None:
    throttle = Throttle(HandClock(), keys=100)
    for n in range(1_000):
        throttle.failed(f"10.0.{n // 250}.{n % 250}")
    assert len(throttle) == 100


def test_all_addresses_of_an_ipv6_network_are_one_client() -> None:
    assert key_of("2001:db8::1") == key_of("2001:db8::ffff:1") != key_of("2001:db8:0:1::1")
    assert key_of("::ffff:10.0.0.1") != key_of("::ffff:10.0.0.2")
    assert key_of("testclient") == "testclient"


def test_behind_a_proxy_each_client_has_failures_of_its_own(database: Database) -> None:
    with House(database, HttpSettings(public_url="https://docs.example.org"), pages) as house:
        proxy = TestClient(house.app, base_url="http://127.0.0.1:8080", client=("127.0.0.1", 5))

        def attempt(client: str, token: str) -> int:
            answer = proxy.get("/sign-in", params={"token": token}, headers={"X-Forwarded-For": client})
            return answer.status_code

        for n in range(10):
            assert attempt(f"10.9.9.{n}, 10.0.0.1", "wrong") == 401
        assert attempt("10.0.0.1", house.secret()) == 429
        assert attempt("10.0.0.2", house.secret()) == 200


def test_without_a_proxy_nobody_chooses_whose_failures_are_his(house: House) -> None:
    for n in range(10):
        house.client.get("/sign-in", params={"token": "wrong"}, headers={"X-Forwarded-For": f"10.0.0.{n}"})
    assert house.client.get("/sign-in", params={"token": house.secret()}).status_code == 429
