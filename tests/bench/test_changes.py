"""Changes of a history are chosen by lot, the same for the same seed; what is reported on them is counted by what was judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.changes import by_length, by_rule
from bench.corpus import Source
from bench.precision import Judgement
from bench.ranges import Range, choose
from bench.tools import Hit, Outcome
from tests.support.repository import Repository


@pytest.fixture
def history(tmp_path: Path) -> Repository:
    """Forty commits that add a function to the code, one that takes one out, and one that touches a document only."""
    repository = Repository(tmp_path, {"README.md": "# Tool\n", "tool/app.py": "def first_one():\n    pass\n"})
    for number in range(40):
        code = (tmp_path / "tool/app.py").read_text()
        repository.write({"tool/app.py": f"{code}\n\ndef added_{number}():\n    pass\n"}).commit(f"add {number}")
    repository.replace("def first_one():\n    pass\n", "", "tool/app.py").commit("take away")
    return repository.write({"README.md": "# The tool\n"}).commit("document")


def _source(repository: Repository) -> Source:
    return Source("own/tool", repository.git("rev-parse", "HEAD").strip(), "changes")


def test_a_single_commit_is_one_that_takes_something_out_of_code(history: Repository) -> None:
    found = {chosen for seed in range(20) for chosen in choose(history.root, _source(history), seed, 3, 0)}
    base, head = (history.git("rev-parse", name).strip() for name in ("HEAD~2", "HEAD~1"))
    assert found == {Range(base, head, 1)}


def test_longer_ranges_have_the_length_of_a_pull_request(history: Repository) -> None:
    found = choose(history.root, _source(history), 1, 0, 6)
    assert len(found) == 6
    for chosen in found:
        commits = int(history.git("rev-list", "--count", f"{chosen.base}..{chosen.head}"))
        assert commits == chosen.commits
        assert 5 <= commits <= 30


def test_the_last_year_begins_at_the_last_commit_that_is_a_year_older(history: Repository) -> None:
    old, newer = "2020-01-01T00:00:00Z", "2021-06-01T00:00:00Z"
    for number, when in enumerate((old, newer, newer)):
        history.write({"tool/later.py": f"NUMBER = {number}\n"}).commit(on=when)
    base, head = (history.git("rev-parse", name).strip() for name in ("HEAD~2", "HEAD"))
    assert choose(history.root, _source(history), 1, 0, 0, year=True) == [Range(base, head, 2, year=True)]


def test_the_same_seed_chooses_the_same_ranges(history: Repository) -> None:
    assert choose(history.root, _source(history), 7, 2, 4) == choose(history.root, _source(history), 7, 2, 4)
    assert choose(history.root, _source(history), 7, 2, 4) != choose(history.root, _source(history), 8, 2, 4)


def _judgement(claim: str, true: bool, caused: bool, base: str = "a") -> Judgement:
    return Judgement("own/tool", "b", f"id-{claim}", "missing-path", claim, true, "", "", base, caused)


def test_what_was_false_before_and_what_is_not_false_are_told_apart() -> None:
    hits = tuple(Hit((("README.md", 1),), f"{c}: gone", "missing-path", "", f"id-{c}") for c in ("x", "y", "z", "w"))
    known = [
        _judgement("x", true=True, caused=True),
        _judgement("y", true=True, caused=False),
        _judgement("z", true=False, caused=False),
        _judgement("w", true=True, caused=True, base="another"),
    ]
    source = Source("own/tool", "recorded", "changes")
    rows = [(source, Range("a", "b", 1), Outcome(hits)), (source, Range("a", "c", 9), Outcome(error="no"))]
    assert by_length(rows, known).splitlines()[2:] == [
        "| single commits | 1 | 0 | 1 | 4 | 1 | 1 | 1 | 1 |",
        "| 5 to 30 commits | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |",
        "| the last year | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |",
        "| all | 2 | 1 | 1 | 4 | 1 | 1 | 1 | 1 |",
    ]
    assert by_rule(rows, known).splitlines()[2:] == [
        "| missing-path | 1 | 1 | 1 | 1 | 33% |",
        "| all | 1 | 1 | 1 | 1 | 33% |",
    ]
