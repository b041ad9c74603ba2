"""Which documents speak for the repository of today."""

from __future__ import annotations

import pytest

from docalign_actors.engine.discovery import superseded_documents, superseded_folders, take_inventory
from docalign_actors.engine.ports import Entry
from docalign_actors.engine.settings import ScanSettings


def documents(*paths: str, settings: ScanSettings | None = None) -> list[str]:
    return sorted(take_inventory({path: Entry(path, "x") for path in paths}, settings or ScanSettings()).documents)


@pytest.mark.parametrize(
    "path",
    ["CHANGELOG.md", "docs/releases/1.2.md", "docs/upgrading.md", "node_modules/x/README.md", "tests/fixtures/a.md", "tests/docs/testing/a.md", "vendor/x/README.md",
     "docs/adr/0001.md", "docs/blog/2020-01-01-x.md", "website/versioned_docs/a.md", "website/i18n/de/plugin/version-v2.3.1/a.md", "HISTORY.rst", "docs/PYDANTIC_MIGRATION.md",
     "sep/sep-001.rst", "docs/peps/x.md", "enhancement-proposals/x.md", "docs/rfc-12-x.md", "docs/changes_1.x.rst", "COVERAGE.md"],
)  # fmt: skip
def test_history_other_peoples_and_test_data_are_not_judged(path: str) -> None:
    assert documents(path) == []


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "docs/guide.rst",
        "docs/steps/step-1.md",
        "docs/deps.md",
        "AGENTS.md",
        ".cursorrules",
        "docs/a.adoc",
        "docs/notes.txt",
        "README",
        "docs/x.mdx",
        "docs/testing/fixtures.md",
        ".agents/skills/testing/SKILL.md",
    ],
)
def test_documents_of_every_format_are_found(path: str) -> None:
    assert documents(path) == [path]


def test_only_the_newest_of_several_versions_of_the_documentation_is_judged() -> None:
    paths = ["docs/v1/a.md", "docs/v2/a.md", "docs/v10/a.md", "src/v1/README.md", "src/v2/README.md"]
    assert set(superseded_folders(paths)) == {"docs/v1/", "docs/v2/"}
    assert set(superseded_folders(["docs/@v1/a.md", "docs/@v2/a.md"])) == {"docs/@v1/"}
    assert set(superseded_folders(["docs/v3_1/a.md", "docs/v3-x/a.md", "docs/V6/a.md"])) == {"docs/v3_1/", "docs/v3-x/"}
    assert superseded_folders(["docs/1_2/a.md", "docs/1_3/a.md"]) == ()
    assert documents(*paths) == ["docs/v10/a.md", "src/v1/README.md", "src/v2/README.md"]


def test_globs_of_the_configuration_are_globs() -> None:
    settings = ScanSettings(doc_patterns=("docs/**/*.md", "!docs/old/**"), exclude=("docs/secret.md",))
    assert documents("README.md", "docs/a/b.md", "docs/old/c.md", "docs/secret.md", settings=settings) == [
        "docs/a/b.md"
    ]


def test_a_document_for_an_earlier_line_of_releases_is_not_judged_beside_one_for_a_later() -> None:
    paths = ["MANUAL-v4.md", "migration-v5.md", "migration-v6.md", "docs/api-v1.md", "docs/guide.md"]
    assert set(superseded_documents(paths)) == {"MANUAL-v4.md", "migration-v5.md"}


def test_folders_of_versions_that_hold_no_documentation_are_all_judged() -> None:
    assert superseded_folders(["docker-examples/v6/README.md", "docker-examples/v7/README.md"]) == ()


def test_a_file_whose_name_is_not_utf8_is_named_and_not_read() -> None:
    inventory = take_inventory({"docs/\ufffd.md": Entry("docs/\ufffd.md", "1", "file", 1)}, ScanSettings())
    assert (inventory.documents, inventory.code) == ({}, [])
    assert [note.text for note in inventory.notes] == ["its name is not UTF-8: not read"]
