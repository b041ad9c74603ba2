"""A manual that no site is made of is read where it lies, as a README is."""

from __future__ import annotations

import pytest

from tests.precision.aged import SITE, told
from tests.support.repository import Repository

_LONG = "# Part\n\nThis page tells enough to be known again where it lies now.\n"


@pytest.fixture
def plain(repo: Repository) -> Repository:
    return repo.delete(SITE).commit("no site")


def test_links_and_anchors_that_never_led_anywhere_are_missed(plain: Repository) -> None:
    plain.write({"docs/guide.md": "[a](never.md), [b](page.md#never)\n", "docs/page.md": "# Page\n"}).commit("say it")
    assert told(plain.age()) == [("docs/guide.md", "never.md"), ("docs/guide.md", "#never")]


def test_a_link_to_a_folder_is_missed_if_the_folder_is_there_seen_from_elsewhere(plain: Repository) -> None:
    links = "[a](../tool/parts/), [b](../tool/), [c](../other/parts)\n"
    plain.write({"samples/small/README.md": links}).commit("say it")
    (finding,) = plain.age().drifted()
    assert (finding.claim, finding.fix and finding.fix.replacement) == ("../tool/parts/", "../../tool/parts/")


def test_no_page_is_made_of_what_is_already_html(plain: Repository) -> None:
    plain.write(
        {"docs/old.html": "<p>a</p>", "docs/new.md": "# New\n", "README.md": "[a](docs/old.md), [b](docs/new.html)\n"}
    )
    assert told(plain.commit("say it").age()) == [("README.md", "docs/old.md")]


def test_a_path_that_went_is_missed_if_it_is_told_with_its_folder(plain: Repository) -> None:
    plain.write({"docs/parts.md": "The reader is in `tool/parts/reader.py`, or `reader.py`.\n"}).commit("say it")
    assert told(plain.delete("tool/parts/reader.py").commit("remove it").age()) == [
        ("docs/parts.md", "tool/parts/reader.py")
    ]


def test_a_demand_that_the_manifest_left_behind_is_missed(plain: Repository) -> None:
    plain.write({"docs/install.md": "## Requirements\n\n- Python 3.10+\n"}).commit("say it")
    plain.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert plain.age().stale_lines() == {("docs/install.md", 3)}


@pytest.mark.parametrize(
    "sign",
    [
        "mkdocs.yml", "docs/.vitepress/config.ts", "website/docusaurus.config.ts", "docs/conf.py", "docs/_sidebar.md", "astro.config.mjs",
        "docs/index.html", "_config.yml", "docs/SUMMARY.md", "docs/other.mdx", "docs/sidebars.js", "docs/hugo.toml", "docs/source/_toctree.yml", "docs/toc.yml", "docs/_layouts/a.html",
    ],
)  # fmt: skip
def test_a_site_has_its_own_idea_of_where_a_link_leads(plain: Repository, sign: str) -> None:
    plain.write({"docs/guide.md": "[a](never.md)\n", sign: "a: 1\n"}).commit("say it")
    assert told(plain.age()) == []


@pytest.mark.parametrize(
    "name", ["docs/guide.rst", "docs/_part.md", "website/guide.md", "examples/docs/guide.md", "notes/a.md"]
)
def test_a_page_that_only_a_site_shows_is_none_of_those(plain: Repository, name: str) -> None:
    link = "`a <never.md>`_\n" if name.endswith(".rst") else "[a](never.md)\n"
    plain.write({name: link}).commit("say it")
    assert told(plain.age()) == []


def test_a_page_with_front_matter_is_made_for_a_site_of_another_repository(plain: Repository) -> None:
    plain.write({"docs/guide.md": "---\ntitle: Guide\n---\n\n[a](never.md)\n"}).commit("say it")
    assert told(plain.age()) == []


def test_the_words_of_a_link_that_leads_to_a_file_may_be_older_than_the_link(repo: Repository) -> None:
    repo.write({"docs/part.md": _LONG, "README.md": "See [docs/part.md](docs/part.md) and `docs/part.md`.\n"}).commit(
        "say it"
    )
    repo.delete("docs/part.md").write({"docs/en/part.md": _LONG, "docs/en/other.md": "# Other\n"}).commit("move it")
    repo.write({"README.md": "See [docs/part.md](docs/en/part.md).\n"}).commit("mend the link")
    assert told(repo.age()) == []
    repo.write({"README.md": "See docs/part.md, or [here](docs/en/part.md).\n"}).commit("say it otherwise")
    assert told(repo.age()) == [("README.md", "docs/part.md")]
