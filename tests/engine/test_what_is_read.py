"""What a scan reads, and what it may pass over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.changes import Difference, _apart, _is_touched, _runs
from docalign_actors.engine.facts import Definition, FileFacts
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.reading import Reader
from docalign_actors.engine.workers import Workers
from docalign_actors.hosts.localgit.trees import DiskReader
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def _difference(*removed: str) -> Difference:
    words = frozenset({*(word.lower() for word in removed), *map(_apart, removed)})
    runs = frozenset(run for word in removed for run in _runs(_apart(word)))
    return Difference(set(), set(removed), {}, words=words, runs=runs)


@pytest.mark.parametrize("word", ["dry_run", "dryRun", "DRY_RUN", "APP_DRY_RUN", "dry", "run", "DryRunner_dry_run"])
def test_a_word_is_touched_if_it_shares_all_its_parts_with_a_removed_one_or_holds_it(word: str) -> None:
    assert _is_touched(word, _difference("dry_run"))


@pytest.mark.parametrize("word", ["dry_list", "run_server", "drive", "rundry", ""])
def test_a_word_that_only_resembles_a_removed_one_is_not_touched(word: str) -> None:
    assert not _is_touched(word, _difference("dry_run"))


def test_only_tests_in_which_a_name_occurs_are_read_for_it() -> None:
    read: list[str] = []

    class Facts(FileFacts):
        def __getattribute__(self, name: str) -> object:
            if name == "definitions":
                read.append(super().__getattribute__("language"))
            return super().__getattribute__(name)

    made = Definition("make_items", "make_items", "function", 1)
    files = {"tests/test_a.py": Facts(language="a", definitions=[made]), "tests/test_b.py": Facts(language="b")}
    index = CodeIndex(files, {"make_items": frozenset({"tests/test_a.py"})}, files, frozenset({"make_items"}))
    assert "make_items" in index.test_names
    assert read == ["a"]
    assert "unheard_of" not in index.test_names  # nobody looked for the word: all tests are read
    assert read == ["a", "b"]


def test_a_test_is_parsed_when_its_facts_are_looked_at(repository: Make) -> None:
    repo = repository({"tests/test_a.py": "def make_items(): pass\n", "app.py": "make_items = 1\n"})
    with Workers(1) as workers:
        reader = Reader(None, workers, lambda *_: None)
        code = reader.code([("app.py", "1"), ("tests/test_a.py", "2")], DiskReader(str(repo.root)), ["make_items"])
        assert type(code.files["app.py"]) is FileFacts
        assert type(code.files["tests/test_a.py"]) is not FileFacts
        assert [d.name for d in code.files["tests/test_a.py"].definitions] == ["make_items"]
        assert code.occurrences["make_items"] == {"app.py", "tests/test_a.py"}
