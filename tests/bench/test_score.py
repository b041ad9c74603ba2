"""A tool is scored by what it points at beyond what the unmutated repository already gave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.fixes import Certain, leads_to_the_new_name
from bench.recall import Results
from bench.score import misses, score, table, totals
from bench.tools import Hit, Outcome
from bench.truth import Truth, load, save

TRUTH = Truth(
    id="own+tool-option-1", repository="own/tool", part="tuning", kind="option", language="python", old="--dry-run",
    new="--trial", commit="c" * 40, stale=(("README.md", 4), ("docs/a.md", 9)), tolerated=(("CHANGELOG.md", 1),),
)  # fmt: skip


def hit(*places: tuple[str, int], rule: str = "missing-option", text: str = "--dry-run: gone", fix: str = "") -> Hit:
    return Hit(places, text, rule, fix, "id")


def test_a_finding_on_one_stale_line_finds_the_mutant_but_not_every_line() -> None:
    one = score(TRUTH, Outcome((hit(("README.md", 4)),)), None)
    assert (one.found, one.lines, one.missed) == (True, 1, (("docs/a.md", 9),))


def test_a_finding_that_was_there_before_the_change_counts_for_nothing() -> None:
    before = Outcome((hit(("README.md", 4)),))
    one = score(TRUTH, before, before)
    assert not one.found
    assert not one.unrelated


def test_a_finding_elsewhere_is_unrelated_and_one_on_a_tolerated_line_is_not() -> None:
    one = score(TRUTH, Outcome((hit(("docs/b.md", 2)), hit(("CHANGELOG.md", 1)))), None)
    assert [h.places for h in one.unrelated] == [(("docs/b.md", 2),)]


def test_a_finding_that_points_at_a_stale_line_and_elsewhere_is_related() -> None:
    assert not score(TRUTH, Outcome((hit(("docs/b.md", 2), ("README.md", 4)),)), None).unrelated


def test_a_right_fix_is_counted() -> None:
    assert score(TRUTH, Outcome((hit(("README.md", 4), fix="--trial"),)), None).fixed
    assert not score(TRUTH, Outcome((hit(("README.md", 4), fix="--other"),)), None).fixed


def test_the_tables_name_what_was_missed() -> None:
    one = score(TRUTH, Outcome(), None)
    columns = {"docalign": [one]}
    assert "| option | 1 | 0 (0%) |" in table("kind", columns, lambda t: t.kind)
    assert "0 of 2 (0.0%)" in totals(columns)
    assert "--dry-run -> --trial" in misses([one])


def test_results_are_found_again_after_a_stop(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    results.put("docalign", TRUTH.key, Outcome((hit(("README.md", 4)),), 0.5, "", {"claims": 3}))
    again = Results(tmp_path / "results.jsonl").get("docalign", TRUTH.key)
    assert again == results.get("docalign", TRUTH.key)


def test_results_of_a_changed_tool_are_forgotten_and_the_others_kept(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    results.put("docalign", TRUTH.key, Outcome())
    results.put("docrot", TRUTH.key, Outcome())
    results.forget(frozenset({"docalign"}), frozenset({TRUTH.key}))
    again = Results(tmp_path / "results.jsonl")
    assert again.get("docalign", TRUTH.key) is None
    assert again.get("docrot", TRUTH.key) is not None


def test_the_list_of_mutants_survives_the_disk(tmp_path: Path) -> None:
    save(tmp_path / "mutants.json", [TRUTH])
    assert load(tmp_path / "mutants.json") == [TRUTH]


def test_a_document_is_looked_for_where_its_renamed_folder_took_it() -> None:
    truth = Truth(
        "a", "o/r", "heldout", "directory", "go", "src/old/", "src/new/", "c", (("src/old/README.md", 3),), ()
    )
    before = Outcome((hit(("src/old/README.md", 9)),))
    one = score(truth, Outcome((hit(("src/new/README.md", 3)), hit(("src/new/README.md", 9)))), before)
    assert one.found
    assert not one.unrelated


@pytest.mark.parametrize(
    ("kind", "old", "new", "text", "replacement", "right"),
    [
        ("option", "--dry-run", "--trial", "--dry-run", "--trial", True),
        ("option", "--dry-run", "--trial", "--dry-run", "--other", False),
        ("option", "--dry-run", "", "--dry-run", "--trial", False),
        ("file", "src/app.py", "src/main.py", "../src/app.py", "../src/main.py", True),
        ("file", "src/app.py", "src/main.py", "app.py", "main.py", True),
        ("file", "src/app.py", "lib/app.py", "src/app.py", "lib/app.py", True),
        ("file", "src/app.py", "lib/app.py", "src/app.py", "app.py", False),
        ("file", "docs/app.png", "files/app.png", "docs/app.png", "files/app.png", True),
        ("class", "ToolRQ", "ToolNew", "tool_rq.queues.ToolRQ", "tool_rq.queues.ToolNew", True),
        ("heading", "README.md#first-steps", "next-steps", "#first-steps", "#next-steps", True),
        ("parameter", "run(length)", "run(extent)", "length", "extent", True),
        ("default", "size=30", "size=60", "30", "60", True),
        ("version", "python 3.10", "python 3.12", "Python 3.10+", "Python 3.12+", True),
        ("script", "make lint", "make check", "make lint", "make check", True),
        ("env", "APP_DRY_RUN", "APP_TRIAL", "dry-run", "trial", False),
    ],
)
def test_a_certain_fix_is_right_if_it_leads_to_the_new_name(
    kind: str, old: str, new: str, text: str, replacement: str, right: bool
) -> None:
    truth = replace(TRUTH, kind=kind, old=old, new=new)
    said = Outcome((Hit((("README.md", 4),), "gone", edits=(("README.md", 4, text, replacement),)),))
    one = score(truth, said, None)
    assert (bool(one.right), bool(one.wrong)) == (right, not right)
    assert ("WRONG FIX" in misses([one])) is not right
    assert ("| 1 of 1 |" if right else "| 0 of 1 |") in totals({"docalign": [one]})


def test_a_file_that_moved_may_be_told_from_the_documents_own_folder() -> None:
    truth = replace(TRUTH, kind="file", old="docs/pictures/app.png", new="files/pictures/app.png")
    assert leads_to_the_new_name(truth, Certain("docs/a.rst", 1, "pictures/app.png", "../files/pictures/app.png"))
    assert not leads_to_the_new_name(truth, Certain("docs/a.rst", 1, "pictures/app.png", "files/pictures/app.png"))


def test_certain_fixes_of_a_mutant_written_by_hand_are_neither_right_nor_wrong() -> None:
    truth = replace(TRUTH, part="handwritten", old="--dry-run is --trial", new="")
    said = Outcome((Hit((("README.md", 4),), "gone", edits=(("README.md", 4, "--dry-run", "--trial"),)),))
    one = score(truth, said, None)
    assert (one.right, one.wrong) == ((), ())
