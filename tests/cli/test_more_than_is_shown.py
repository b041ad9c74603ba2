"""A change that makes more false than a scan of a change shows: what is left out is said, and how to see it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
NUMBER = 7


@pytest.fixture
def moved(repository: Make) -> Repository:
    """A repository whose last commit moved seven files that its README names."""
    page = "".join(f"Edit `src/part{n}.py`.\n\n" for n in range(NUMBER))
    files = {f"src/part{n}.py": f"x = {n}\n" for n in range(NUMBER)}
    repo = repository({"README.md": page, ".docalign.yml": "verification: {max_claims_per_pr: 5}\n", **files})
    for n in range(NUMBER):
        repo.move(f"src/part{n}.py", f"lib/part{n}.py")
    return repo.commit("move all parts")


@pytest.mark.parametrize("form", ["text", "concise", "markdown", "html"])
def test_what_is_not_shown_is_counted_and_the_setting_named(moved: Repository, docalign: Run, form: str) -> None:
    told = docalign("scan", "--changed-since", "HEAD~1", "--format", form, cwd=moved.root).stdout
    assert "2 more findings are not shown" in told
    assert "verification.max_claims_per_pr" in told.replace("\\_", "_")


def test_programs_are_told_the_number(moved: Repository, docalign: Run) -> None:
    told = docalign("scan", "--changed-since", "HEAD~1", "--format", "json", cwd=moved.root).stdout
    report = json.loads(told)
    assert (len(report["findings"]), report["summary"]["cut"], report["summary"]["drifted"]) == (5, 2, NUMBER)


def test_nothing_is_said_where_all_is_shown(moved: Repository, docalign: Run) -> None:
    moved.write({".docalign.yml": "verification: {max_claims_per_pr: 7}\n"})
    for arguments in (("--changed-since", "HEAD~1"), ()):
        told = docalign("scan", *arguments, cwd=moved.root).stdout
        assert f"{NUMBER} findings" in told
        assert "not shown" not in told


def test_what_the_baseline_knows_takes_no_place(moved: Repository, docalign: Run) -> None:
    assert docalign("baseline", cwd=moved.root).returncode == 0
    moved.write({"README.md": (moved.root / "README.md").read_text() + "See [x](nowhere.md).\n"})
    told = docalign("scan", "--changed-since", "HEAD~1", cwd=moved.root).stdout
    assert "nowhere.md" in told
    assert "not shown" not in told


def test_fix_mends_what_a_scan_would_not_show(moved: Repository, docalign: Run) -> None:
    assert docalign("fix", "--changed-since", "HEAD~1", cwd=moved.root).returncode == 0
    assert (moved.root / "README.md").read_text().count("lib/part") == NUMBER
