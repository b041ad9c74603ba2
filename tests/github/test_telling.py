"""What a pull request is told: one check for each head, one comment at the most, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import CheckRun, Installation, Pull, Repository
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.github.words import MARKER
from docalign_actors.scans.messages import ScanFacts
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until

FILES = {"README.md": "# Tool\n\nStart with `src/app.py`.\n", "src/app.py": "def run():\n    return 1\n"}


def finding(name: str = "src/app.py", severity: Severity = Severity.HIGH, mentions: int = 1) -> Finding:
    places = tuple(Mention("README.md", line + 3, 13, name) for line in range(mentions))
    evidence = (Evidence("deleted", "src/app.py", 0, "c" * 40),)
    message = f"`{name}` is not there any more"
    return Finding(
        f"id-{name}",
        "missing-path",
        "path",
        Verdict.DRIFTED,
        severity,
        0.9,
        name,
        message,
        places,
        evidence,
        Fix("src/main.py", True),
        f"claim-{name}",
    )


def report(*findings: Finding, threshold: str = "low", wordy: bool | None = None) -> dict[str, Any]:
    drifted = len(findings)
    made = Report(Summary(claims=5, verified=5 - min(drifted, 5), drifted=drifted), list(findings))
    facts = ScanFacts("main", "f" * 40, max_claims=200, threshold=threshold, comment_when_clean=wordy)
    return {"report": made, "facts": facts}


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


@pytest.fixture
def installation(shop: Workshop, repository: Repository, processes: SteppedProcesses) -> Installation:
    made = shop.github.install("acme", repository)
    processes.wait_for(1).report()
    shop.settle_all()
    return made


@pytest.fixture
def pull(shop: Workshop, installation: Installation, repository: Repository) -> Pull:
    made = shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    return made


def checks(repository: Repository) -> list[CheckRun]:
    return list(repository.checks.values())


def bodies(repository: Repository) -> list[str]:
    return [c.body for c in repository.comments.values()]


def test_a_check_is_in_progress_before_the_scan_ends_and_concluded_after(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    process = processes.wait_for(2)
    until(lambda: [c.status for c in checks(repository)] == ["in_progress"])
    process.report(**report(finding()))
    shop.settle_all()
    (check,) = checks(repository)
    assert (check.status, check.conclusion, check.head_sha) == ("completed", "action_required", pull.head)
    assert check.title == "1 statement of the documentation would be false"
    assert check.details_url.startswith("https://docs.example.org/scans/")
    assert [(a["path"], a["start_line"], a["annotation_level"]) for a in check.annotations] == [
        ("README.md", 3, "failure")
    ]
    assert len(bodies(repository)) == 1
    assert bodies(repository)[0].startswith(MARKER)
    assert "`src/app.py` is not there any more" in bodies(repository)[0]


def test_a_pull_request_with_nothing_false_gets_a_green_check_and_no_comment(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    process = processes.wait_for(2)
    until(lambda: [c.status for c in checks(repository)] == ["in_progress"])
    shop.settle()
    before = len(shop.github.requests())
    process.report(**report())
    shop.settle_all()
    assert [(c.conclusion, c.title) for c in checks(repository)] == [
        ("success", "The documentation agrees with the code")
    ]
    assert bodies(repository) == []
    assert [asked.method for asked in shop.github.requests()[before:]] == ["PATCH"]


@pytest.mark.parametrize(
    ("threshold", "severity", "conclusion"),
    [("high", Severity.LOW, "neutral"), ("medium", Severity.MEDIUM, "action_required")],
)
def test_the_repository_s_threshold_decides_what_blocks(
    shop: Workshop,
    pull: Pull,
    repository: Repository,
    processes: SteppedProcesses,
    threshold: str,
    severity: Severity,
    conclusion: str,
) -> None:
    processes.wait_for(2).report(**report(finding(severity=severity), threshold=threshold))
    shop.settle_all()
    assert [c.conclusion for c in checks(repository)] == [conclusion]


def test_a_repository_may_ask_for_a_comment_where_nothing_is_false(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2).report(**report(wordy=True))
    shop.settle_all()
    (body,) = bodies(repository)
    assert "The documentation agrees with the code" in body


def test_the_comment_is_edited_in_place_and_what_was_fixed_is_struck_through(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2).report(**report(finding(), finding("src/other.py")))
    shop.settle_all()
    shop.github.clock.advance(2)
    head = shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    shop.settle()
    processes.wait_for(3).report(**report(finding("src/other.py")))
    shop.settle_all()
    (body,) = bodies(repository)
    assert f"~~`README.md:3`: `src/app.py` is not there any more~~ fixed in `{head[:9]}`" in body
    shop.github.clock.advance(2)
    last = shop.github.push(repository, {"README.md": "newest\n"}, branch="feature")
    shop.settle()
    processes.wait_for(4).report(**report())
    shop.settle_all()
    (body,) = bodies(repository)
    assert "The documentation agrees with the code" in body
    assert (f"fixed in `{head[:9]}`" in body, f"fixed in `{last[:9]}`" in body) == (True, True)
    assert sorted(c.conclusion or "" for c in checks(repository)) == ["action_required", "action_required", "success"]


def test_more_than_fifty_annotations_go_in_several_requests_and_none_twice(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    process = processes.wait_for(2)
    until(lambda: bool(checks(repository)))
    shop.github.fail("after", method="PATCH", path="/check-runs", times=1)
    process.report(**report(finding(mentions=120)))
    shop.settle_all()
    (check,) = checks(repository)
    assert sorted(a["start_line"] for a in check.annotations) == list(range(3, 123))
    assert check.conclusion == "action_required"


def faults() -> Sequence[tuple[str, dict[str, Any]]]:
    return [
        ("after", {"method": "POST", "path": "/check-runs"}),
        ("before", {"method": "POST", "path": "/check-runs"}),
        ("after", {"method": "POST", "path": "/comments"}),
        ("before", {"method": "POST", "path": "/comments"}),
        ("after", {"method": "PATCH", "path": "/check-runs"}),
        ("missing", {"path": "/pulls/1", "times": 1}),
        ("missing", {"method": "POST", "path": "/check-runs", "times": 2}),
        ("secondary", {"retry_after": 1, "times": 2}),
        ("secondary", {"status": 429, "retry_after": 1, "method": "POST"}),
    ]


@pytest.mark.parametrize(("kind", "more"), faults())
def test_whatever_github_does_there_is_one_check_and_one_comment(
    shop: Workshop,
    installation: Installation,
    repository: Repository,
    processes: SteppedProcesses,
    kind: str,
    more: dict[str, Any],
) -> None:
    shop.github.fail(kind, **more)
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    processes.wait_for(2).report(**report(finding()))
    shop.settle_all()
    assert [(c.status, c.conclusion, len(c.annotations)) for c in checks(repository)] == [
        ("completed", "action_required", 1)
    ]
    assert len(bodies(repository)) == 1


def test_a_limit_pauses_the_installation_says_so_and_is_not_taken_for_anything_else(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    process = processes.wait_for(2)
    until(lambda: bool(checks(repository)))
    shop.github.fail("primary", reset_in=3)
    process.report(**report(finding()))
    until(lambda: shop.rows("SELECT pause_reason FROM github_installations WHERE paused_until IS NOT NULL"))
    ((reason,),) = shop.rows("SELECT pause_reason FROM github_installations")
    assert "hourly limit" in reason
    shop.settle_all()
    assert [c.conclusion for c in checks(repository)] == ["action_required"]
    assert shop.rows("SELECT pause_reason FROM github_installations") == [("",)]


def test_a_head_that_was_pushed_away_is_concluded_but_not_commented_on(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    process = processes.wait_for(2)
    shop.github.hooks.next_fates("lose", "lose")
    shop.github.clock.advance(2)
    head = shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    process.report(**report(finding()))
    processes.wait_for(3).report(**report())  # nobody told us of the new head, but it was seen
    shop.settle_all()
    first = pull.heads[0][1]
    assert [(c.head_sha, c.conclusion) for c in checks(repository)] == [(first, "action_required"), (head, "success")]
    assert bodies(repository) == []


def test_a_superseded_scan_s_check_is_concluded_too(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2)
    until(lambda: bool(checks(repository)))
    shop.github.clock.advance(2)
    shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    shop.settle()
    processes.wait_for(3).report(**report())
    shop.settle_all()
    assert [(c.conclusion, c.title) for c in checks(repository)] == [
        ("neutral", "Superseded by a newer commit"),
        ("success", "The documentation agrees with the code"),
    ]


def test_a_scan_that_fails_says_why_and_blocks_nothing(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2).fail("The configuration has @everyone's mistake.", "DOCALIGN_E401", permanent=True)
    shop.settle_all()
    (check,) = checks(repository)
    assert (check.conclusion, check.title) == ("neutral", "The documentation could not be checked")
    assert "DOCALIGN_E401" in check.summary
    assert "@everyone" not in check.summary


def test_a_comment_that_somebody_deleted_is_written_anew_only_if_there_is_something_to_say(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2).report(**report(finding()))
    shop.settle_all()
    repository.comments.clear()
    shop.github.clock.advance(2)
    shop.github.push(repository, {"README.md": "newer\n"}, branch="feature")
    shop.settle()
    processes.wait_for(3).report(**report(finding()))
    shop.settle_all()
    assert len(bodies(repository)) == 1
    repository.comments.clear()
    shop.github.clock.advance(2)
    shop.github.push(repository, {"README.md": "newest\n"}, branch="feature")
    shop.settle()
    processes.wait_for(4).report(**report())
    shop.settle_all()
    assert bodies(repository) == []


def test_an_app_that_may_not_comment_still_gets_its_check_through(
    shop: Workshop, pull: Pull, installation: Installation, repository: Repository, processes: SteppedProcesses
) -> None:
    installation.permissions["issues"] = "read"
    processes.wait_for(2).report(**report(finding()))
    shop.settle_all()
    assert [c.conclusion for c in checks(repository)] == ["action_required"]


def test_a_check_that_is_asked_for_again_does_not_show_old_annotations(
    shop: Workshop, pull: Pull, repository: Repository, processes: SteppedProcesses
) -> None:
    processes.wait_for(2).report(**report(finding()))
    shop.settle_all()
    shop.github.check_event(repository, checks(repository)[0], "rerequested")
    shop.settle()
    processes.wait_for(3).report(**report())
    shop.settle_all()
    latest = checks(repository)[-1]
    assert (latest.conclusion, latest.annotations) == ("success", [])
    assert all(c.status == "completed" for c in checks(repository))
