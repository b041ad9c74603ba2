"""Suppressions and pauses over the API and on the repository's page."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from docalign_actors.cli.service.desk import LocalDesk
from docalign_actors.errors import UsageError
from docalign_actors.http.csrf import FIELD, csrf_token
from docalign_actors.http.pages import page_routes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.settings import Settings
from tests.http.house import House

ORIGIN = {"Origin": "http://127.0.0.1:8080", "Accept": "text/html"}
WANTED = {"scope": "file", "value": "docs/old.md", "reason": "it is history"}


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database, pages=page_routes) as opened:
        yield opened


def test_what_is_suppressed_is_listed_until_it_is_taken_back(house: House) -> None:
    repo = house.repo()
    made = house.post(f"/api/repos/{repo}/suppressions", {**WANTED, "days": 30})
    assert made.status_code == 201
    shown = made.json()
    assert (shown["scope"], shown["value"], shown["reason"], shown["created_by"], shown["origin"]) == (
        "file", "docs/old.md", "it is history", "olga", "api",
    )  # fmt: skip
    assert shown["expires_at"].startswith("2030-01-31")
    assert house.get(f"/api/repos/{repo}/suppressions").json()["items"] == [shown]
    assert house.store.suppressions(repo, house.clock.now()) == [("file", "docs/old.md")]
    gone = house.send("DELETE", made.headers["location"], Role.OPERATOR)
    assert gone.status_code == 204
    assert house.get(f"/api/repos/{repo}/suppressions").json()["items"] == []
    again = house.send("DELETE", made.headers["location"], Role.OPERATOR)
    assert (again.status_code, again.json()["code"]) == (404, "DOCALIGN_E404")


def test_the_same_twice_is_one_with_the_newer_reason_and_one_that_expired_is_followed_by_another(house: House) -> None:
    repo = house.repo()
    first = house.post(f"/api/repos/{repo}/suppressions", WANTED).json()
    second = house.post(f"/api/repos/{repo}/suppressions", {**WANTED, "reason": "newer", "days": 1}).json()
    assert (first["id"], second["reason"]) == (second["id"], "newer")
    house.execute("UPDATE suppressions SET expires_at = now() - interval '1 day'")
    third = house.post(f"/api/repos/{repo}/suppressions", WANTED).json()
    assert third["id"] != first["id"]
    assert [one["id"] for one in house.get(f"/api/repos/{repo}/suppressions").json()["items"]] == [third["id"]]


def test_a_suppressed_claim_is_described_and_leaves_the_page_of_what_is_false(house: House) -> None:
    repo = house.repo()
    house.execute(
        "INSERT INTO claims (repo_id, fingerprint, kind, text, file, line, verdict, severity, confidence, message)"
        " VALUES (%(repo)s, 'abcdef012345', 'path', 'x', 'README.md', 3, 'drifted', 'low', 1, 'It is gone.')", repo=repo,
    )  # fmt: skip
    made = house.post(f"/api/repos/{repo}/suppressions", {"scope": "claim", "value": "abcdef012345", "reason": "x"})
    assert made.json()["about"] == "`README.md:3`: It is gone."


@pytest.mark.parametrize(
    "body",
    [
        {}, {**WANTED, "scope": "all"}, {**WANTED, "reason": ""}, {**WANTED, "days": 0}, {**WANTED, "days": 10**9},
        {**WANTED, "value": "x" * 2_000}, {**WANTED, "more": 1}, {**WANTED, "scope": "claim", "value": "abc"},
        {**WANTED, "scope": "kind", "value": "paht"}, {**WANTED, "value": "/docs/old.md"}, {**WANTED, "value": "../x"},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(house: House, body: dict[str, object]) -> None:
    answer = house.post(f"/api/repos/{house.repo()}/suppressions", body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_only_an_operator_may_and_only_in_a_repository_that_is_there(house: House) -> None:
    repo = house.repo()
    assert house.post(f"/api/repos/{repo}/suppressions", WANTED, Role.VIEWER).status_code == 403
    for path in (f"/api/repos/{uuid4()}/suppressions", "/api/repos/x/suppressions"):
        assert house.post(path, WANTED).status_code == 404
        assert house.get(path).status_code == 404
    assert house.send("DELETE", f"/api/repos/{repo}/suppressions/x", Role.OPERATOR).status_code == 404
    other = house.repo("other")
    made = house.post(f"/api/repos/{other}/suppressions", WANTED).json()
    assert house.send("DELETE", f"/api/repos/{repo}/suppressions/{made['id']}", Role.OPERATOR).status_code == 404


def test_pauses_are_shown_over_the_api_and_on_the_page(house: House) -> None:
    repo = house.repo()
    house.execute("INSERT INTO github_installations (id, account) VALUES (5, 'acme')")
    house.execute(
        "INSERT INTO github_repos (repo_id, github_id, installation_id, full_name) VALUES (%(r)s, 1, 5, 'a/b')", r=repo
    )
    house.execute(
        "INSERT INTO github_pauses (repo_id, number, paused_by, reason) VALUES (%(r)s, 7, 'mia', 'we move')", r=repo
    )
    (shown,) = house.get(f"/api/repos/{repo}/pauses").json()["items"]
    assert (shown["number"], shown["paused_by"], shown["reason"]) == (7, "mia", "we move")
    house.client.post("/sign-in", data={FIELD: csrf_token(""), "token": house.secret(Role.VIEWER)}, headers=ORIGIN)
    page = house.client.get(f"/repos/{repo}", headers=ORIGIN).text
    assert "Pull request #7 is not checked: mia paused it" in page
    assert "/docalign resume" in page


def test_something_is_suppressed_and_taken_back_by_forms_alone(house: House) -> None:
    repo = house.repo()
    form = {FIELD: csrf_token(""), "token": house.secret(Role.OPERATOR)}
    house.client.post("/sign-in", data=form, headers=ORIGIN)
    ours = {FIELD: csrf_token(house.client.cookies["docalign"])}
    done = house.client.post(
        f"/repos/{repo}/suppress", data={**ours, **WANTED, "days": ""}, headers=ORIGIN, follow_redirects=False
    )
    assert (done.status_code, done.headers["location"]) == (303, f"/repos/{repo}#suppressions")
    page = house.client.get(f"/repos/{repo}", headers=ORIGIN).text
    assert "docs/old.md" in page
    assert "it is history" in page
    (shown,) = house.get(f"/api/repos/{repo}/suppressions").json()["items"]
    wrong = house.client.post(f"/repos/{repo}/suppress", data={**ours, **WANTED, "days": "never"}, headers=ORIGIN)
    assert "DOCALIGN_E421" in wrong.text
    for value, status in (("x", 404), (shown["id"], 303)):
        back = house.client.post(
            f"/repos/{repo}/unsuppress", data={**ours, "suppression": value}, headers=ORIGIN, follow_redirects=False
        )
        assert back.status_code == status
    assert house.get(f"/api/repos/{repo}/suppressions").json()["items"] == []


def test_the_command_line_does_the_same_while_the_service_is_down(house: House) -> None:
    repo = house.repo()
    desk = LocalDesk(house.database, Settings())
    made = desk.suppress(str(repo), {**WANTED, "days": 2})
    (shown,) = desk.suppressions(str(repo))
    assert (shown["id"], shown["reason"], shown["created_by"]) == (made, "it is history", "command line")
    desk.unsuppress(str(repo), made)
    assert desk.suppressions(str(repo)) == []
    with pytest.raises(UsageError, match="no such suppression"):
        desk.unsuppress(str(repo), made)
