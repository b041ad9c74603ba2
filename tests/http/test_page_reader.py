"""The pages on the real application, a real PostgreSQL and real actors: from the form to the row and back to the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from docalign_actors.http.csrf import FIELD, csrf_token
from docalign_actors.http.page_reader import hint_of
from docalign_actors.http.pages import page_routes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.overview import OverviewViews
from docalign_actors.persistence.tokens import Role
from tests.http.house import House, Listener
from tests.support.markup import Document
from tests.support.views import XSS, uid

ORIGIN = {"Origin": "http://127.0.0.1:8080", "Accept": "text/html"}


class Guest:
    """Somebody in front of a browser."""

    def __init__(self, house: House, role: Role) -> None:
        self.house = house
        form = {FIELD: csrf_token(""), "token": house.secret(role)}
        assert house.client.post("/sign-in", data=form, headers=ORIGIN, follow_redirects=False).status_code == 303
        self.session = house.client.cookies["docalign"]

    def get(self, path: str) -> Document:
        answer = self.house.client.get(path, headers=ORIGIN)
        assert answer.status_code == 200, answer.text
        return Document(answer.text)

    def post(self, path: str, **fields: str) -> httpx2.Response:
        form = {FIELD: csrf_token(self.session), **fields}
        return self.house.client.post(path, data=form, headers=ORIGIN, follow_redirects=False)


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database, pages=page_routes) as opened:
        yield opened


@pytest.fixture
def operator(house: House) -> Guest:
    return Guest(house, Role.OPERATOR)


def test_an_empty_service_says_what_to_do(operator: Guest) -> None:
    page = operator.get("/")
    assert "No repository is registered yet. Add the first one" in page.text
    assert "healthy" in page.text


def test_a_folder_is_added_scanned_and_removed_by_forms_alone(operator: Guest, git_folder: Path) -> None:
    added = operator.post("/repos", url=str(git_folder))
    assert added.status_code == 303
    page = operator.get(added.headers["location"])
    assert page.all("h1")[0].text == git_folder.name
    assert [r.text for r in page.all("a") if r.text == "Full scan"]
    overview = operator.get("/")
    assert "1 scan waits" in overview.text
    removed = operator.post(f"{added.headers['location']}/remove")
    assert removed.headers["location"] == "/repos"
    assert "No repository is registered yet." in operator.get("/repos").text


def test_a_folder_without_a_repository_is_refused_in_the_page(operator: Guest, tmp_path: Path) -> None:
    answer = operator.post("/repos", url=str(tmp_path))
    assert answer.status_code == 422
    assert "DOCALIGN_E408" in Document(answer.text).all("div", role="alert")[0].text


def test_adding_what_is_there_already_starts_no_second_scan(operator: Guest, git_folder: Path) -> None:
    first = operator.post("/repos", url=str(git_folder)).headers["location"]
    assert operator.post("/repos", url=f"{git_folder}/").headers["location"] == first
    assert operator.house.asked == 1


def test_a_running_scan_is_shown_and_cancelled(operator: Guest, house: House) -> None:
    repo = house.repo("payments")
    run = house.scan(repo)
    house.start(run)
    house.store.append_event(run, 1, "progress", {"stage": "index", "done": 3, "total": 9}, "index")
    assert "3 of 9" in operator.get("/").text
    assert operator.post(f"/scans/{run}/cancel", back="/").headers["location"] == "/"
    assert "stopping" in operator.get(f"/scans/{run}").text
    assert "asked for by olga" in operator.get(f"/scans/{run}").text
    with Listener.rung:
        assert Listener.rung.wait_for(lambda: any(name == f"repo/{repo}" for name, _ in Listener.heard), 5)


def test_a_failed_scan_shows_its_code_and_what_to_do(operator: Guest, house: House) -> None:
    run = house.scan(house.repo())
    house.execute(
        "UPDATE scan_runs SET status = 'failed', completed_at = now(), last_error_code = 'DOCALIGN_E106', last_error = %(error)s WHERE id = %(id)s",
        error=XSS.replace("\x00", ""), id=run,
    )  # fmt: skip
    alert = operator.get(f"/scans/{run}").all("div", role="alert")[0].text
    assert "DOCALIGN_E106" in alert
    assert hint_of("DOCALIGN_E106") in alert
    assert "<script>alert(1)</script>" in alert


def test_actors_are_shown_to_people_and_to_programs(operator: Guest, house: House) -> None:
    house.system.ask("repo/x", "hello", 5.0)
    assert "repo/x" in [e.attributes.get("data-key") for e in operator.get("/actors").all("tr")]
    assert "Stack of its thread" in operator.get("/actors/repo/x").text
    assert house.get("/actors", headers={"Accept": "application/json"}).json()["actors"]
    assert house.client.get("/actors/nobody", headers=ORIGIN).status_code == 404


def test_incidents_are_shown_with_the_repositorys_name(operator: Guest, house: House) -> None:
    repo = house.repo("payments")
    house.execute(
        "INSERT INTO actor_incidents (actor, kind, error) VALUES (%(actor)s, 'failed', 'boom')", actor=f"repo/{repo}"
    )
    assert "owner/payments" in operator.get("/incidents").text
    assert "boom" in operator.get("/").text


def test_long_lists_go_on_where_they_ended(operator: Guest, house: House) -> None:
    repo = house.repo()
    for _ in range(53):
        house.scan(repo)
    first = operator.get("/scans?status=queued")
    onwards = [a.attributes["href"] for a in first.all("a") if a.text == "Older"]
    assert len([r for r in first.all("tr") if "data-key" in r.attributes]) == 50
    rest = operator.get(str(onwards[0]))
    assert len([r for r in rest.all("tr") if "data-key" in r.attributes]) == 3


@pytest.mark.parametrize("path", ["/repos", "/scans", "/incidents"])
def test_a_made_up_place_in_a_list_is_a_page_that_says_so(operator: Guest, house: House, path: str) -> None:
    answer = house.client.get(f"{path}?after=WyJ4IiwxXQ", headers=ORIGIN)
    assert answer.status_code == 400
    assert Document(answer.text).all("h1")[0].text == "This cannot be read"


def test_the_worst_repositories_come_first_and_their_scores_in_one_question(house: House) -> None:
    repos = [house.repo(name) for name in ("fine", "bad", "unknown")]
    for repo, score in zip(repos, (99, 40, None), strict=True):
        house.execute(
            "UPDATE repos SET health_score = %(score)s, claims_drifted = 2 WHERE id = %(id)s", score=score, id=repo
        )
    for n, score in enumerate((10, None, 40)):
        house.execute(
            "INSERT INTO health_history (repo_id, at, score, total, verified, drifted) VALUES (%(id)s, now() + %(n)s * interval '1 s', %(score)s, 9, 9, 0)",
            id=repos[1], n=n, score=score,
        )  # fmt: skip
    views = OverviewViews(house.database)
    assert [r.name for r in views.repos(10)] == ["owner/bad", "owner/fine", "owner/unknown"]
    assert views.scores(repos) == {repos[1]: [10, None, 40]}
    assert views.names([*repos, uid(1)]).keys() == {str(r) for r in repos}
    assert (views.figures().repos, views.figures().drifted) == (3, 6)


def test_what_is_known_to_be_false_is_shown_with_its_evidence(operator: Guest, house: House) -> None:
    repo: UUID = house.repo()
    house.execute(
        """INSERT INTO claims (repo_id, fingerprint, kind, rule, text, file, line, mentions, verdict, severity, confidence, message)
           VALUES (%(id)s, 'f1', 'path', 'missing-path', 'docs/old.md', 'README.md', 3, '[{"file": "README.md", "line": 3, "column": 5}]',
                   'drifted', 'high', 0.9, 'There is no `docs/old.md`')""",
        id=repo,
    )
    house.execute(
        """INSERT INTO verification_results (repo_id, fingerprint, verdict, confidence, evidence, fix)
           VALUES (%(id)s, 'f1', 'drifted', 0.9, '[{"text": "renamed to `docs/new.md`"}]', '{"replacement": "docs/new.md", "safe": true}')""",
        id=repo,
    )
    page = operator.get(f"/repos/{repo}")
    assert "There is no docs/old.md" in page.text
    assert page.all("ins")[0].text == "docs/new.md"
    assert "renamed to docs/new.md" in page.text


def test_the_pages_leave_the_api_alone(house: House) -> None:
    assert house.client.get("/livez", headers={"Accept": "text/html"}).headers["content-type"] == "application/json"
    assert house.get("/api/repos", headers={"Accept": "text/html"}).headers["content-type"] == "application/json"
    assert house.get("/nothing").headers["content-type"] == "application/problem+json"
