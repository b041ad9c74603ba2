"""What the documentation began to name after it was gone was never about what is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository

CODE = "def load_settings():\n    pass\n\n\ndef other():\n    pass\n"
GONE = "def other():\n    pass\n"
MANIFEST = '[project]\nname = "tool"\nversion = "1"\n'
SAYS = "# Tool\n\nUse `load_settings` of the other library.\n"


def aged(repo: Repository, commits: int = 20) -> Repository:
    """Puts so many commits on top that what went before is no longer fresh."""
    for number in range(commits):
        repo.write({"tool/counter.py": f"N = {number}\n"}).commit(f"count {number}")
    return repo


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(
        tmp_path, {"pyproject.toml": MANIFEST, "tool/__init__.py": "", "tool/core.py": CODE, "README.md": "# Tool\n"}
    )


def test_a_name_that_the_docs_used_while_it_was_defined_is_missing(repo: Repository) -> None:
    repo.write({"README.md": SAYS}).commit("say it")
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    assert [f.rule for f in aged(repo).drifted()] == ["missing-symbol"]


def test_a_name_that_the_docs_began_to_use_after_it_went_is_not(repo: Repository) -> None:
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    aged(repo).write({"README.md": SAYS}).commit("say it")
    assert aged(repo).drifted() == []


def test_a_document_that_was_moved_since_still_counts_as_having_said_it(repo: Repository) -> None:
    repo.write({"guide.md": SAYS}).commit("say it")
    aged(repo).write({"tool/core.py": GONE}).commit("remove it")
    repo.move("guide.md", "docs/guide.md").commit("move the guide")
    assert [f.file for f in aged(repo).drifted()] == ["docs/guide.md"]


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
    told = (
        "# Tool\n\nIt could raise from `load_settings`.\n\nNote that `load_settings` itself has been fully removed.\n"
    )
    repo.write({"README.md": told}).commit("say it")
    repo.write({"tool/core.py": GONE}).commit("remove it")
    assert repo.drifted() == []
