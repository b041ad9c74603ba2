"""What the documentation began to name after it was gone was never about what is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

CODE = "def load_settings():\n    pass\n\n\ndef other():\n    pass\n"
GONE = "def other():\n    pass\n"
MANIFEST = '[project]\nname = "tool"\nversion = "1"\n'
SAYS = "# Tool\n\nUse `load_settings()` of the other library.\n"


def aged(repo: Repository) -> Repository:
    return repo.age()


OLD_TOO = ScanSettings(jobs=1, min_confidence=0.5)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(
        tmp_path, {"pyproject.toml": MANIFEST, "tool/__init__.py": "", "tool/core.py": CODE, "README.md": "# Tool\n"}
    )


def test_a_name_that_the_docs_used_while_it_was_defined_is_missing(repo: Repository) -> None:
    repo.write({"README.md": SAYS}).commit("say it")
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    assert [f.rule for f in aged(repo).drifted(settings=OLD_TOO)] == ["missing-symbol"]


def test_a_name_that_the_docs_began_to_use_after_it_went_is_not(repo: Repository) -> None:
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    aged(repo).write({"README.md": SAYS}).commit("say it")
    assert aged(repo).drifted(settings=OLD_TOO) == []


def test_a_document_that_was_moved_since_still_counts_as_having_said_it(repo: Repository) -> None:
    repo.write({"guide.md": SAYS}).commit("say it")
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    repo.move("guide.md", "docs/guide.md").commit("move the guide")
    assert [f.file for f in aged(repo).drifted(settings=OLD_TOO)] == ["docs/guide.md"]


def test_a_path_that_the_docs_began_to_name_after_it_went_is_not_missing(repo: Repository) -> None:
    repo.write({"tool/helpers/made_up.py": "x = 1\n"}).commit("add")
    repo.delete("tool/helpers/made_up.py").commit("remove")
    repo.write({"README.md": "# Tool\n\nWrite a plug-in such as `made_up.py`.\n\nSee `tool/helpers/made_up.py`.\n"})
    assert repo.commit("say it").drifted() == []


def test_a_link_is_broken_whenever_it_was_written(repo: Repository) -> None:
    repo.write({"docs/guide.md": "# Guide\n"}).commit("add")
    repo.delete("docs/guide.md").commit("remove")
    repo.write({"README.md": "# Tool\n\nSee [the guide](docs/guide.md).\n"}).commit("link to it")
    assert [f.rule for f in repo.drifted()] == ["missing-link-target"]


def test_a_document_that_says_itself_that_a_thing_is_gone_is_right(repo: Repository) -> None:
    told = "# Tool\n\nIt could raise from `load_settings()`.\n\nNote that `load_settings()` itself has been fully removed.\n"
    repo.write({"README.md": told}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert aged(repo).drifted(settings=OLD_TOO) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a package, not the single `load_settings()` function that tool 1.x uses.",
        "Use the new loader instead of `load_settings()`.",
        "Write a function like `load_settings()` of your own.",
        "Use `load_settings()`, which became the default.",
        "Use the `load_settings()` function provided by the other package.",
        "The API had `load_settings()`.\n\nWith the new design this API no longer exists.",
    ],
)
def test_words_that_deny_a_thing_count_once_it_went_long_ago(repo: Repository, sentence: str) -> None:
    repo.write({"README.md": f"# Tool\n\n{sentence}\n"}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert [f.claim for f in repo.drifted()] == ["load_settings"]
    assert aged(repo).drifted(settings=OLD_TOO) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Settings come from `read_settings()`, not `load_settings()`.",
        "`read_settings()` replaces the legacy synchronous `load_settings()` entirely.",
        "It ignores the older `load_settings()`.",
        "Never `load_settings()`.",
        "There is no compatibility alias for `load_settings()`.",
    ],
)
def test_a_thing_that_is_named_only_to_be_refused_is_not_missed_however_lately_it_went(
    repo: Repository, sentence: str
) -> None:
    repo.write({"README.md": f"# Tool\n\n{sentence}\n"}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert repo.drifted() == []
    assert repo.drifted(since="HEAD~1") == []


def test_a_name_within_another_is_no_mention_of_it(repo: Repository) -> None:
    told = "It replaces the legacy `tool/admin` folder. Calls go through `@tool/admin-kit`."
    repo.write({"README.md": f"# Tool\n\n{told}\n", "tool/admin/a.py": "x = 1\n"}).commit("say it")
    assert repo.delete("tool/admin/a.py").commit("remove it").drifted() == []


def test_a_thing_that_is_refused_once_and_asked_for_beside_is_missed(repo: Repository) -> None:
    told = "Call `load_settings()` first, and not `load_settings()` again."
    repo.write({"README.md": f"# Tool\n\n{told}\n"}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert {f.claim for f in repo.drifted()} == {"load_settings"}


def test_a_word_alone_counts_only_for_a_while(repo: Repository) -> None:
    repo.write({"README.md": "# Tool\n\nThere is `load_settings` too.\n"}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert [f.claim for f in repo.drifted()] == ["load_settings"]
    assert aged(repo).drifted(settings=OLD_TOO) == []


def test_a_name_that_stood_for_another_projects_is_not_missing(repo: Repository) -> None:
    shim = "try:\n    import django_filters\nexcept ImportError:\n    django_filters = None\n"
    repo.write({"README.md": "# Tool\n\nAdd `django_filters` to the apps.\n", "tool/compat.py": shim}).commit("say it")
    repo.write({"tool/compat.py": "x = 1\n"}).commit("remove it")
    assert aged(repo).drifted(settings=OLD_TOO) == []


def test_a_name_that_went_long_ago_is_reported_still(repo: Repository) -> None:
    repo.write({"README.md": SAYS}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert [f.rule for f in repo.drifted()] == ["missing-symbol"]
    assert [f.rule for f in aged(repo).drifted()] == ["missing-symbol"]


def test_a_line_that_the_commit_itself_wrote_knows_what_the_commit_took_away(tmp_path: Path) -> None:
    code = "def basic_send(x):\n    return x\n\n\ndef peer_next(x):\n    return x\n"
    repo = Repository(tmp_path, {"pyproject.toml": '[project]\nname = "tool"\n', "tool/__init__.py": code})
    repo.write({"README.md": "# Tool\n\nCall `tool.basic_send`.\n"}).commit("docs").age()
    repo.write({"tool/__init__.py": "OP_peer_next, OPS = 1, [1, 2]\n"})
    repo.write({"docs/wire.md": "# Wire\n\nThe second operation is `tool.peer_next`.\n"}).commit("change")

    assert repo.stale_lines() == {("README.md", 3)}
