from __future__ import annotations

import threading
from pathlib import Path
from uuid import uuid4

from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.messages import CancelRun
from docalign_actors.scans.model import RepoId, Request, ScanType, Trigger
from tests.http.house import House, Listener


def test_a_folder_with_a_git_repository_is_registered(house: House, git_folder: Path) -> None:
    answer = house.post("/api/repos", {"url": str(git_folder)})
    assert answer.status_code == 201
    shown = answer.json()
    assert answer.headers["location"] == f"/api/repos/{shown['id']}"
    assert (shown["url"], shown["name"], shown["organisation"]) == (str(git_folder), git_folder.name, "")
    assert house.get(answer.headers["location"]).json() == shown


def test_the_same_address_again_is_the_same_repository(house: House) -> None:
    first = house.post("/api/repos", {"url": "https://github.com/owner/name"})
    again = house.post("/api/repos", {"url": "https://GitHub.com/owner/name.git/"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]


def test_a_folder_without_a_repository_is_refused(house: House, tmp_path: Path) -> None:
    answer = house.post("/api/repos", {"url": str(tmp_path)})
    assert (answer.status_code, answer.json()["code"]) == (422, "DOCALIGN_E408")


def test_a_password_in_an_address_is_refused_and_not_repeated(house: House) -> None:
    answer = house.post("/api/repos", {"url": "https://user:hunter2@example.org/x"})
    assert answer.status_code == 422
    assert "hunter2" not in answer.text
    assert house.get("/api/repos").json()["items"] == []


def test_repositories_are_listed_a_page_at_a_time_newest_first(house: House) -> None:
    names = [f"owner/p{n}" for n in range(5)]
    for name in names:
        house.post("/api/repos", {"url": f"https://github.com/{name}"})
    first = house.get("/api/repos?limit=2").json()
    house.repo("later")
    second = house.get(f"/api/repos?limit=2&cursor={first['next_cursor']}").json()
    third = house.get(f"/api/repos?limit=2&cursor={second['next_cursor']}").json()
    shown = [item["name"] for page in (first, second, third) for item in page["items"]]
    assert shown == names[::-1]
    assert third["next_cursor"] is None


def test_a_removed_repository_is_gone_and_its_scans_end(house: House) -> None:
    repo = house.repo()
    running = house.scan(repo)
    house.start(running)
    waiting = house.scan(repo)
    answer = house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR)
    assert (answer.status_code, answer.content) == (204, b"")
    assert house.get(f"/api/repos/{repo}").status_code == 404
    assert house.get(f"/api/scans/{waiting}").json()["status"] == "cancelled"
    shown = house.get(f"/api/scans/{running}").json()
    assert shown["status"] == "running"
    assert shown["cancel_requested_at"] is not None
    with Listener.rung:
        assert Listener.rung.wait_for(lambda: (f"repo/{repo}", CancelRun(running)) in Listener.heard, 5)


def test_a_repository_is_removed_once(house: House) -> None:
    repo = house.repo()
    assert house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR).status_code == 204
    assert house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR).status_code == 404


def test_no_scan_is_taken_for_a_removed_repository(house: House) -> None:
    repo = house.repo()
    house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR)
    assert house.post(f"/api/repos/{repo}/scans", {"type": "full"}).status_code == 404


def test_a_removed_address_can_be_registered_anew(house: House) -> None:
    repo = house.repo()
    house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR)
    assert house.repo() != repo


def test_an_unknown_repository_is_not_found(house: House) -> None:
    for path in ("", "/health", "/claims"):
        answer = house.get(f"/api/repos/{uuid4()}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "DOCALIGN_E404")


def test_the_health_tells_score_trend_and_history(house: House) -> None:
    repo = house.repo()
    for day, score in ((1, 80), (2, 90)):
        house.execute(
            "INSERT INTO health_history (repo_id, at, score, total, verified, drifted) "
            "VALUES (%(repo)s, %(at)s, %(score)s, 10, 9, 1)",
            repo=repo, at=f"2030-01-0{day}", score=score,
        )  # fmt: skip
    shown = house.get(f"/api/repos/{repo}/health").json()
    assert (shown["score"], shown["trend"]) == (90, "improving")
    assert [point["score"] for point in shown["history"]] == [90, 80]


def test_claims_come_in_the_order_of_the_documents_and_by_verdict(house: House) -> None:
    repo = house.repo()
    for n, verdict in enumerate(["verified", "drifted", "verified", "uncertain"]):
        house.execute(
            "INSERT INTO claims (repo_id, fingerprint, kind, text, file, line, verdict, severity, confidence) "
            "VALUES (%(repo)s, %(n)s, 'path', 'x', %(file)s, %(line)s, %(verdict)s, 'low', 1)",
            repo=repo, n=f"f{n}", file=f"{'ba'[n % 2]}.md", line=10 - n, verdict=verdict,
        )  # fmt: skip
    pages: list[str] = []
    cursor = ""
    while True:
        page = house.get(f"/api/repos/{repo}/claims?limit=1{cursor}").json()
        pages += [item["fingerprint"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert pages == ["f3", "f1", "f2", "f0"]
    assert [c["fingerprint"] for c in house.get(f"/api/repos/{repo}/claims?verdict=verified").json()["items"]] == [
        "f2",
        "f0",
    ]
    assert house.get(f"/api/repos/{repo}/claims?verdict=perhaps").status_code == 400


def test_whoever_asks_for_scans_while_a_repository_is_removed_leaves_nothing_behind(house: House) -> None:
    for round_ in range(5):
        repo = house.repo(f"round-{round_}")
        asked: list[BaseException | None] = []
        going = threading.Barrier(5)

        def ask(
            repo: RepoId = repo, asked: list[BaseException | None] = asked, going: threading.Barrier = going
        ) -> None:
            going.wait(10)
            for n in range(20):
                trigger = Request(repo, ScanType.PUSH, Trigger.PUSH, None, "before", f"{threading.get_ident()}-{n}")
                asked.append(house.ingest(trigger).exception(10))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        going.wait(10)
        assert house.send("DELETE", f"/api/repos/{repo}", Role.OPERATOR).status_code == 204
        for thread in threads:
            thread.join(30)
        left = house.execute("SELECT status, count(*) FROM scan_runs WHERE repo_id = %(repo)s GROUP BY 1", repo=repo)
        assert len(asked) == 80
        assert set(dict(left)) <= {"cancelled"}
        assert sum(dict(left).values()) == asked.count(None)
