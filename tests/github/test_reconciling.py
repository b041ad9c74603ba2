"""What no webhook told us is found all the same."""

from __future__ import annotations

import pytest

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Installation, Repository
from docalign_actors.persistence.database import Database
from docalign_actors.scans.assembly import ScanNumbers
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.messages import ScanFacts
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", {"README.md": "# Tool\n"})


@pytest.fixture
def installation(shop: Workshop, repository: Repository, processes: SteppedProcesses) -> Installation:
    made = shop.github.install("acme", repository)
    processes.wait_for(1).report(facts=ScanFacts("main", repository.git.resolve("main")))
    shop.settle_all()
    return made


def wait_for_rounds(shop: Workshop, number: int) -> None:
    before = len(shop.github.requests("GET", "/commits/HEAD"))
    until(lambda: len(shop.github.requests("GET", "/commits/HEAD")) >= before + number)


def test_a_delivery_that_failed_is_asked_for_again_once(shop: Workshop, repository: Repository) -> None:
    shop.github.hooks.next_fates("fail", "fail")
    shop.github.install("acme", repository)
    shop.github.other_event(repository, "star", "created")  # it failed too, but concerns nobody
    shop.reconcile()
    until(lambda: [t for (t,) in shop.runs("type")] == ["full"])
    shop.github.hooks.wait()
    before = len(shop.github.requests("GET", "/app/hook/deliveries"))
    until(lambda: len(shop.github.requests("GET", "/app/hook/deliveries")) >= before + 2)
    assert len(shop.github.requests("POST", "/attempts")) == 1


def test_a_delivery_that_another_app_was_told_of_is_asked_for_all_the_same(
    shop: Workshop, repository: Repository
) -> None:
    """After the App was replaced, say: both get an event under the same id."""
    shop.github.hooks.next_fates("fail")
    shop.github.install("acme", repository)
    shop.rows(
        "INSERT INTO github_deliveries (app_id, delivery_id, event, status) VALUES (1, %s, 'installation', 'done') RETURNING 1",
        shop.github.hooks.deliveries[-1].guid,
    )
    shop.reconcile()
    until(lambda: [t for (t,) in shop.runs("type")] == ["full"])


def test_deliveries_that_failed_are_found_on_every_page_of_github_s_list(
    shop: Workshop, repository: Repository
) -> None:
    shop.github.hooks.next_fates(*["fail"] * 131)
    shop.github.install("acme", repository)
    for _ in range(130):  # newer ones that concern nobody
        shop.github.other_event(repository, "star", "created")
    shop.reconcile()
    until(lambda: [t for (t,) in shop.runs("type")] == ["full"])


