"""Entries of navigation, judged by the pages that are there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ONLY = ScanSettings(jobs=1, claim_types=("navigation",))
PAGE = "# A page\n\nWith some words, so that a rename is known as one.\n"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_page_of_mkdocs_is_reported_with_its_new_name(repository: Make, since: str) -> None:
    repo = repository(
        {
            "mkdocs.yml": "site_name: A\nnav:\n  - Home: index.md\n  - Guide: guide/intro.md\n",
            "docs/index.md": PAGE,
            "docs/guide/intro.md": PAGE + "x\n",
        }
    )
    assert repo.scan(settings=ONLY).summary.verified == 2
    repo.move("docs/guide/intro.md", "docs/guide/start.md").commit("rename")
    (finding,) = repo.drifted(since=since, settings=ONLY)
    assert [(m.file, m.line, m.column, m.text) for m in finding.mentions] == [("mkdocs.yml", 4, 12, "guide/intro.md")]
    if not since:
        assert finding.fix is not None
        assert finding.fix.replacement == "guide/start.md"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_page_of_a_toctree_keeps_the_style_of_its_entry(repository: Make, since: str) -> None:
    index = "Acme\n====\n\n.. toctree::\n   :maxdepth: 1\n\n   install\n   The API <api>\n   https://x.y\n   self\n"
    repo = repository(
        {
            "docs/conf.py": "project = 'a'\n",
            "docs/index.rst": index,
            "docs/install.rst": PAGE,
            "docs/api.rst": PAGE + "api\n",
        }
    )
    assert repo.scan(settings=ONLY).summary.verified == 2
    repo.move("docs/install.rst", "docs/setup.rst").commit("rename")
    (finding,) = repo.drifted(since=since, settings=ONLY)
    assert [(m.line, m.text) for m in finding.mentions] == [(7, "install")]
    if not since:
        assert finding.fix is not None
        assert finding.fix.replacement == "setup"


NAV = "nav:\n  - a.md\n  - Gone: gone.md\n"


def test_a_page_that_never_was_is_missing(repository: Make) -> None:
    (finding,) = repository({"mkdocs.yml": NAV, "docs/a.md": PAGE}).drifted(settings=ONLY)
    assert finding.mentions[0].text == "gone.md"


def test_a_page_that_a_plugin_may_make_is_not_missing(repository: Make) -> None:
    assert repository({"mkdocs.yml": NAV + "plugins:\n  - gen-files\n", "docs/a.md": PAGE}).drifted(settings=ONLY) == []


def test_generated_pages_of_sphinx_are_not_missing(repository: Make) -> None:
    index = "A\n=\n\n.. toctree::\n\n   generated/acme\n   api/modules\n"
    repo = repository({"docs/conf.py": "extensions = ['sphinx.ext.autosummary']\n", "docs/index.rst": index})
    assert repo.drifted(settings=ONLY) == []


def test_a_summary_of_mdbook_is_checked(repository: Make) -> None:
    repo = repository(
        {
            "book.toml": '[book]\ntitle = "A"\n',
            "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n",
            "src/one.md": PAGE,
        }
    )
    (finding,) = repo.drifted(settings=ONLY)
    assert [(m.file, m.line, m.text) for m in finding.mentions] == [("src/SUMMARY.md", 4, "two.md")]


@pytest.mark.parametrize("more", [{"docs/.gitignore": "/cli.md\n"}, {"tasks/render.py": 'OUT = ROOT / "cli.md"\n'}])
def test_a_deleted_page_that_is_made_at_build_time_is_not_missing(repository: Make, more: dict[str, str]) -> None:
    nav = "site_name: A\nnav:\n  - Home: index.md\n  - CLI: cli.md\n"
    repo = repository({"mkdocs.yml": nav, "docs/index.md": PAGE, "docs/cli.md": PAGE})
    repo.delete("docs/cli.md").commit()
    assert [f.claim for f in repo.drifted(settings=ONLY)] == ["cli.md"]
    repo.write({**more}).commit()
    assert repo.drifted(settings=ONLY) == []


def test_options_of_a_toctree_that_stand_between_rules_are_no_pages(repository: Make) -> None:
    index = "# A\n\n```{toctree}\n---\nmaxdepth: 3\nhidden:\n---\n\nguide\nlost\n```\n"
    repo = repository({"docs/conf.py": "project = 'a'\n", "docs/index.md": index, "docs/guide.md": PAGE})
    assert repo.scan(settings=ONLY).summary.claims == 2


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_reference_of_sphinx_or_myst_to_a_page_follows_its_new_name(repository: Make, since: str) -> None:
    repo = repository(
        {
            "docs/conf.py": "project = 'a'\n",
            "docs/index.rst": "Acme\n====\n\nSee :doc:`guide/intro`, :doc:`the start </guide/intro>` and :doc:`python:using/index`.\n",
            "docs/more.md": "# More\n\nRead {doc}`guide/intro`, and {doc}`guide/never`.\n",
            "docs/guide/intro.rst": PAGE,
        }
    )
    repo.move("docs/guide/intro.rst", "docs/guide/start.rst").commit("rename")
    mentions = [m for f in repo.drifted(since=since, settings=ONLY) for m in f.mentions]
    assert sorted((m.file, m.column, m.replacement) for m in mentions) == [
        ("docs/index.rst", 11, "guide/start"),
        ("docs/index.rst", 42, "/guide/start"),
        ("docs/more.md", 12, "guide/start"),
    ]
