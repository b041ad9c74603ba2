"""A note that was written once and left, or a journal that only grows, does not say that anything is there today."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.precision.aged import FILES, told
from tests.support.repository import Repository

NOTE = "# Reader\n\nThe rows come from `tool/parts/reader.py`.\n"
TOLD = "tool/parts/reader.py"
REPORT = f"{NOTE}\n## What was implemented\n\n- ✅ rows\n"


def _left(tmp_path: Path, document: str, others: dict[str, str | bytes] | None = None) -> Repository:
    """A document names a file that went later, and nobody has touched it for long."""
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n", document: NOTE, **(others or {})})
    return repo.delete("tool/parts/reader.py").commit("away").age(40)


def test_a_note_that_was_written_once_and_that_nothing_leads_to_is_of_its_own_time(tmp_path: Path) -> None:
    assert told(_left(tmp_path, "dev/reader.md")) == []


def test_a_note_that_another_document_leads_to_is_read_today(tmp_path: Path) -> None:
    repo = _left(tmp_path, "dev/reader.md", {"README.md": "# Tool\n\nSee [the reader](dev/reader.md).\n"})

    assert told(repo) == [("dev/reader.md", TOLD)]


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", ".claude/dev/rules.md"])
def test_a_document_that_everybody_or_a_tool_reads_needs_no_care_to_be_of_today(tmp_path: Path, document: str) -> None:
    assert told(_left(tmp_path, document)) == [(document, TOLD)]


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    ("others", "reported"),
    [
        ({}, False),
        ({"README.md": "# Tool\n\nSee [the reader](docs/reader.md).\n"}, True),
        ({"README.md": "# Tool\n\nSee [all notes](docs/).\n"}, True),
        ({"mkdocs.yml": "site_name: Tool\n"}, True),
    ],
    ids=["led to by nothing", "led to", "in a folder that is led to", "on a site"],
)
def test_what_has_just_gone_is_missed_where_readers_are_led_to(
    tmp_path: Path, since: str, others: dict[str, str | bytes], reported: bool
) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n", "docs/reader.md": REPORT, **others}).age(40)
    repo.delete("tool/parts/reader.py").commit("away")

    assert repo.stale_lines(since=since) == ({("docs/reader.md", 3)} if reported else set())


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_what_has_just_gone_is_missed_in_a_description_that_nothing_leads_to(tmp_path: Path, since: str) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n", "context/reader.md": NOTE}).age(40)
    repo.delete("tool/parts/reader.py").commit("away")

    assert repo.stale_lines(since=since) == {("context/reader.md", 3)}
    assert told(repo.age()) == []


def test_a_change_that_writes_a_note_is_told_what_is_false_in_it(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "docs/reader.md": REPORT}).age(40)
    repo.delete("tool/parts/reader.py").write({"docs/reader.md": REPORT + "\nMore.\n"}).commit("away")

    assert repo.stale_lines(since="HEAD~1") == {("docs/reader.md", 3)}


def test_a_note_that_was_corrected_weeks_after_it_was_written_is_looked_after(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "dev/reader.md": NOTE})
    repo.write({"dev/reader.md": NOTE + "\nMore.\n"}).commit("later", on="2024-06-01")
    repo.delete("tool/parts/reader.py").commit("away").age(40)

    assert told(repo) == [("dev/reader.md", TOLD)]


def test_a_journal_that_is_only_ever_added_to_is_not_held_against_today(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "dev/days.md": NOTE})
    for day in range(9):
        grown = "".join(f"\n## Day {n}\n\nMore.\n" for n in range(day + 1))
        repo.write({"dev/days.md": NOTE + grown}).commit("more", on=f"2024-0{day + 1}-01")
    repo.delete("tool/parts/reader.py").commit("away").age(40)

    assert told(repo) == []


def test_a_document_that_is_rewritten_as_often_is_looked_after(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "dev/days.md": NOTE})
    for day in range(9):
        text = NOTE + f"\n## Now\n\nThis is text {day}.\n"
        repo.write({"dev/days.md": text}).commit("anew", on=f"2024-0{day + 1}-01")
    repo.delete("tool/parts/reader.py").commit("away").age(40)

    assert told(repo) == [("dev/days.md", TOLD)]


def test_how_a_document_was_looked_after_is_told_by_its_commits(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"notes/a.md": "one\ntwo\nthree\n", "b.md": "b\n"})
    repo.write({"notes/a.md": "one\nthree\nfour\nfive\n"}).commit("change", on="2024-06-01")
    repo.move("b.md", "notes/b.md").commit("moved").age(5)
    git = Git(repo.root)

    found = GitHistory(git, WorkingTree(git)).tended(["notes/a.md", "notes/b.md", "never.md"])

    assert sorted(found) == ["notes/a.md", "notes/b.md"]
    a = found["notes/a.md"]
    assert (a.edits, a.added, a.deleted, a.since, a.moved) == (2, 2, 1, 6, False)
    assert a.newest > a.oldest
    assert (found["notes/b.md"].edits, found["notes/b.md"].moved) == (1, True)


CALLED = "# Reading\n\nCall `load_items()` first.\n"


@pytest.mark.parametrize(
    ("others", "reported"),
    [
        ({}, False),
        ({"docs/all.md": "# All\n\n- [reading](reading.md)\n"}, False),
        ({"docs/README.md": "# Tool\n\n- [reading](reading.md)\n"}, True),
        ({"README.md": "# Tool\n\nSee [all of them](docs/).\n"}, True),
        ({"mkdocs.yml": "site_name: Tool\n", "docs/all.md": "# All\n\n- [reading](reading.md)\n"}, True),
    ],
    ids=["led to by nothing", "by a page like it", "by the README", "by the README to its folder", "on a site"],
)
def test_names_of_long_ago_are_missed_where_more_than_pages_alike_lead_to(
    tmp_path: Path, others: dict[str, str | bytes], reported: bool
) -> None:
    code = {"tool/reader.py": "def load_items(path):\n    return path\n\n\ndef send(path):\n    return path\n"}
    pages: dict[str, str | bytes] = {"README.md": "# Tool\n", "docs/reading.md": CALLED, **code, **others}
    repo = Repository(tmp_path, pages)
    repo.replace("load_items", "fetch_all", "tool/reader.py").commit("renamed").age(40)

    assert told(repo) == ([("docs/reading.md", "load_items")] if reported else [])
