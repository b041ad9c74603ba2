"""A recipe makes the mutant that it describes, or is called wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as command
from bench import recipes
from bench.corpus import Source, Workshop
from bench.files import git
from bench.recipes import LISTS, build, glob, read
from bench.truth import Truth
from tests.bench.small import FILES
from tests.support.repository import Repository

RENAMED: dict[str, Any] = {
    "id": "reads", "kind": "function", "language": "python", "what": "load_items is called read_items",
    "edits": [{"files": ["**/*.py"], "find": r"\bload_items\b", "replace": "read_items"}],
    "gone": r"load_items", "false": ["README.md:10", "docs/guide.md:3"], "tolerated": ["CHANGELOG.md:3"],
}  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Workshop, Source]:
    root = tmp_path / "repos" / "own+tool"
    root.mkdir(parents=True)
    repository = Repository(root, dict(FILES))
    source = Source("own/tool", repository.git("rev-parse", "HEAD").strip(), "handwritten")
    return Workshop(tmp_path / "work", tmp_path / "repos"), source


def made(shop: tuple[Workshop, Source], tmp_path: Path, *rows: dict[str, Any]) -> list[Truth | str]:
    workshop, source = shop
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"repositories": [{"name": source.name, "commit": source.commit, "mutants": rows}]}))
    [(listed, written)] = read(path)
    assert listed == source
    return list(build(workshop, listed, written))


def test_a_recipe_makes_one_commit_that_leaves_the_docs_as_they_were(
    shop: tuple[Workshop, Source], tmp_path: Path
) -> None:
    [mutant] = made(shop, tmp_path, RENAMED)
    assert isinstance(mutant, Truth)
    checkout = shop[0].checkout(shop[1], mutant.commit, "one")
    assert git(checkout, "rev-parse", "HEAD~1").decode().strip() == shop[1].commit
    assert "def read_items(" in (checkout / "tool/parse_items.py").read_text()
    assert "load_items" in (checkout / "README.md").read_text()
    assert mutant.stale == (("README.md", 10), ("docs/guide.md", 3))
    assert mutant.tolerated == (("CHANGELOG.md", 3),)


def test_files_move_first_and_are_edited_where_they_are_then(shop: tuple[Workshop, Source], tmp_path: Path) -> None:
    edits = [{"files": ["helpers/*.py"], "find": "'(seed)'", "replace": r"'\1s'"}]
    row = {**RENAMED, "kind": "directory", "moves": [["tools", "helpers"]], "edits": edits, "gone": ""}
    [mutant] = made(shop, tmp_path, row)
    assert isinstance(mutant, Truth)
    checkout = shop[0].checkout(shop[1], mutant.commit, "one")
    assert not (checkout / "tools").exists()
    assert (checkout / "helpers/seed_data.py").read_text() == "print('seeds')\n"


def test_a_line_of_a_document_that_moves_is_looked_for_at_its_new_place(
    shop: tuple[Workshop, Source], tmp_path: Path
) -> None:
    row = {**RENAMED, "kind": "directory", "moves": [["docs", "manual"]], "edits": []}
    [mutant] = made(shop, tmp_path, row)
    assert isinstance(mutant, Truth)
    assert mutant.stale == (("README.md", 10), ("manual/guide.md", 3))


def test_a_heading_is_edited_in_the_documents(shop: tuple[Workshop, Source], tmp_path: Path) -> None:
    edits = [{"files": ["README.md"], "find": "^## Quick start here$", "replace": "## First steps"}]
    [mutant] = made(
        shop, tmp_path, {**RENAMED, "kind": "heading", "edits": edits, "gone": "", "false": ["README.md:3"]}
    )
    assert isinstance(mutant, Truth)
    assert "## First steps" in (shop[0].checkout(shop[1], mutant.commit, "one") / "README.md").read_text()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"edits": [{"files": ["**/*.py"], "find": "nowhere", "replace": "x"}]}, "nothing matches nowhere"),
        ({"edits": [{"files": ["*.md"], "find": "load_items", "replace": "x"}]}, "nothing matches load_items"),
        (
            {"edits": [{"files": ["tool/*.py"], "find": "def load", "replace": "def read"}]},
            "tool/__init__.py:1 still has",
        ),
        ({"moves": [["nothing/here", "there"]]}, "there is no nothing/here"),
        ({"false": ["README.md:2"]}, "nothing stands at README.md:2"),
        ({"false": ["docs/none.md:1"]}, "nothing stands at docs/none.md:1"),
        ({"false": []}, "no line becomes false"),
        ({"edits": []}, "it changes nothing"),
    ],
)
def test_a_recipe_that_does_not_do_what_it_says_is_called_wrong(
    shop: tuple[Workshop, Source], tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    [wrong] = made(shop, tmp_path, {**RENAMED, **changed})
    assert isinstance(wrong, str)
    assert said in wrong


@pytest.mark.parametrize("changed", [{"kind": "flag"}, {"flase": ["README.md:1"]}])
def test_a_misspelled_recipe_is_refused(shop: tuple[Workshop, Source], tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"list\.json: reads"):
        made(shop, tmp_path, {**RENAMED, **changed})


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("**/*.py", "a.py", True),
        ("**/*.py", "a/b/c.py", True),
        ("src/*.go", "src/a/b.go", False),
        ("src/**", "src/a/b.go", True),
        ("*.{ts,js}", "a.js", True),
        ("a.py", "axpy", False),
    ],
)
def test_a_star_stays_within_a_folder_and_two_do_not(pattern: str, path: str, fits: bool) -> None:
    assert bool(glob(pattern).fullmatch(path)) is fits


def test_the_command_runs_the_engine_on_the_list_and_names_what_is_wrong(
    shop: tuple[Workshop, Source], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made(shop, tmp_path, RENAMED, {**RENAMED, "id": "moved", "moves": [["none", "there"]]})
    monkeypatch.setattr(recipes, "LISTS", tmp_path)
    workshop, _ = shop
    code = command.main(["handwritten", "--work", str(workshop.work), "--repos", str(workshop.repos), "--list", "list"])
    said = capsys.readouterr()
    assert code == 1
    assert "WRONG    own+tool-moved: there is no none" in said.err
    assert "| function | 1 | 1 (100%) | 1 (100%) |" in said.out


def test_the_lists_of_this_project_can_be_read() -> None:
    for path in LISTS.glob("*.json"):
        for source, written in read(path):
            assert len(source.commit) == 40
            assert written
