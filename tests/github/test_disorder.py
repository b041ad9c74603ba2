"""Many pull requests at once, while webhooks are lost, doubled and fail, and GitHub answers with errors after the effect."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.persistence.database import Database
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.ports import Job
from tests.github.test_telling import finding, report
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcess, SteppedProcesses
from tests.support.waiting import until


class QuickProcesses(SteppedProcesses):
    """Scans that end at once; a pull request with an even head has a finding."""

    def start(self, job: Job, tell: Callable[[object], None]) -> SteppedProcess:
        process = super().start(job, tell)
        if job.type == "pr":
            process.report(**report(*([finding()] if int(job.head[:1], 16) % 2 == 0 else [])))
        else:
            process.report(facts=ScanFacts("main", job.head or "f" * 40))
        return process


@pytest.mark.parametrize("seed", [1, 2])
def test_every_head_gets_one_completed_check_and_every_pull_request_one_comment_at_the_most(
    database: Database, github: FakeGitHub, tmp_path: Path, seed: int
) -> None:
    repositories = [github.create_repository(f"acme/tool{n}", {"README.md": f"# Tool {n}\n"}) for n in range(2)]
    with Workshop(database, github, QuickProcesses()) as shop:
        github.install("acme", *repositories)
        shop.settle_all()
        github.hooks.disturb(seed, lost=0.15, failed=0.1, doubled=0.2)
        for path in ("/check-runs", "/comments"):
            github.fail("after", method="POST", path=path, times=1)
            github.fail("before", method="(POST|PATCH)", path=path, times=1)
        for number in range(4):
            for repository in repositories:
                github.open_pull(repository, f"b{number}", files={"README.md": f"{number}\n"})
                github.clock.advance(2)
                github.push(repository, {"README.md": f"{number} again\n"}, branch=f"b{number}")
        shop.reconcile()
        heads = {(r.full_name, p.head) for r in repositories for p in r.pulls.values()}
        done = "SELECT g.full_name, c.head_sha FROM github_checks c JOIN github_repos g USING (repo_id) WHERE c.final AND c.told = c.wanted"
        until(lambda: heads <= set(shop.rows(done)), 90)
        shop.settle_all()
    for repository in repositories:
        known = [(c.head_sha, c.status) for c in repository.checks.values()]
        assert len(known) == len({sha for sha, _ in known})
        assert {status for _, status in known} == {"completed"}
        for pull in repository.pulls.values():
            assert (pull.head, "completed") in known
            assert len([c for c in repository.comments.values() if c.number == pull.number]) <= 1


def test_the_head_that_people_wait_for_is_told_about_before_those_that_were_pushed_aside(
    database: Database, github: FakeGitHub
) -> None:
    repository = github.create_repository("acme/tool", {"README.md": "# Tool\n"})
    with Workshop(database, github, QuickProcesses()) as shop:
        github.install("acme", repository)
        shop.settle_all()
        ((installation,),) = shop.rows("SELECT id FROM github_installations")
        shop.outbox.pause(installation, SystemClock().now() + timedelta(hours=1), "GitHub wants a rest")
        pull = github.open_pull(repository, "b", files={"README.md": "0\n"})
        for number in range(1, 4):
            github.clock.advance(2)
            github.push(repository, {"README.md": f"{number}\n"}, branch="b")
            shop.settle()
        until(lambda: len(shop.rows("SELECT FROM github_checks")) == 4)
        until(lambda: not shop.rows("SELECT FROM scan_runs WHERE completed_at IS NULL"))
        told: list[str] = []
        while (head := shop.outbox.next_head(installation, SystemClock().now())) is not None:
            told.append(head.sha)
            shop.outbox.settle(head)
    assert (len(set(told)), told[0]) == (4, pull.head)
