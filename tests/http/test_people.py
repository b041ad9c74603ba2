from __future__ import annotations

from datetime import timedelta

import pytest

from docalign_actors.errors import UsageError
from docalign_actors.persistence.tokens import Role
from tests.http.house import House

_READS = ["/actors", "/metrics", "/api/repos", "/api/scans", "/api/incidents"]


@pytest.mark.parametrize("path", _READS)
def test_reading_needs_a_token(house: House, path: str) -> None:
    answer = house.client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (401, "DOCALIGN_E422")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert house.get(path, Role.VIEWER).status_code == 200


@pytest.mark.parametrize(
    ("role", "reads", "writes"),
    [(Role.ADMIN, 200, 201), (Role.OPERATOR, 200, 201), (Role.VIEWER, 200, 403), (Role.WORKER, 403, 403)],
)
def test_each_role_may_do_what_it_is_for(house: House, role: Role, reads: int, writes: int) -> None:
    assert house.get("/api/repos", role).status_code == reads
    assert house.post("/api/repos", {"url": "https://example.org/a/b"}, role).status_code == writes


def test_whether_it_lives_and_what_it_offers_is_for_everybody(house: House) -> None:
    for path in ("/livez", "/readyz", "/openapi.json"):
        assert house.client.get(path).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic dTpw",
        "Bearer docalign_a_" + "A" * 43,
        "Bearer " + "A" * 10_000,
        "nonsense",
    ],
)
def test_what_is_no_token_opens_nothing(house: House, header: str) -> None:
    assert house.client.get("/api/repos", headers={"Authorization": header}).status_code == 401


def test_a_token_shows_its_role_and_is_stored_as_a_hash(house: House) -> None:
    secret = house.tokens.create("ci", Role.WORKER)
    assert secret.startswith("docalign_w_")
    assert len(secret) == len("docalign_w_") + 43
    rows = house.execute("SELECT * FROM tokens")
    assert secret not in repr(rows)
    assert secret.encode() not in rows[0]


def test_a_revoked_token_opens_nothing_from_that_instant(house: House) -> None:
    secret = house.secret(Role.VIEWER)
    assert house.get("/api/repos").status_code == 200
    found = house.tokens.find(secret)
    assert found is not None
    assert house.tokens.revoke(found.id)
    assert house.get("/api/repos").status_code == 401
    assert not house.tokens.revoke(found.id)


def test_an_expired_token_opens_nothing(house: House) -> None:
    secret = house.tokens.create("short", Role.VIEWER, lasts=timedelta(seconds=3))
    headers = {"Authorization": f"Bearer {secret}"}
    assert house.client.get("/api/repos", headers=headers).status_code == 200
    house.clock.pass_time(3)
    assert house.client.get("/api/repos", headers=headers).status_code == 401


def test_a_token_that_was_seen_just_now_is_not_looked_up_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    find = house.tokens.find
    gate = house.app.state.context.gate
    monkeypatch.setattr(gate._tokens, "find", lambda secret: looked.append(secret) or find(secret))
    for _ in range(3):
        house.get("/api/repos")
    assert len(looked) == 1
    house.clock.pass_time(6)
    house.get("/api/repos")
    assert len(looked) == 2


def test_the_last_use_of_a_token_is_written_down_once_a_minute(house: House) -> None:
    house.get("/api/repos")
    began = house.clock.at
    last = "SELECT last_used_at FROM tokens"
    house.clock.pass_time(30)
    house.get("/api/repos")
    assert house.execute(last) == [(began,)]
    house.clock.pass_time(31)
    house.get("/api/repos")
    assert house.execute(last) == [(house.clock.at,)]


def test_a_one_time_token_opens_one_session_and_no_api(house: House) -> None:
    secret = house.tokens.one_time()
    assert house.client.get("/api/repos", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert house.tokens.open_session(secret, timedelta(hours=1)) is not None
    assert house.tokens.open_session(secret, timedelta(hours=1)) is None


def test_a_one_time_token_is_of_no_use_after_ten_minutes(house: House) -> None:
    secret = house.tokens.one_time()
    house.clock.pass_time(600)
    assert house.tokens.open_session(secret, timedelta(hours=1)) is None


def test_a_session_outlives_its_one_time_token_and_ends_in_time(house: House) -> None:
    session = house.tokens.open_session(house.tokens.one_time(), timedelta(hours=1))
    assert session is not None
    house.clock.pass_time(3_599)
    assert house.tokens.find_session(session) is not None
    house.clock.pass_time(1)
    assert house.tokens.find_session(session) is None


def test_a_session_ends_with_the_token_that_opened_it(house: House) -> None:
    session = house.tokens.open_session(house.secret(), timedelta(hours=1))
    assert session is not None
    found = house.tokens.find_session(session)
    assert found is not None
    house.tokens.revoke(found.id)
    assert house.tokens.find_session(session) is None


def test_there_is_no_token_at_first(house: House) -> None:
    assert not house.tokens.any()
    house.tokens.one_time()
    assert not house.tokens.any()
    secret = house.tokens.create("x", Role.VIEWER)
    assert house.tokens.any()
    found = house.tokens.find(secret)
    assert found is not None
    house.tokens.revoke(found.id)
    assert not house.tokens.any()
    assert [(t.name, t.role, t.revoked_at is None) for t in house.tokens.list()] == [
        ("one-time sign-in", Role.ADMIN, True),
        ("x", Role.VIEWER, False),
    ]


@pytest.mark.parametrize("lasts", [timedelta(0), timedelta(seconds=-1), timedelta.max])
def test_a_token_lasts_for_a_sensible_time(house: House, lasts: timedelta) -> None:
    with pytest.raises(UsageError):
        house.tokens.create("x", Role.VIEWER, lasts=lasts)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb", "a\0b"])
def test_a_token_has_a_readable_name(house: House, name: str) -> None:
    with pytest.raises(UsageError):
        house.tokens.create(name, Role.VIEWER)
