"""A report or a baseline of docalign's own lies in the repository: that a name stands in it does not make it true."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PAGE = """# Tool

Call `load_items` and set `APP_LIMIT`. Run `tool --dry-run`, and see `src/app.py`.

The page has `items_per_page`.
"""
CODE = """import argparse, os

LIMIT = os.environ["APP_LIMIT"]


def load_items():
    return []


def items_per_page():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dry-run")
    parser.add_argument("--other")
"""
RENAMED = (
    ("load_items", "fetch_items"),
    ("APP_LIMIT", "APP_MOST"),
    ("--dry-run", "--trial"),
    ("items_per_page", "count"),
)


@pytest.fixture
def drifted(repository: Make) -> Repository:
    repo = repository({"README.md": PAGE, "src/app.py": CODE})
    for old, new in RENAMED:
        repo.replace(old, new, "src/app.py")
    return repo.move("src/app.py", "src/main.py").commit("rename everything")


def told(repo: Repository, since: str = "") -> set[tuple[str, int, str]]:
    return {(m.file, m.line, m.text) for finding in repo.drifted(since=since) for m in finding.mentions}


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("json", "docalign.json"),
        ("json", "report.json"),
        ("sarif", "result.sarif"),
        ("sarif", "result.json"),
        ("html", "report.html"),
        ("markdown", "report.md"),
        ("text", "report.txt"),
        ("concise", "docs/report.txt"),
        ("baseline", ".docalign-baseline.json"),
        ("baseline", "known.json"),
    ],
)
def test_a_report_that_was_committed_hides_nothing_that_it_tells_of(
    drifted: Repository, docalign: Run, form: str, name: str
) -> None:
    before = told(drifted)
    assert len(before) == len(RENAMED) + 1
    if form == "baseline":
        assert docalign("baseline", cwd=drifted.root).returncode == 0
        (drifted.root / ".docalign-baseline.json").rename(drifted.root / name)
    else:
        assert docalign("scan", "--format", form, "--output", name, cwd=drifted.root).returncode == 1
    drifted.commit("keep the report")
    assert told(drifted) == before
    assert told(drifted, since="HEAD~2") == before


def test_a_name_that_the_configuration_suppresses_somewhere_is_not_in_the_code(drifted: Repository) -> None:
    drifted.write({".docalign.yml": "suppress:\n  - claim: load_items\n    file: docs/old.md\n    reason: APP_LIMIT\n"})
    drifted.commit("suppress")
    assert {text for *_, text in told(drifted)} >= {"load_items", "APP_LIMIT"}


def test_a_sentence_that_says_where_in_here_a_file_went_is_no_word_of_another_repository(drifted: Repository) -> None:
    drifted.write({"docs/layout.md": "# Layout\n\nWhat was `src/app.py` is `src/main.py`.\n"}).commit("tell of it")
    assert ("README.md", 3, "src/app.py") in told(drifted, since="HEAD~2")
