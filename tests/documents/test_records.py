"""Documents that were written for one piece of work, and stay as they were when it is done."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import tells_history
from tests.documents.reading import read


@pytest.mark.parametrize(
    "text",
    [
        "# Plan: leave the old client\n\nDelete `client.py`.\n",
        "# The resolver — design proposal (T3)\n\nText.\n",
        "# Modernization PRD\n\nText.\n",
        "# Typed protocol\n\nStatus: **awaiting sign-off**. No code yet.\n",
        "# Typed protocol\n\n| Field | Value |\n|---|---|\n| Status | Draft |\n",
        "# Failures\n\n- **Evidence captured:** 2026-07-31\n",
        "# Inventory\n\nCounts captured on 2026-05-12 against the branch `x`.\n",
        "# Triage\n\nThis document captures the triage decisions for old modules.\n",
    ],
)
def test_a_plan_or_an_inventory_tells_of_its_own_time(text: str) -> None:
    assert read(text, path="docs/dev/work.md").history


@pytest.mark.parametrize(
    "text",
    [
        "# Deployment\n\nStatus: stable. Last updated: 2026-05-12.\n",
        "# Query plan\n\nHow `EXPLAIN` shows the plan.\n",
        "# Usage\n\nText.\n\n## Format\n\nStatus: draft\n",
        "# Queue\n\nA job's status is pending until it is done.\n",
    ],
)
def test_a_page_that_is_kept_up_to_date_is_judged(text: str) -> None:
    assert not read(text, path="docs/page.md").history


def test_a_readme_is_of_today_whatever_day_stands_in_it() -> None:
    assert not read("# Tool\n\nCreated: 2020-01-01\n", path="README.md").history


@pytest.mark.parametrize("path", ["docs/plans/cache.md", "docs/modernization-prd.md", "PROJECT_PLAN.md"])
def test_a_plan_is_told_by_its_path(path: str) -> None:
    assert tells_history(path)


@pytest.mark.parametrize("path", ["docs/commands/plan.md", "docs/explain-plan.md", "docs/design.md"])
def test_what_a_program_calls_a_plan_is_no_record(path: str) -> None:
    assert not tells_history(path)


def test_a_text_with_directives_is_restructured_text() -> None:
    text = ".. _label:\n\nTitle\n=====\n\n.. class:: models.Thing\n\n   See :class:`Thing`.\n"
    assert read(text, "text", "docs/models.txt").format == "rst"
    assert read("Title\n=====\n\nDots .. in a text, and `:x:`.\n", "text", "docs/notes.txt").format == "text"


@pytest.mark.parametrize(
    "path",
    ["docs/project_wrapups/ann.md", "docs/ann_gsoc_2021.md", "docs/GSoC2019.md", "ops/outage-postmortem.md", "docs/team-retrospective.md"],
)  # fmt: skip
def test_a_report_of_finished_work_tells_of_its_own_time(path: str) -> None:
    assert tells_history(path)
    assert not tells_history("docs/wrapping-up.md")
    assert not tells_history("docs/gsoc.md")
