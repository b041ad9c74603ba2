from __future__ import annotations

from concurrent.futures import Future
from uuid import UUID, uuid4

import pytest
from psycopg.types.json import Jsonb

from docalign_actors.errors import ScanLimitError
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.messages import CancelRun
from docalign_actors.scans.model import RunId
from tests.http.house import House, Listener

SHA = "a" * 40


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ({"type": "full"}, {"type": "full", "trigger": "manual", "base_ref": "", "commit_sha": "", "pr_number": None}),
        (
            {"type": "push", "before": "0" * 40, "after": SHA},
            {"type": "push", "trigger": "push", "base_ref": "0" * 40, "commit_sha": SHA, "pr_number": None},
        ),
        (
            {"type": "pr", "number": 7, "base": "main", "head": "feature/x"},
            {"type": "pr", "trigger": "pr", "base_ref": "main", "commit_sha": "feature/x", "pr_number": 7},
        ),
    ],
)
def test_a_scan_is_asked_for(house: House, body: dict[str, object], shown: dict[str, object]) -> None:
    answer = house.post(f"/api/repos/{house.repo()}/scans", body)
    assert answer.status_code == 202
    run = answer.json()["scan_run_id"]
    assert answer.headers["location"] == f"/api/scans/{run}"
    found = house.get(f"/api/scans/{run}").json()
    assert {key: found[key] for key in shown} == shown
    assert (found["status"], found["requested_by"]) == ("queued", "olga")


def test_the_trace_of_a_request_is_the_trace_of_its_scan(house: House) -> None:
    repo = house.repo()
    answer = house.post(f"/api/repos/{repo}/scans", {"type": "full"}, headers={"X-Request-Id": "my-own-trace-1"})
    assert answer.headers["x-request-id"] == "my-own-trace-1"
    run = answer.json()["scan_run_id"]
    assert house.execute("SELECT trace FROM scan_runs WHERE id = %(run)s", run=run) == [("my-own-trace-1",)]


def test_the_same_delivery_starts_one_scan(house: House) -> None:
    repo = house.repo()
    answers = [
        house.post(f"/api/repos/{repo}/scans", {"type": "full"}, headers={"X-Delivery-Id": name}).json()["scan_run_id"]
        for name in ("one", "one", "two")
    ]
    assert answers[0] == answers[1] != answers[2]


