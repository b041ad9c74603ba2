"""Schedules, circuits and credentials over HTTP, and on the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from docalign_actors.http.pages import page_routes
from docalign_actors.persistence.circuits import apply
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.model import RepoId
from docalign_actors.watch.circuit import Failed, Origin, Rules
from docalign_actors.watch.events import CircuitMoved
from tests.http.house import House
from tests.http.test_page_reader import Guest
from tests.support.views import XSS


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database, pages=page_routes) as opened:
        yield opened


def break_circuit(house: House, repo: RepoId, times: int = 5, error: str = "gone") -> None:
    failed = [(repo, Failed(Origin.LOOK, "DOCALIGN_E106", error))] * times
    house.database.run(lambda c: apply(c, failed, Rules(), house.clock.now()))


def test_a_repository_has_the_service_s_schedule_until_it_gets_its_own(house: House) -> None:
    repo = house.repo()
    shown = house.get(f"/api/repos/{repo}/schedule").json()
    assert (shown["check"], shown["full"], shown["own_check"]) == ("every 5 minutes", "every week", False)
    answer = house.send("PUT", f"/api/repos/{repo}/schedule", Role.OPERATOR, json={"check": "Daily at 3:00"})
    assert answer.status_code == 200
    assert (answer.json()["check"], answer.json()["own_check"], answer.json()["own_full"]) == (
        "daily at 03:00",
        True,
        False,
    )
    assert answer.json()["next_check_at"].startswith("2030-01-02T03:")
    assert house.woken.is_set()
    listed = house.get("/api/repos").json()["items"][0]
    assert (listed["check_rule"], listed["circuit"]) == ("daily at 03:00", "closed")
    back = house.send("PUT", f"/api/repos/{repo}/schedule", Role.OPERATOR, json={"check": None, "full": "never"}).json()
    assert (back["check"], back["own_check"], back["full"], back["next_full_at"]) == (
        "every 5 minutes",
        False,
        "never",
        None,
    )


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"check": "sometimes"}, 422, "DOCALIGN_E455"),
        ({"check": "every 2 seconds"}, 422, "DOCALIGN_E455"),
        ({"check": "x" * 101}, 422, "DOCALIGN_E421"),
        ({"chek": "never"}, 422, "DOCALIGN_E421"),
        ({"check": 5}, 422, "DOCALIGN_E421"),
    ],
)
def test_a_schedule_that_says_nothing_is_refused_and_changes_nothing(
    house: House, body: dict[str, object], status: int, code: str
) -> None:
    repo = house.repo()
    before = house.get(f"/api/repos/{repo}/schedule").json()
    answer = house.send("PUT", f"/api/repos/{repo}/schedule", Role.OPERATOR, json={**body, "full": "never"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert house.get(f"/api/repos/{repo}/schedule").json() == before


def test_a_circuit_is_shown_with_its_history_and_reset_by_name(house: House) -> None:
    repo = house.repo()
    assert house.get(f"/api/repos/{repo}/circuit").json()["state"] == "closed"
    break_circuit(house, repo)
    shown = house.get(f"/api/repos/{repo}/circuit").json()
    assert (shown["state"], shown["failures"], shown["error"]) == ("open", 5, "gone")
    assert shown["open_until"] == "2030-01-01T12:30:00Z"
    heard: list[object] = []
    house.events.subscribe(heard.append, CircuitMoved)
    answer = house.post(f"/api/repos/{repo}/circuit/reset")
    assert (answer.status_code, answer.json()["state"]) == (200, "closed")
    assert [move["cause"] for move in answer.json()["history"]] == ["reset by olga", "git could not reach it"]
    assert len(heard) == 1
    house.post(f"/api/repos/{repo}/circuit/reset")
    assert len(heard) == 1


def test_a_viewer_may_look_and_not_touch(house: House) -> None:
    repo = house.repo()
    assert house.send("PUT", f"/api/repos/{repo}/schedule", Role.VIEWER, json={"check": "never"}).status_code == 403
    assert house.post(f"/api/repos/{repo}/circuit/reset", role=Role.VIEWER).status_code == 403
    assert house.send("PUT", f"/api/repos/{repo}/credentials", Role.VIEWER, json={"password": "x"}).status_code == 403
    assert house.get(f"/api/repos/{repo}/circuit").status_code == 200


@pytest.mark.parametrize("path", ["schedule", "circuit", "credentials"])
def test_what_is_no_repository_has_none(house: House, path: str) -> None:
    for repo in (uuid4(), "nonsense"):
        answer = house.get(f"/api/repos/{repo}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "DOCALIGN_E404")
    assert house.post(f"/api/repos/{uuid4()}/circuit/reset").status_code == 404
    assert (
        house.send("PUT", f"/api/repos/{uuid4()}/schedule", Role.OPERATOR, json={"check": "never"}).status_code == 404
    )
    assert (
        house.send("PUT", f"/api/repos/{uuid4()}/credentials", Role.OPERATOR, json={"password": "x"}).status_code == 404
    )


def test_credentials_are_kept_in_a_file_for_the_service_alone_and_never_shown(house: House) -> None:
    repo = house.repo()
    break_circuit(house, repo)
    path = f"/api/repos/{repo}/credentials"
    assert house.get(path).json() == {"repo_id": str(repo), "set": False, "user": ""}
    for password in ("hunter2", "hunter3"):
        answer = house.send("PUT", path, Role.OPERATOR, json={"user": "ada", "password": password})
        assert (answer.status_code, answer.json()["user"]) == (200, "ada")
        assert "hunter" not in answer.text
    found = list((house.folder / "credentials").iterdir())
    assert [file.name for file in found] == [f"{repo}.json"]
    assert found[0].stat().st_mode & 0o777 == 0o600
    assert b"hunter3" in found[0].read_bytes()
    assert b"hunter2" not in found[0].read_bytes()
    assert house.get(f"/api/repos/{repo}/circuit").json()["state"] == "closed"
    for table in ("repos", "watch_schedules", "circuits", "circuit_history"):
        assert "hunter" not in str(house.execute(f"SELECT * FROM {table}")), table
    assert house.send("DELETE", path, Role.OPERATOR).status_code == 204
    assert not found[0].exists()


@pytest.mark.parametrize("password", ["two\nlines", "nul\0", "x" * 4001, ""])
def test_a_password_that_git_would_misread_is_refused_and_not_repeated(house: House, password: str) -> None:
    repo = house.repo()
    answer = house.send("PUT", f"/api/repos/{repo}/credentials", Role.OPERATOR, json={"password": password})
    assert answer.status_code == 422
    assert not password or password not in answer.text


def test_a_folder_of_this_machine_takes_no_password(house: House, git_folder: Path) -> None:
    repo = house.post("/api/repos", {"url": str(git_folder)}).json()["id"]
    answer = house.send("PUT", f"/api/repos/{repo}/credentials", Role.OPERATOR, json={"password": "x"})
    assert (answer.status_code, answer.json()["code"]) == (422, "DOCALIGN_E456")


def test_a_removed_repository_leaves_neither_credentials_nor_mirror_nor_rows(house: House) -> None:
    repo, other = house.repo(), house.repo("other")
    for one in (repo, other):
        house.send("PUT", f"/api/repos/{one}/credentials", Role.OPERATOR, json={"password": "hunter2"})
        (house.folder / "mirrors" / f"{one}.git").mkdir(parents=True)
        break_circuit(house, one)
    assert house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR).status_code == 204
    folder = house.folder
    assert [p.name for p in (folder / "credentials").iterdir()] == [f"{other}.json"]
    assert [p.name for p in (folder / "mirrors").iterdir()] == [f"{other}.git"]
    for table in ("watch_schedules", "circuits", "circuit_history", "circuit_inbox"):
        assert house.execute(f"SELECT 1 FROM {table} WHERE repo_id = %(repo)s", repo=repo) == [], table


def test_the_page_of_a_repository_shows_schedule_and_circuit_and_sets_both(house: House) -> None:
    repo = house.repo()
    operator = Guest(house, Role.OPERATOR)
    page = operator.get(f"/repos/{repo}")
    assert "every 5 minutes (the service's)" in page.text
    assert "It has always been closed." in page.text
    assert operator.post(f"/repos/{repo}/schedule", check="every 10 minutes", full="").status_code == 303
    assert "every 10 minutes" in operator.get(f"/repos/{repo}").text
    refused = operator.post(f"/repos/{repo}/schedule", check="sometimes", full="")
    assert refused.status_code == 422
    assert "does not say when" in refused.text
    assert 'value="sometimes"' in refused.text
    break_circuit(house, repo, error=XSS)
    page = operator.get(f"/repos/{repo}")
    assert "Close it and look now" in page.text
    assert "git could not reach it (5 failures)" in page.text
    overview = operator.get("/")
    assert "1 repository that git does not reach" in overview.text
    assert operator.post(f"/repos/{repo}/circuit/reset").status_code == 303
    assert "does not reach" not in operator.get("/").text
    assert "reset by olga" in operator.get(f"/repos/{repo}").text


def test_a_viewer_sees_no_buttons(house: House) -> None:
    repo = house.repo()
    break_circuit(house, repo)
    page = Guest(house, Role.VIEWER).get(f"/repos/{repo}")
    assert "Close it and look now" not in page.text
    assert "Change the schedule" not in page.text
    assert "open" in page.text
