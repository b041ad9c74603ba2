"""Mutants are commits on top of the recorded one; a checkout has the whole history and the stale docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import truth
from bench.corpus import Source, Workshop
from bench.files import git
from bench.tools import grep, hits_in_json
from tests.bench.small import FILES
from tests.support.repository import Repository


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Workshop, Source]:
    root = tmp_path / "repos" / "own+tool"
    root.mkdir(parents=True)
    repository = Repository(root, dict(FILES))
    source = Source("own/tool", repository.git("rev-parse", "HEAD").strip(), "tuning")
    return Workshop(tmp_path / "work", tmp_path / "repos"), source


def test_a_mutant_is_one_commit_with_the_docs_as_they_were(shop: tuple[Workshop, Source]) -> None:
    workshop, source = shop
    [mutant] = [t for t in truth.build(workshop, source, seed=1, most=9) if t.old == "tool.parse_items"]
    checkout = workshop.checkout(source, mutant.commit, "one")
    assert git(checkout, "rev-parse", "HEAD~1").decode().strip() == source.commit
    assert not (checkout / "tool/parse_items.py").exists()
    assert (checkout / "README.md").read_text() == FILES["README.md"]
    assert not git(checkout, "status", "--porcelain")


def test_the_same_mutant_has_the_same_commit_in_every_run(shop: tuple[Workshop, Source]) -> None:
    workshop, source = shop
    first = truth.build(workshop, source, seed=1, most=1)
    assert truth.build(workshop, source, seed=1, most=1) == first


def test_the_plain_grep_finds_a_renamed_function(shop: tuple[Workshop, Source]) -> None:
    workshop, source = shop
    [mutant] = [t for t in truth.build(workshop, source, seed=1, most=9) if t.old == "load_items"]
    found = {
        place for hit in grep(Path(), workshop.checkout(source, mutant.commit, "two")).hits for place in hit.places
    }
    assert set(mutant.stale) <= found


def test_findings_are_read_out_of_any_json() -> None:
    data = {"findings": [{"doc": "README.md", "line": 3, "message": "gone"}, {"file": "src/a.py", "line": 1}]}
    assert [hit.places for hit in hits_in_json(data)] == [(("README.md", 3),)]