@pytest.mark.parametrize("name", ["", "has space", "x" * 201, "\x01"])
def test_a_malformed_delivery_is_refused(house: House, name: str) -> None:
    answer = house.post(f"/api/repos/{house.repo()}/scans", {"type": "full"}, headers={"X-Delivery-Id": name})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {"type": "push", "before": "--upload-pack=x", "after": SHA},
        {"type": "push", "before": SHA, "after": "a\0b"},
        {"type": "push", "before": SHA, "after": "HEAD~1"},
        {"type": "push", "before": SHA},
        {"type": "push", "before": SHA, "after": ""},
        {"type": "push", "before": SHA, "after": "x" * 256},
        {"type": "pr", "number": 0, "base": "main", "head": "x"},
        {"type": "pr", "number": 10**30, "base": "main", "head": "x"},
        {"type": "pr", "number": 1.5, "base": "main", "head": "x"},
        {"type": "pr", "number": True, "base": "main", "head": "x"},
        {"type": "other"},
        {},
        [],
        "full",
    ],
)
def test_a_malformed_scan_is_refused(house: House, body: object) -> None:
    repo = house.repo()
    answer = house.send("POST", f"/api/repos/{repo}/scans", Role.OPERATOR, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert house.asked == 0


def test_an_unknown_field_is_named(house: House) -> None:
    answer = house.post(f"/api/repos/{house.repo()}/scans", {"type": "full", "depht": 3})
    assert answer.status_code == 422
    assert "`depht`" in answer.json()["detail"]


def test_a_scan_of_an_unknown_repository_is_not_found(house: House) -> None:
    assert house.post(f"/api/repos/{uuid4()}/scans", {"type": "full"}).status_code == 404
    assert house.post("/api/repos/nonsense/scans", {"type": "full"}).status_code == 404


def test_scans_are_filtered_by_repository_and_status(house: House) -> None:
    one, other = house.repo("one"), house.repo("other")
    first, second = house.scan(one), house.scan(one)
    third = house.scan(other)
    house.start(first)

    def shown(query: str) -> list[str]:
        return [item["id"] for item in house.get(f"/api/scans{query}").json()["items"]]

    assert shown("") == [str(third), str(second), str(first)]
    assert shown(f"?repo={one}") == [str(second), str(first)]
    assert shown("?status=queued") == [str(third), str(second)]
    assert shown(f"?repo={one}&status=running") == [str(first)]
    assert shown(f"?repo={other}&status=running") == []


def test_a_page_is_not_moved_by_what_comes_later(house: House) -> None:
    repo = house.repo()
    runs = [str(house.scan(repo)) for _ in range(4)]
    first = house.get("/api/scans?limit=2").json()
    house.scan(repo)
    second = house.get(f"/api/scans?limit=2&cursor={first['next_cursor']}").json()
    assert [item["id"] for page in (first, second) for item in page["items"]] == runs[::-1]
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "limit=x", "limit=1&limit=2", "cursor=%00", "cursor=x", "frob=1", "status=odd", "repo=1"],
)
def test_malformed_parameters_are_refused(house: House, query: str) -> None:
    answer = house.get(f"/api/scans?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "DOCALIGN_E420")


def test_a_cursor_of_another_list_is_refused(house: House) -> None:
    repo = house.repo()
    house.repo("another")
    house.scan(repo), house.scan(repo)
    cursor = house.get("/api/scans?limit=1").json()["next_cursor"]
    assert house.get(f"/api/repos?cursor={cursor}").status_code == 400


def test_a_waiting_scan_is_cancelled_at_once(house: House) -> None:
    run = house.scan(house.repo())
    answer = house.post(f"/api/scans/{run}/cancel")
    assert (answer.status_code, answer.json()) == (202, {"scan_run_id": str(run), "status": "cancelled"})
    again = house.post(f"/api/scans/{run}/cancel")
    assert (again.status_code, again.json()["status"]) == (200, "cancelled")
    assert house.get(f"/api/scans/{run}").json()["cancel_reason"] == "asked for by olga"


def test_the_reason_for_a_cancellation_is_kept_with_the_scan(house: House) -> None:
    run = house.scan(house.repo())
    house.post(f"/api/scans/{run}/cancel?reason=wrong%20branch")
    assert house.get(f"/api/scans/{run}").json()["cancel_reason"] == "wrong branch (asked for by olga)"


def test_a_running_scan_is_told_to_stop(house: House) -> None:
    repo = house.repo()
    run = house.scan(repo)
    house.start(run)
    answer = house.post(f"/api/scans/{run}/cancel")
    assert (answer.status_code, answer.json()["status"]) == (202, "running")
    with Listener.rung:
        assert Listener.rung.wait_for(lambda: (f"repo/{repo}", CancelRun(run)) in Listener.heard, 5)


def test_an_unknown_scan_cannot_be_cancelled(house: House) -> None:
    for name in (str(uuid4()), "nonsense"):
        assert house.post(f"/api/scans/{name}/cancel").status_code == 404
        assert house.get(f"/api/scans/{name}").status_code == 404
        assert house.get(f"/api/scans/{name}/findings").status_code == 404
        assert house.get(f"/api/scans/{name}/events").status_code == 404


def test_findings_are_shown_in_their_order_a_page_at_a_time(house: House) -> None:
    run = house.scan(house.repo())
    for n in range(3):
        finding = {
            "id": f"f{n}",
            "rule": "missing-path",
            "kind": "path",
            "verdict": "drifted",
            "severity": "high",
            "confidence": 0.9,
            "claim": "x",
            "message": "gone",
            "evidence": [{"text": "removed"}],
            "mentions": [{"file": "README.md", "line": n + 1, "column": 2}],
            "fix": {"replacement": "y", "safe": True},
        }
        house.execute(
            "INSERT INTO scan_findings VALUES (%(run)s, %(n)s, 'x', %(new)s, %(finding)s)",
            run=run, n=n + 1, new=n == 0, finding=Jsonb(finding),
        )  # fmt: skip
    first = house.get(f"/api/scans/{run}/findings?limit=2").json()
    rest = house.get(f"/api/scans/{run}/findings?limit=2&cursor={first['next_cursor']}").json()
    shown = first["items"] + rest["items"]
    assert [(f["id"], f["file"], f["line"], f["new"]) for f in shown] == [
        ("f0", "README.md", 1, True),
        ("f1", "README.md", 2, False),
        ("f2", "README.md", 3, False),
    ]
    assert shown[0]["fix"] == {"replacement": "y", "safe": True}


def test_a_scan_under_way_shows_how_far_it_is(house: House) -> None:
    run = house.scan(house.repo())
    house.start(run)
    house.store.append_event(run, 1, "progress", {"stage": "index", "done": 3, "total": 9}, "index")
    shown = house.get(f"/api/scans/{run}").json()
    assert (shown["stage"], shown["stage_done"], shown["stage_total"]) == ("index", 3, 9)


def test_a_limit_that_is_reached_is_said_with_when_to_come_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Future[RunId]:
        answer: Future[RunId] = Future()
        answer.set_exception(ScanLimitError())
        return answer

    monkeypatch.setattr(house.services.triggers, "enqueue_full_scan", refuse)
    answer = house.post(f"/api/repos/{house.repo()}/scans", {"type": "full"})
    assert (answer.status_code, answer.json()["code"]) == (429, "DOCALIGN_E405")
    assert answer.headers["retry-after"] == str(12 * 3_600)  # it is noon


def test_asking_for_a_scan_costs_no_query_beyond_the_one_that_writes_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = house.repo()
    house.scan(repo)
    run = RunId(UUID(int=5))
    done: Future[RunId] = Future()
    done.set_result(run)
    monkeypatch.setattr(house.services.triggers, "enqueue_full_scan", lambda *_, **__: done)
    ran: list[object] = []
    monkeypatch.setattr(house.database, "run", lambda *a, **k: ran.append(a))
    assert house.scan(repo) == run
    assert ran == []
