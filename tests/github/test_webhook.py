"""The webhook over HTTP: who is let in, what is written down, and what follows from it."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
import requests

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Installation, Repository
from docalign_actors.persistence.database import Database
from docalign_actors.scans.assembly import ScanNumbers
from docalign_actors.scans.limits import Limits
from tests.support.github.workshop import Workshop
from tests.support.waiting import until

FILES = {"README.md": "# Tool\n\nStart with `src/app.py`.\n", "src/app.py": "def run():\n    return 1\n"}


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


@pytest.fixture
def installation(shop: Workshop, repository: Repository) -> Installation:
    made = shop.github.install("acme", repository)
    shop.settle()
    return made


def send(shop: Workshop, body: bytes, secret: str | None = None, **headers: str) -> requests.Response:
    key = (shop.github.hooks.secret if secret is None else secret).encode()
    sent = {
        "Content-Type": "application/json", "X-GitHub-Event": "push", "X-GitHub-Delivery": "1-2-3",
        "X-Hub-Signature-256": "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest(), **headers,
    }  # fmt: skip
    return requests.post(f"{shop.address}/webhooks/github", body, headers=sent, timeout=20)


def test_only_what_is_signed_with_the_current_or_the_previous_secret_is_taken(shop: Workshop) -> None:
    body = json.dumps({"zen": "x"}).encode()
    assert send(shop, body, **{"X-GitHub-Event": "ping"}).status_code == 200
    assert send(shop, body, "the one before", **{"X-GitHub-Event": "ping"}).status_code == 200
    for wrong in (
        send(shop, body, "guess"),
        send(shop, body, ""),
        send(shop, body, **{"X-Hub-Signature-256": "sha256="}),
    ):
        assert (wrong.status_code, wrong.json()["code"]) == (401, "DOCALIGN_E433")
    assert send(shop, b"x" * 200_001).status_code == 413
    assert send(shop, body, **{"X-GitHub-Delivery": "no good"}).status_code == 400
    assert shop.rows("SELECT count(*) FROM github_deliveries") == [(0,)]


def test_a_payload_that_cannot_be_read_is_kept_and_shown_and_read_when_it_comes_better(shop: Workshop) -> None:
    answer = send(shop, b'{"ref": 7, "repository": null}')
    assert (answer.status_code, answer.json()) == (202, {"outcome": "unreadable"})
    assert send(shop, b"\xff\xfe not json", **{"X-GitHub-Delivery": "4-5-6"}).status_code == 202
    shown = requests.get(f"{shop.address}/api/github/deliveries", headers=shop.bearer(), timeout=20).json()["items"]
    assert [(d["delivery_id"], d["status"]) for d in shown] == [("4-5-6", "unreadable"), ("1-2-3", "unreadable")]
    assert '"ref": 7' in shown[1]["excerpt"]
    good = json.dumps(
        {"ref": "refs/heads/x", "before": "a", "after": "b", "repository": {"id": 1, "full_name": "a/b"}}
    ).encode()
    assert send(shop, good).json() == {"outcome": "kept"}
    until(lambda: shop.rows("SELECT status FROM github_deliveries WHERE delivery_id = '1-2-3'") == [("done",)])


def test_an_event_that_does_not_concern_us_costs_no_row(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    before = shop.rows("SELECT count(*) FROM github_deliveries")
    shop.github.other_event(repository, "star", "created")
    shop.github.other_event(repository, "check_run", "completed")
    shop.github.ping()
    shop.github.hooks.wait()
    assert all(d.code == 200 for d in shop.github.hooks.deliveries[-3:])
    figures = requests.get(f"{shop.address}/metrics", headers=shop.bearer(), timeout=20).text
    assert 'docalign_webhooks_total{event="other",outcome="ignored"} 2.0' in figures
    assert 'docalign_webhooks_total{event="check_run",outcome="ignored"} 1.0' in figures
    assert shop.rows("SELECT count(*) FROM github_deliveries") == before


def test_an_installation_registers_its_repositories_and_scans_each(shop: Workshop, installation: Installation) -> None:
    assert shop.rows(
        "SELECT r.host, r.name, r.url, g.full_name FROM repos r JOIN github_repos g ON g.repo_id = r.id"
    ) == [("github", "acme/tool", f"{shop.github.address}/acme/tool.git", "acme/tool")]
    assert shop.runs("type", "trigger") == [("full", "scheduled")]


def test_a_pull_request_is_queued_replaced_and_stopped_as_it_goes(
    shop: Workshop, installation: Installation, repository: Repository, processes: Any
) -> None:
    processes.wait_for(1).report()
    pull = shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    processes.wait_for(2)
    shop.github.clock.advance(2)
    head = shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    shop.settle()
    assert processes.wait_for(3).job.head == head
    shop.github.clock.advance(2)
    shop.github.close_pull(repository, pull, merged=True)
    shop.settle()
    until(lambda: [s for (s,) in shop.runs("status")] == ["completed", "cancelled", "cancelled"])
    assert shop.rows("SELECT number, state, head_sha FROM github_pulls") == [(1, "merged", head)]


def test_the_same_delivery_twice_starts_one_scan(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    shop.github.hooks.next_fates("double")
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    opened = shop.github.hooks.deliveries[-1]
    shop.github.hooks.redeliver(opened.id)
    shop.settle()
    assert [t for (t,) in shop.runs("type")] == ["full", "pr"]


def test_events_that_come_in_the_wrong_order_leave_the_newest_head(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    shop.github.hooks.hold()
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.github.clock.advance(2)
    head = shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    shop.github.hooks.release(lambda held: held[::-1])
    shop.settle()
    assert [sha for kind, sha in shop.runs("type", "commit_sha") if kind == "pr"] == [head]


def test_a_push_to_the_default_branch_is_scanned_and_other_pushes_are_not(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    before = repository.git.resolve("main")
    shop.github.push(repository, {"x.md": "x"}, branch="other", start="main")
    after = shop.github.push(repository, {"README.md": "new\n"})
    shop.settle()
    assert shop.runs("type", "base_ref", "commit_sha")[1:] == [("push", before, after)]


def test_an_uninstalled_app_leaves_nothing_open_and_comes_back_afresh(
    shop: Workshop, installation: Installation, repository: Repository, processes: Any
) -> None:
    processes.wait_for(1)
    shop.github.installation_event(installation, "deleted")
    shop.settle()
    until(lambda: [s for (s,) in shop.runs("status")] == ["cancelled"])
    assert shop.rows("SELECT count(*) FROM github_repos") == [(0,)]
    shop.github.install("acme", repository)
    shop.settle()
    assert [t for (t,) in shop.runs("type")] == ["full", "full"]
    assert len(shop.rows("SELECT FROM repos WHERE removed_at IS NULL")) == 1


def test_a_repository_that_went_to_another_installation_is_not_lost_when_the_first_one_gives_it_up_late(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    known = shop.rows("SELECT repo_id FROM github_repos")
    other = shop.github.install("globex")
    shop.github.change_repositories(other, added=[repository])
    shop.github.change_repositories(installation, removed=[repository])
    shop.settle()
    assert shop.rows("SELECT repo_id FROM github_repos") == known
    assert shop.rows("SELECT installation_id FROM github_repos") == [(other.id,)]
    shop.github.change_repositories(other, removed=[repository])
    shop.settle()
    assert shop.rows("SELECT FROM github_repos") == []


def test_a_renamed_repository_keeps_its_id_and_gets_its_new_address(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    shop.github.rename(repository, "acme/instrument")
    shop.settle()
    assert shop.rows("SELECT r.url, r.name FROM repos r") == [
        (f"{shop.github.address}/acme/instrument.git", "acme/instrument")
    ]


def test_a_check_that_somebody_asks_for_again_scans_the_same_head_again(
    shop: Workshop, installation: Installation, repository: Repository, processes: Any
) -> None:
    processes.wait_for(1).report()
    pull = shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    processes.wait_for(2).report()
    until(lambda: shop.runs("status")[1] == ("completed",))
    body = {"check_run": {"head_sha": pull.head, "app": {"id": shop.github.app.id}}}
    shop.github.other_event(repository, "check_run", "rerequested", **body)
    shop.settle()
    assert shop.runs("type", "commit_sha")[1:] == [("pr", pull.head)] * 2


def test_a_webhook_that_was_lost_registers_its_repository_by_the_next_one(
    shop: Workshop, repository: Repository
) -> None:
    shop.github.hooks.next_fates("lose")
    shop.github.install("acme", repository)
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    assert [t for (t,) in shop.runs("type")] == ["full", "pr"]


def test_a_database_that_is_away_makes_github_count_the_delivery_as_failed(
    shop: Workshop, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from docalign_actors.errors import DatabaseError

    def away(_: object) -> None:
        raise DatabaseError("The database cannot be reached.")

    with monkeypatch.context() as patch:
        patch.setattr(shop.inbox, "keep", away)
        shop.github.install("acme", repository)
        shop.github.hooks.wait()
    failed = shop.github.hooks.deliveries[-1]
    assert failed.code == 503
    shop.github.hooks.redeliver(failed.id)
    shop.settle()
    assert [t for (t,) in shop.runs("type")] == ["full"]


def test_a_scan_that_gets_no_token_fails_its_attempt_and_is_tried_again(
    shop: Workshop, repository: Repository, processes: Any
) -> None:
    shop.github.fail("before", path="access_tokens")
    shop.github.install("acme", repository)
    processes.wait_for(1).report()
    until(lambda: shop.runs("status", "attempt") == [("completed", 2)])


def test_a_scan_beyond_the_daily_limit_says_so_in_its_check(
    database: Database, github: FakeGitHub, repository: Repository, processes: Any
) -> None:
    with Workshop(database, github, processes, ScanNumbers(limits=Limits(repository=1))) as shop:
        github.install("acme", repository)
        processes.wait_for(1).report()
        github.open_pull(repository, "one", files={"README.md": "one\n"})
        shop.settle()
        processes.wait_for(2).report()
        second = github.open_pull(repository, "two", files={"README.md": "two\n"})
        shop.settle_all()
        (check,) = [c for c in repository.checks.values() if c.head_sha == second.head]
        assert (check.conclusion, check.title) == ("neutral", "Not checked: a limit is reached")
        assert "begins anew" in check.summary