def test_a_delivery_that_fails_time_and_again_is_left_alone(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    shop.github.hooks.url = f"{shop.address}/webhooks/elsewhere"
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.github.hooks.wait()
    shop.reconcile()
    until(lambda: len(shop.github.requests("POST", "/attempts")) == 3)
    wait_for_rounds(shop, 4)
    assert len(shop.github.requests("POST", "/attempts")) == 3


def test_who_is_asked_to_wait_asks_nothing_more(
    shop: Workshop, installation: Installation, repository: Repository
) -> None:
    fault = shop.github.fail("secondary", path="/pulls", retry_after=600, times=None)
    shop.reconcile()
    until(lambda: shop.rows("SELECT FROM github_installations WHERE paused_until > now() + interval '500 seconds'"))
    before = len(shop.github.requests("GET", "/app/hook/deliveries"))
    until(lambda: len(shop.github.requests("GET", "/app/hook/deliveries")) >= before + 3)
    assert fault.hits == 1
    assert not shop.github.requests("GET", "/commits/HEAD")


def test_a_repository_whose_renaming_nobody_told_us_of_gets_its_name(
    shop: Workshop, installation: Installation, repository: Repository, processes: SteppedProcesses
) -> None:
    shop.github.hooks.next_fates("lose", "lose")
    shop.github.rename(repository, "acme/instrument")
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.reconcile()
    processes.wait_for(2).report()
    shop.settle_all()
    assert shop.rows("SELECT full_name FROM github_repos") == [("acme/instrument",)]
    assert [c.conclusion for c in repository.checks.values()] == ["success"]


def test_a_head_that_a_limit_kept_back_is_scanned_when_the_limit_has_passed(
    database: Database, github: FakeGitHub, repository: Repository, processes: SteppedProcesses
) -> None:
    with Workshop(database, github, processes, ScanNumbers(limits=Limits(repository=1))) as shop:
        github.install("acme", repository)
        processes.wait_for(1).report(facts=ScanFacts("main", repository.git.resolve("main")))
        github.open_pull(repository, "one", files={"README.md": "one\n"})
        shop.settle()
        processes.wait_for(2).report()
        second = github.open_pull(repository, "two", files={"README.md": "two\n"})
        shop.settle_all()
        (check,) = [c for c in repository.checks.values() if c.head_sha == second.head]
        assert "this commit is checked then" in check.summary
        shop.reconcile()
        wait_for_rounds(shop, 2)
        assert len(shop.runs("id")) == 2
    tomorrow = SteppedProcesses()
    with Workshop(database, github, tomorrow) as shop:
        shop.rows("UPDATE github_checks SET resumes_at = now() WHERE resumes_at IS NOT NULL RETURNING 1")
        shop.reconcile()
        tomorrow.wait_for(1).report()
        shop.settle_all()
        assert (check.conclusion, check.title) == ("success", "The documentation agrees with the code")


def test_a_pull_request_whose_webhook_never_came_is_scanned(
    shop: Workshop, installation: Installation, repository: Repository, processes: SteppedProcesses
) -> None:
    shop.github.hooks.next_fates("lose")
    pull = shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.reconcile()
    processes.wait_for(2).report()
    shop.settle_all()
    assert [(c.head_sha, c.conclusion) for c in repository.checks.values()] == [(pull.head, "success")]
    wait_for_rounds(shop, 3)
    used = installation.used
    wait_for_rounds(shop, 2)
    assert len(shop.runs("id")) == 2
    assert installation.used == used  # unchanged answers are free


def test_a_push_whose_webhook_never_came_is_scanned(
    shop: Workshop, installation: Installation, repository: Repository, processes: SteppedProcesses
) -> None:
    shop.github.hooks.next_fates("lose")
    after = shop.github.push(repository, {"README.md": "new\n"})
    shop.reconcile()
    assert processes.wait_for(2).job.head == after


def test_a_head_that_a_late_event_pushed_aside_is_scanned_all_the_same(
    shop: Workshop, installation: Installation, repository: Repository, processes: SteppedProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Two pushes within a second, told in the wrong order: GitHub's times do not tell them apart."""
    pull = shop.github.open_pull(repository, "feature", files={"README.md": "one\n"})
    shop.settle()
    moment = shop.github.clock.now()
    monkeypatch.setattr(shop.github.clock, "now", lambda: moment)
    shop.github.hooks.hold()
    for text in ("two\n", "three\n"):
        shop.github.push(repository, {"README.md": text}, branch="feature")
    shop.github.hooks.release(lambda held: held[::-1])
    shop.settle()
    newest = pull.head
    # It may have begun already; then it is cancelled when its process has ended.
    until(lambda: shop.rows("SELECT status FROM scan_runs WHERE commit_sha = %s", newest) == [("cancelled",)])
    shop.reconcile()
    until(lambda: shop.rows("SELECT 1 FROM scan_runs WHERE commit_sha = %s AND status = 'running'", newest))
    until(lambda: newest in {process.job.head for process in processes.started})


def test_a_commit_whose_scan_failed_is_not_asked_for_in_every_round(
    shop: Workshop, installation: Installation, repository: Repository, processes: SteppedProcesses
) -> None:
    shop.github.hooks.next_fates("lose")
    after = shop.github.push(repository, {"README.md": "new\n"})
    shop.reconcile()
    process = processes.wait_for(2)
    assert process.job.head == after
    process.fail("The configuration has a mistake.", "DOCALIGN_E401", permanent=True)
    shop.settle_all()
    wait_for_rounds(shop, 3)
    assert len(shop.runs("id")) == 2
