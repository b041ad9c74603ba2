"""What a scan reads, and what it may pass over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from docalign_actors.engine.facts import Definition, FileFacts
from docalign_actors.engine.foresight import by_date, past_blobs
from docalign_actors.engine.index import CodeIndex, _NamesElsewhere
from docalign_actors.engine.reading import Reader
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.stakes import TakenAway, folders_of, lost_words, named_by
from docalign_actors.engine.workers import Workers
from docalign_actors.findings.model import Verdict
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import DiskReader, WorkingTree
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@pytest.mark.parametrize(
    "word",
    [
        "dry_run",
        "dryRun",
        "DRY_RUN",
        "dry-run",
        "APP_DRY_RUN",
        "dry",
        "DryRunner_dry_run",
        "port",
        "build",
        "item count",
    ],
)
def test_a_word_is_touched_if_it_shares_what_tells_with_a_removed_one_or_holds_it(word: str) -> None:
    assert TakenAway.of({"dry_run", "DEFAULT_PORT", "newBuildCmd", "maxItemCount"}).touches(word)


@pytest.mark.parametrize("word", ["dry_list", "run_server", "drive", "rundry", "", "experiment", "Validate", "count"])
def test_a_word_that_only_resembles_a_removed_one_is_not_touched(word: str) -> None:
    assert not TakenAway.of({"dry_run", "ValidateExperiment", "maxItemCount"}).touches(word)


CODE = """import os
# reads the settings of the reader
def load(folder, limit=30):
    raise ValueError("no such folder here")
    result = compute(folder)
"""


def test_a_lost_line_takes_away_what_it_defines_and_not_every_word_that_it_has() -> None:
    kept = b"print(folder, compute)\n"
    taken = lost_words("app/load.py", CODE.encode() + kept, kept)
    assert {"load", "limit", "30", "result", "ValueError"} <= taken
    assert taken.isdisjoint({"def", "settings", "reader", "such", "here", "compute", "import"})
    assert {"settings", "such"} <= lost_words("app/load.yaml", CODE.encode() + kept, kept)


def test_a_folder_names_a_file_that_went_only_if_it_went_too() -> None:
    left = folders_of(["docs/guide/start.md", "src/app/run.py"])
    assert set(named_by("docs/guide/old.md", left)) == {"old", "md"}
    assert set(named_by("src/web/pages/index.ts", left)) == {"index", "ts", "pages", "web"}


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


def test_tests_are_not_parsed_for_a_name_of_which_the_past_knows_nothing(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    look = _NamesElsewhere._look_for

    def note(names: _NamesElsewhere, name: str, paths: Sequence[str]) -> bool:
        asked.add(name)
        return look(names, name, paths)

    monkeypatch.setattr(_NamesElsewhere, "_look_for", note)
    repo = repository(
        {
            "README.md": "Call `make_items()`, `make_orders()` and `make_parts()`.\n",
            "tests/test_app.py": "def make_items(): pass\n\n\ndef make_orders(): pass\n",
            "app.py": "def make_orders(): pass\n\n\ndef make_parts(): pass\n",
        }
    )
    repo.write({"app.py": "def run(): pass\n"}).commit()
    assert [finding.claim for finding in repo.drifted()] == ["make_parts"]
    assert asked == {"make_orders", "make_parts"}


def _with_a_past(repository: Make) -> Repository:
    """A function, a variable and a demand of the manifest went long ago, a default was changed then and again by the last commit."""
    repo = repository(
        {
            "README.md": "Call `old_entry()`. Set `APP_LEVEL` first, then `APP_DEPTH`.\n\nThe option `--retry-count` defaults to `3`.\n",
            "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.8"\n',
            "app/main.py": 'import os\nlevel = os.environ["APP_LEVEL"]\ndepth = os.environ["APP_DEPTH"]\ndef old_entry(): pass\n',
            "setup.py": 'from setuptools import setup\nsetup(name="tool", install_requires=["passlib>=1.6"])\n',
            "app/cli.py": 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--retry-count", default=3)\n',
        }
    )
    repo.replace("old_entry", "new_entry", "app/main.py").replace("APP_LEVEL", "APP_HEIGHT", "app/main.py")
    repo.replace("default=3", "default=4", "app/cli.py")
    repo.replace("3.8", "3.12", "pyproject.toml").replace("1.6", "1.7", "setup.py").commit().age()
    repo.git("reset", "-q", "--hard")
    return repo.replace("default=4", "default=5", "app/cli.py").commit()


def test_of_long_ago_all_but_manifests_and_what_the_last_commit_touched_is_looked_into_for_names_only(
    repository: Make,
) -> None:
    repo = _with_a_past(repository)
    tree = WorkingTree(Git(repo.root))
    history = GitHistory(Git(repo.root), tree)
    late, early = by_date(past_blobs(history, tree)[0])
    assert {blob.path for blob in late} == {"app/cli.py", "pyproject.toml", "setup.py"}
    assert {blob.path for blob in early} == {"app/main.py"}


def test_what_a_new_line_contradicts_is_reported_though_it_held_only_long_ago(repository: Make) -> None:
    assert {finding.claim for finding in _with_a_past(repository).drifted()} == {"3", "old_entry"}


def test_who_wants_to_see_what_is_uncertain_is_told_of_long_ago(repository: Make) -> None:
    repo = _with_a_past(repository)
    told = repo.scan(show=frozenset({Verdict.UNCERTAIN})).findings
    assert ("APP_LEVEL", "Too little evidence") in [(f.claim, f.message[:19]) for f in told]
    doubted = repo.drifted(settings=ScanSettings(jobs=1, min_confidence=0.5))
    assert {f.claim for f in doubted} == {"APP_LEVEL", "old_entry", "3"}


_ENTRY = 'def old_entry(first: int) -> int:\n    """Works on both of them."""\n    return first\n'


def test_a_document_that_shares_only_common_words_with_what_changed_is_not_read(repository: Make) -> None:
    repo = repository(
        {
            "app/main.py": _ENTRY,
            "docs/one.md": "Call `old_entry()`.\n",
            "docs/two.md": "Based on an `int`, `def` and `return` of both.\n",
            "docs/three.md": "This is not of interest when it is on the list, if any: `public string type`.\n",
        }
    )
    repo.replace("old_entry", "new_entry", "app/main.py").commit()
    report = repo.scan(since="HEAD~1")
    assert [(f.file, f.claim) for f in report.drifted] == [("docs/one.md", "old_entry")]
    assert report.summary.documents == 1  # `both` stands in a sentence within the code, which defines nothing


def test_an_option_that_is_called_by_a_common_word_is_missed_when_it_goes(repository: Make) -> None:
    options = "".join(f'p.add_argument("--{name}")\n' for name in ("import", "export", "verbose", "quiet"))
    repo = repository(
        {
            "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "app.cli:p"\n',
            "app/cli.py": f"import argparse\np = argparse.ArgumentParser()\n{options}",
            "README.md": "Run `tool --import FILE` or `tool --export FILE`.\n",
        }
    )
    repo.replace("--import", "--load", "app/cli.py").commit()
    assert [f.claim for f in repo.drifted(since="HEAD~1")] == ["--import"]
