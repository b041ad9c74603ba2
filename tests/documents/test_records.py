"""Documents that were written for one piece of work, and stay as they were when it is done."""

from __future__ import annotations

import pytest

from docalign_actors.engine.owntime import tells_history
from tests.documents.reading import read


@pytest.mark.parametrize(
    "text",
    [
        "# Plan: leave the old client\n\nDelete `client.py`.\n",
        "# The resolver — design proposal (T3)\n\nText.\n",
        "# Modernization PRD\n\nText.\n",
        "# ✅ Broker Package Consolidation - COMPLETE AND WORKING!\n\nText.\n",
        "# Bridge Design\n\n> **Status (2026-03-14):** the endpoints are live, the helpers are in the works.\n",
        "# SDK Improvements Plan\n\nText.\n",
        "# Plugin Architecture Refactoring Summary\n\nText.\n",
        "# Event Package Structure - Current State\n\nText.\n",
        "# Event packages\n\n**Date**: October 12, 2025\n",
        "# Typed protocol\n\nStatus: **awaiting sign-off**. No code yet.\n",
        "# Typed protocol\n\n| Field | Value |\n|---|---|\n| Status | Draft |\n",
        "# Harness\n\n**Status:** spec only. Implementation deferred.\n",
        "# Failures\n\n- **Evidence captured:** 2026-07-31\n",
        "# Inventory\n\nCounts captured on 2026-05-12 against the branch `x`.\n",
        "# Encryption Refactoring Documentation\n\nText.\n",
        "# Architekturanalyse\n\n> Generiert am 2026-04-03 mittels `callvis`.\n",
        "# Rapport\n\nGénéré le 03/04/2026.\n",
        "# Triage\n\nThis document captures the triage decisions for old modules.\n",
        "# Tracing\n\n**Version**: 1.0.0\n**Status**: Draft\n",
        "# PR Spec: completion in the shell\n\nText.\n",
        "# PR-00 — command skeletons\n\nText.\n",
        "# Slice 00: pr roadmap (bootstrap)\n\nText.\n",
        "# Modules — decision journal\n\nText.\n",
        "# Redesign - Live Implementation Tracker\n\nText.\n",
        "# ⚠️ DEPRECATED - the macros\n\nText.\n",
        "# Progress tracker — the whole repository\n\nText.\n",
        "# A better service: upgrade plan (checklist)\n\nText.\n",
        "# Findings\n\n> Every bug has been fixed. This file is kept as the\n> historical record of the audit.\n",
        "# Plugins\n\n**Status:** Phases 0–6 complete. Phase 7 is next.\n",
        "# Client\n\nStatus: **factual inventory, 2026-07-07**.\n",
        "# Commands\n\nThis PR must not change any behaviour.\n",
        "> **Frozen historical record.** Trust `b.md` for what holds now.\n\n# Scoring\n\nText.\n",
    ],
)
def test_a_plan_or_an_inventory_tells_of_its_own_time(text: str) -> None:
    assert read(text, path="docs/dev/work.md").history


@pytest.mark.parametrize(
    "text",
    [
        "# Deployment\n\nStatus: stable. Last updated: 2026-05-12.\n",
        "# Implementation\n\nA summary of the report.\n",
        "# Refactoring tools\n\nText.\n",
        "# Query plan\n\nHow `EXPLAIN` shows the plan.\n",
        "# Usage\n\nText.\n\n## Format\n\nStatus: draft\n",
        "# Queue\n\nA job's status is pending until it is done.\n",
        "# Macros\n\n**Date**: 2025-01-13\n**Last Updated**: 2025-02-13\n",
        "# Deprecated functions are found\n\nText.\n",
        "# deprecated-function\n\nText.\n",
        "# PR checks\n\nText.\n",
        "# Progress bar\n\nText.\n",
    ],
)
def test_a_page_that_is_kept_up_to_date_is_judged(text: str) -> None:
    assert not read(text, path="docs/page.md").history


def test_a_readme_that_says_it_is_kept_for_historical_reference_was_put_away() -> None:
    text = (
        "# Harness\n\nDEPRECATED. The documentation below is kept for historical reference.\n\n## Use\n\nRun `x.py`.\n"
    )

    assert read(text, path="harness/README.md").history
    assert not read(text.replace("historical", "future"), path="harness/README.md").history


def test_a_guide_for_those_who_work_here_is_of_today_whenever_it_was_generated() -> None:
    text = "# Development Guide\n\n**Generated:** 2025-12-11\n\n## Files\n\n`x.py`\n"

    assert not read(text, path="docs/development-guide.md").history
    assert read(text, path="docs/survey.md").history


def test_a_readme_is_of_today_whatever_day_stands_in_it() -> None:
    assert not read("# Tool\n\nCreated: 2020-01-01\n", path="README.md").history


