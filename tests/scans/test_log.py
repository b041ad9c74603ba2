"""What the log says of a run."""

from __future__ import annotations

from uuid import UUID

import pytest

from docalign_actors.errors import BadSuppressionError, GitError
from docalign_actors.scans.log import told
from docalign_actors.scans.model import RepoId, Run, RunId, ScanType, Status, Trigger
from docalign_actors.scans.outcomes import Next
from docalign_actors.scans.suppressing import check_suppression

RUN = Run(RunId(UUID(int=1)), 1, RepoId(UUID(int=2)), ScanType.PR, Trigger.PR, Status.RUNNING, pr_number=7)


def test_an_end_is_told_with_what_it_took() -> None:
    level, line = told(RUN, Next(Status.COMPLETED, 1, 0), 2.34)
    assert (level, line) == (
        "INFO", f"pr scan {RUN.id} of pull request 7 of repository {RUN.repo_id}: completed after 2.3 s"
    )  # fmt: skip
    assert told(RUN, Next(Status.QUEUED, 1, 0), 2.34)[1].endswith(": waits for agents")


def test_a_failure_is_a_warning_with_its_code_and_nothing_that_a_terminal_obeys() -> None:
    level, line = told(
        RUN, Next(Status.FAILED, 3, 0, code="DOCALIGN_E106", error="gone\x1b[2J\nroot: x" + "y" * 999), 1
    )
    assert level == "WARNING"
    assert "failed after 1.0 s (DOCALIGN_E106 gone?[2J?root: x" in line
    assert len(line) < 800
    level, line = told(RUN, Next(Status.QUEUED, 1, 0, code="DOCALIGN_E106", error="gone"), 1)
    assert level == "WARNING"
    assert line.endswith(": goes on later (DOCALIGN_E106 gone)")


def test_what_is_wrong_and_what_to_do_are_two_sentences() -> None:
    assert GitError("git failed: no route", hint="Look.").with_hint() == "git failed: no route. Look."
    assert GitError("It failed.", hint="Look.").with_hint() == "It failed. Look."


@pytest.mark.parametrize(
    ("scope", "value"),
    [
        ("claim", "0123456789ab"),
        ("kind", "path"),
        ("kind", "missing-path"),
        ("kind", "behaviour"),
        ("file", "docs/a.md"),
    ],
)
def test_a_suppression_that_can_suppress_something_is_taken(scope: str, value: str) -> None:
    check_suppression(scope, value)


def test_a_kind_that_does_not_exist_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(BadSuppressionError) as refused:
        check_suppression("kind", "symbl")
    assert refused.value.hint == "Did you mean `symbol`?"
