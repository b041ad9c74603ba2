"""A document that is written days before a thing goes, and never touched again, tells of the work that took it away."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.precision.aged import FILES
from tests.support.repository import Repository

NOTE = "# Reader\n\nThe rows come from `tool/parts/reader.py`.\n"
SEEN = {("docs/reader.md", 3)}


def _worked(tmp_path: Path, written: str, document: str = "docs/reader.md") -> Repository:
    """A repository begun on the first of May in which a document is written on some day, and a file that it names goes on the 25th
    of June."""
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n"})
    for n in range(8):  # a repository that has a long ago
        repo.commit(f"work {n}")
    repo.write({document: NOTE}).commit("a note", on=written)
    return repo.delete("tool/parts/reader.py").commit("away", on="2024-06-25")


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    ("written", "reported"),
    [("2024-06-12", False), ("2024-06-25", False), ("2024-06-05", True), ("2024-07-20", True)],
    ids=["days before", "the same day", "weeks before", "afterwards"],
)
def test_what_goes_within_a_fortnight_of_a_document_is_what_the_document_is_about(
    tmp_path: Path, since: str, written: str, reported: bool
) -> None:
    # A day that comes afterwards is a clock that was wrong: nothing follows from it.
    assert _worked(tmp_path, written).stale_lines(since=since) == (SEEN if reported else set())


def test_a_document_that_was_touched_after_the_work_speaks_of_today(tmp_path: Path) -> None:
    repo = _worked(tmp_path, "2024-06-12")
    repo.write({"docs/reader.md": f"{NOTE}\nIt is fast.\n"}).commit("more", on="2024-06-30")

    assert repo.stale_lines() == SEEN


def test_a_document_that_the_change_itself_touches_speaks_of_today(tmp_path: Path) -> None:
    repo = _worked(tmp_path, "2024-06-12")
    repo.write({"docs/reader.md": f"{NOTE}\nIt is fast.\n"}).commit("more", on="2024-06-26")

    assert repo.stale_lines(since="HEAD~2") == SEEN


@pytest.mark.parametrize("document", ["docs/README.md", "AGENTS.md", ".claude/rules.md", "docs/architecture.md"])
def test_a_document_that_everybody_takes_for_todays_is_so_from_its_first_day(tmp_path: Path, document: str) -> None:
    assert _worked(tmp_path, "2024-06-12", document).stale_lines() == {(document, 3)}


def test_in_the_first_days_of_a_repository_its_manual_is_written_too(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n"})
    repo.write({"docs/reader.md": NOTE}).commit("a note", on="2024-05-08").age(8)
    repo.delete("tool/parts/reader.py").commit("away", on="2024-05-09")

    assert repo.stale_lines() == SEEN


def test_a_document_that_was_moved_to_where_it_lies_is_older_than_its_path(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n", "notes/reader.md": NOTE})
    for n in range(8):
        repo.commit(f"work {n}")
    (tmp_path / "docs").mkdir()
    repo.move("notes/reader.md", "docs/reader.md").commit("a place for it", on="2024-06-12")
    repo.delete("tool/parts/reader.py").commit("away", on="2024-06-25")

    assert repo.stale_lines() == SEEN


def test_a_history_tells_when_it_began_and_when_each_commit_was_made(tmp_path: Path) -> None:
    repo = _worked(tmp_path, "2024-06-12")
    git = Git(tmp_path)
    history = GitHistory(git, WorkingTree(git))
    head = repo.git("rev-parse", "HEAD").strip()

    assert history.begun() == 1714564800
    assert history.times({head, "0" * 40}) == {head: 1719316800}
    assert history.times(()) == {}