@pytest.mark.parametrize(
    "path",
    [
        "docs/plans/cache.md",
        "docs/modernization-prd.md",
        "PROJECT_PLAN.md",
        "PLAN.md",
        "docs/electron_packaging_plan.md",
        "docs/auth_3278f77a.plan.md",
        "docs/story_09_10_group_chat.md",
        "PHASE_2_COMPLETE.md",
        "journal.md",
        "docs/AUDIT-2026-05-04-FOLLOWUP.md",
        "docs/forensic-2026-05-03/sources.md",
        "docs-old-to-be-deleted/guide.md",
        "workspace/done/78-task/files.md",
        "reports/notes/crossfade.md",
        "dev/log.md",
        "dev/phase-08/coverage.md",
        "docs/Sofortiger-Aktionsplan.md",
        "docs/devlog.md",
        ".planning/milestones/15/notes.md",
        "IMPLEMENTATION_SUMMARY.md",
        "docs/plugin_refactoring_summary.md",
        "docs/api_refactoring_complete_summary.md",
        "docs/copilot-chat.md",
        "docs/archives/backend-README.md",
        "docs/RETRY_COMPLETE_IMPLEMENTATION.md",
        "outputs/PROJ-273-design.md",
        "docs/features/complete/table.md",
        "notes/2025.11.06 - CR - Code Review.md",
        "wrk_journals/one.md",
        "forschung/session_6_reparaturplan.md",
        "specs/implemented/cache.md",
        "docs/module-system-plan-phase3.md",
        "docs/wip/pipeline.md",
        "docs/plan-2-extensions.md",
        "docs/s0/s0_pr00_report.md",
        "docs/s7/spec7.md",
        "internal/planning/redesign.md",
        "docs/phase-1.3-dashboard-spec.md",
        "roadmap_aug10.md",
        "internal/PROGRESS.md",
        "docs/review_20260712.md",
        "docs/backlog/cache.md",
        "docs/src/Outdated/Configuration.md",
        "CACHE_IMPROVEMENTS.md",
    ],
)
def test_a_plan_is_told_by_its_path(path: str) -> None:
    assert tells_history(path)


@pytest.mark.parametrize(
    "path",
    [
        "docs/commands/plan.md",
        "docs/explain-plan.md",
        "docs/design.md",
        "SUMMARY.md",
        "docs/reports/weekly.md",
        "docs/logs.md",
        "openspec/specs/cache/spec.md",
        "docs/journald.md",
        "docs/audit-report.md",
        "docs/history-of-a-story.md",
        "docs/summary-report.md",
        "docs/copilot.md",
        "docs/ISO-8601-dates.md",
        "docs/PROJ-273.md",
        "docs/chat.md",
        "docs/complete.md",
        "docs/query-plan-2.md",
        "docs/plans-and-prices.md",
        "docs/pr-checks.md",
        "docs/spec.md",
        "docs/phases.md",
        "docs/roadmap-command.md",
        "docs/progress.md",
        "docs/backlog.md",
        "docs/improvements.md",
        "docs/device_20261399.md",
    ],
)
def test_what_a_program_calls_a_plan_is_no_record(path: str) -> None:
    assert not tells_history(path)


def present(text: str) -> list[str]:
    """The spans of what tells of today."""
    return [i.text for b in read(text).blocks if not b.historical for i in b.every_inline() if i.kind == "code"]


@pytest.mark.parametrize(("kind", "change"), [("Action", "Create"), ("Change type", "modified"), ("变更类型", "新增")])
def test_a_table_that_says_what_a_piece_of_work_does_to_each_file_tells_of_its_time(kind: str, change: str) -> None:
    rows = f"| File | {kind} |\n|---|---|\n| `src/a.py` | {change} |\n"
    assert present(rows) == []


def test_a_table_of_what_a_program_does_is_of_today() -> None:
    assert present("| Command | Action |\n|---|---|\n| `tool-add` | adds a file |\n") == ["tool-add"]
    assert present("| Key | Use |\n|---|---|\n| `new_file` | New |\n") == ["new_file"]


@pytest.mark.parametrize("title", ["Files to create", "3.3 Files modified", "Implementation plan", "3.3 变更规划"])
def test_a_section_of_a_plan_tells_of_its_time(title: str) -> None:
    assert present(f"# Cache\n\nUses `now`.\n\n## {title}\n\n- `src/a.py`\n") == ["now"]


def test_a_board_of_tasks_that_is_all_front_matter_is_not_read() -> None:
    tasks = "".join(f"  - id: {n}\n    title: Drop `a_{n}`\n" for n in range(300))
    assert present(f"---\ntitle: Board\ntasks:\n{tasks}---\n\nUses `now`.\n") == ["now"]


def test_a_list_of_tasks_some_of_which_are_done_tells_of_its_time() -> None:
    tasks = "".join(f"- [ ] Normalize `VAR_{n}`\n" for n in range(6))
    assert not read(f"# Before each release\n\n{tasks}", path="docs/releasing.md").history
    assert read(f"# Work\n\n{tasks}- [x] Drop `VAR_9`\n", path="docs/tracker.md").history
    assert not read(f"# App\n\n{tasks}- [x] Drop `VAR_9`\n", path="README.md").history
    prose = "".join(f"It reads `VAR_{n}`.\n\n" for n in range(60))
    assert not read(f"# Guide\n\n{prose}{tasks}- [x] Drop `VAR_9`\n", path="docs/guide.md").history


def test_commands_that_were_removed_are_named_as_such() -> None:
    assert present("See the guide for removed commands like `validate` and `show`.\n") == []


def test_a_long_text_between_two_lines_is_read() -> None:
    text = "".join(f"Uses `b_{n}` of it.\n\n" for n in range(300))
    assert present(f"---\n# Text\n\n{text}---\n\nUses `now`.\n")[-1] == "now"
    assert len(present(f"---\n# Text\n\n{text}---\n\nUses `now`.\n")) == 301


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
