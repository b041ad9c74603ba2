"""GitHub's lists lag behind its writes: what is not found at once is looked for again before it is made anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.persistence.database import Database
from tests.github.test_telling import finding, report
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until


@pytest.fixture
def careful(database: Database, github: FakeGitHub, processes: SteppedProcesses) -> Iterator[Workshop]:
    with Workshop(database, github, processes, second_look=0.2) as opened:
        yield opened


def test_an_answer_that_was_lost_and_a_list_that_is_too_old_make_no_second_check_and_no_second_comment(
    careful: Workshop, processes: SteppedProcesses
) -> None:
    github = careful.github
    repository = github.create_repository("acme/tool", {"README.md": "# Tool\n"})
    github.install("acme", repository)
    processes.wait_for(1).report()
    careful.settle_all()
    for path in ("/check-runs", "/issues/1/comments"):
        github.fail("after", method="POST", path=path)
        github.fail("stale", method="GET", path=path)
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    processes.wait_for(2).report(**report(finding()))
    until(lambda: [c.status for c in repository.checks.values()] == ["completed"], 30)
    careful.settle_all()
    assert len(repository.checks) == 1
    assert len(repository.comments) == 1
    assert len(github.requests("GET", "/check-runs")) >= 2
