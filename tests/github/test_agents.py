"""A pull request about which agents are asked: their workflow is told, and the check says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import CheckRun, Repository
from docalign_actors.persistence.database import Database
from docalign_actors.scans.assembly import ScanNumbers
from docalign_actors.scans.referrals import AgentRules
from tests.referrals.questions import claim, question, report, says
from tests.referrals.waiting import hand_in, open_tasks, take
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until

FILES = {"README.md": "# Tool\n\nStart with `src/app.py`.\n", "src/app.py": "RETRIES = 3\n"}
TIMEOUT = claim("timeout")


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


@pytest.fixture
def open_shop(
    database: Database, github: FakeGitHub, processes: SteppedProcesses, repository: Repository
) -> Iterator[Callable[[bool], Workshop]]:
    opened: list[Workshop] = []

    def make(dispatch: bool) -> Workshop:
        shop = Workshop(database, github, processes, ScanNumbers(agents=AgentRules(dispatch=dispatch)))
        opened.append(shop.__enter__())
        github.install("acme", repository)
        processes.wait_for(1).report()
        shop.settle_all()
        return shop

    yield make
    for shop in opened:
        shop.__exit__(None, None, None)


def open_pull(github: FakeGitHub, repository: Repository, processes: SteppedProcesses) -> None:
    github.open_pull(repository, "feature", files={"src/app.py": "RETRIES = 4\n"})
    processes.wait_for(2).report(report(TIMEOUT), referrals=(question(TIMEOUT),))


def the_check(repository: Repository) -> CheckRun:
    (check,) = repository.checks.values()
    return check


def test_the_workflow_is_told_of_the_tasks_and_the_check_of_what_an_agent_found(
    open_shop: Callable[[bool], Workshop], github: FakeGitHub, repository: Repository, processes: SteppedProcesses
) -> None:
    shop = open_shop(True)
    open_pull(github, repository, processes)
    until(lambda: bool(repository.dispatches))
    (sent,) = repository.dispatches
    told: dict[str, Any] = sent["client_payload"]
    (task,) = take(shop)
    assert (sent["event_type"], told["scan_type"], told["trigger_ref"]) == ("docalign-scan", "pr", "1")
    assert (told["task_ids"], told["task_count"]) == ([str(task.id)], 1)
    until(lambda: bool(repository.checks))  # told apart from the dispatch, before or after it
    assert the_check(repository).status == "in_progress"
    hand_in(shop, task, says("drifted", severity="high"))
    processes.wait_for(3).find(1)
    shop.settle_all()
    assert the_check(repository).conclusion == "action_required"
    (comment,) = repository.comments.values()
    assert "An agent found it false: It is 3." in comment.body
    assert len(repository.dispatches) == 1


def test_where_no_workflow_listens_code_alone_decides_and_the_check_says_so(
    open_shop: Callable[[bool], Workshop], github: FakeGitHub, repository: Repository, processes: SteppedProcesses
) -> None:
    shop = open_shop(True)
    repository.dispatch_status = 404
    open_pull(github, repository, processes)
    shop.settle_all()
    check = the_check(repository)
    assert check.conclusion == "success"
    assert "No agent is set up for this repository" in check.summary
    assert "DOCALIGN" in check.summary
    assert "E206" in check.summary
    shop.wait_until(lambda: not open_tasks(shop))
    assert len(processes.started) == 2


def test_a_dispatch_that_github_could_not_take_is_sent_again(
    open_shop: Callable[[bool], Workshop], github: FakeGitHub, repository: Repository, processes: SteppedProcesses
) -> None:
    shop = open_shop(True)
    github.fail("status", status=502, method="POST", path="/dispatches", times=1)
    open_pull(github, repository, processes)
    until(lambda: bool(repository.dispatches), 30)
    assert shop.rows("SELECT state, attempts FROM github_dispatches") in ([("wanted", 1)], [("sent", 1)])


def test_without_dispatch_the_tasks_wait_for_whoever_claims_them(
    open_shop: Callable[[bool], Workshop], github: FakeGitHub, repository: Repository, processes: SteppedProcesses
) -> None:
    shop = open_shop(False)
    open_pull(github, repository, processes)
    (task,) = take(shop)
    hand_in(shop, task, says("verified", cites=False))
    shop.settle_all()
    assert the_check(repository).conclusion == "success"
    assert repository.dispatches == []
