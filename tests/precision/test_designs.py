"""A design shows what was to be written: what became of its names is not its business, where its links lead is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository

_CODE = "class RowReader:\n    def read_rows(self):\n        return []\n\n\nclass Kept:\n    pass\n"
_OPEN = "## Tasks\n\n" + "".join(f"- [ ] task {n}\n" for n in range(5))


def _gone(tmp_path: Path, path: str, text: str, since: str) -> list[str]:
    """What is reported of a document that names a class after the class went."""
    repo = Repository(tmp_path, {"README.md": "# Tool\n", path: text, "tool/reader.py": _CODE, "tool/other.py": ""})
    repo.write({"tool/reader.py": "class Kept:\n    pass\n"}).commit("drop the reader")
    return [finding.claim for finding in repo.drifted(since=since)]


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    "text",
    [
        "# Rows\n\n**Version**: 2.0\n**Status**: Detailed Design Document\n\n## Types\n\nUses `RowReader`.\n",
        "# 行\n\n**ステータス**: 設計フェーズ\n\n## 型\n\n`RowReader`\n",
        f"# Row design\n\n## Types\n\nUses `RowReader`.\n\n{_OPEN}",
        "# Rows API Implementation Task Breakdown\n\n## Phase 1\n\nUses `RowReader`.\n",
        "# Documentation Task Specifications\n\n## Task 1\n\nUses `RowReader`.\n",
        "# Engineering Journey — Rows\n\n## Update 2\n\nUses `RowReader`.\n",
        "# Implementation 016: Rows\n\n## Created\n\nUses `RowReader`.\n",
    ],
    ids=[
        "by its status",
        "by its status in Japanese",
        "called a design, with work left to do",
        "a breakdown of tasks",
        "tasks of writers",
        "a journey",
        "a report with a number",
    ],
)
def test_a_name_of_a_design_is_not_missed(tmp_path: Path, text: str, since: str) -> None:
    assert _gone(tmp_path, "docs/rows.md", text, since) == []


@pytest.mark.parametrize(
    "text",
    [
        "# Rows\n\n**Status**: stable\n\n## Types\n\nUses `RowReader`.\n",
        "# Row design\n\n## Types\n\nUses `RowReader`.\n",
        f"# Rows\n\n## Types\n\nUses `RowReader`.\n\n{_OPEN}",
        "# Task Specifications\n\n## Types\n\nUses `RowReader`.\n",
        "# User journey\n\n## Types\n\nUses `RowReader`.\n",
    ],
    ids=[
        "no design",
        "a design that was carried out",
        "a list of tasks alone",
        "tasks of a program",
        "a journey of users",
    ],
)
def test_a_name_that_another_document_has_is_missed(tmp_path: Path, text: str) -> None:
    assert _gone(tmp_path, "docs/rows.md", text, "") == ["RowReader"]


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    "path",
    [
        "tmp/tasks/epic-04-rows/README.md",
        "tasks/task-02-read-rows.md",
        ".github/prompts/016-rows.md",
        "docs/implementation/IMPLEMENTATION_016_ROWS.md",
        "docs/bug-tracking/BUG_TRACKER.md",
    ],
)
def test_a_name_of_a_task_is_not_missed(tmp_path: Path, path: str, since: str) -> None:
    assert _gone(tmp_path, path, "# Rows\n\nThe `RowReader` goes; see `RowReader`.\n", since) == []


@pytest.mark.parametrize("path", ["docs/epic-04-rows/regression.md", "docs/task-queue.md", "docs/tasks/2-rows.md"])
def test_a_name_of_a_document_that_is_merely_about_tasks_is_missed(tmp_path: Path, path: str) -> None:
    assert _gone(tmp_path, path, "# Rows\n\nUses `RowReader`.\n", "HEAD~1") == ["RowReader"]


@pytest.mark.parametrize(
    "title",
    [
        "行读取重构设计",
        "运行时架构与重构蓝图",
        "行讀取遷移計劃",
        "行リーダー移行計画",
        "행 읽기 리팩토링 계획",
        "Row reader refactoring design",
    ],
)
def test_what_is_titled_as_the_plan_of_a_rewrite_is_a_record_in_any_language(tmp_path: Path, title: str) -> None:
    text = f"# {title}\n\n## Types\n\nUses `RowReader`.\n"
    assert _gone(tmp_path, "docs/rows.md", text, "HEAD~1") == []


def test_a_manual_in_another_language_is_no_plan(tmp_path: Path) -> None:
    text = "# 行读取设计与重构\n\n## Types\n\nUses `RowReader`.\n"
    assert _gone(tmp_path, "docs/rows.md", text, "HEAD~1") == ["RowReader"]


def test_a_link_of_a_design_that_leads_nowhere_is_reported(tmp_path: Path) -> None:
    text = "# Rows\n\n**Status**: Design Phase\n\nSee [the API](api.md) and [below](#types-of-rows).\n"
    repo = Repository(tmp_path, {"README.md": "# Tool\n", "docs/rows.md": text, "tool/a.py": ""})

    assert [finding.claim for finding in repo.drifted()] == ["api.md", "#types-of-rows"]
