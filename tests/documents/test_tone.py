from __future__ import annotations

import pytest

from docalign_actors.engine.documents import tone
from tests.documents.reading import read


@pytest.mark.parametrize(
    "title",
    [
        "Changelog", "Change Log", "Release notes", "What's new", "What’s New in 3.0", "1.2.0", "v2.0", "[1.2.3] - 2020-01-01",
        "2.0 (2021-05-01)", "Version 3.1", "Unreleased", "Migration guide", "Migrating from 1.x", "Upgrading", "Upgrading to 2.0",
        "Deprecated", "Breaking changes", "Removed", "`foo` (deprecated)", "History", "2024-01-31", "v1.2.3: fixes", "Historical note: groups",
        "API changes 3.13.0", "API changes", "Important changes in 2.0",
    ],
)  # fmt: skip
def test_a_title_that_tells_of_the_past(title: str) -> None:
    assert tone.is_history_title(title)


@pytest.mark.parametrize(
    "title",
    [
        "Installation", "1. Reporting bugs", "1.1 Getting started", "1.2: Setup", "Python 3.10", "Database migrations", "Running migrations",
        "Migrate the database", "Changing the port", "Removing a user", "Version", "Releasing", "Usage", "Historical data", "New project",
        "2. Install v1.2", "Requirements: Python 3.8", "Making changes", "Proposing API changes to us", "Watching for changes",
    ],
)  # fmt: skip
def test_a_title_of_the_present(title: str) -> None:
    assert not tone.is_history_title(title)


@pytest.mark.parametrize(
    "sentence",
    [
        "`foo` was renamed to `bar`.", "It has been removed.", "Removed in 2.0.", "The flag is no longer needed.", "This used to be `x`.",
        "formerly `y`", "Previously, `z` did this.", "`--old` is deprecated.", "deprecated since 1.4", "Prior to version 2, use `a`.",
        "Before v1.3 it was `b`.", "In older versions, run `c`.", "Since v1.2 the option was moved.", "Earlier versions read `d`.",
        "The default changed from `1` to `2`.", "Deprecated: use `e`.", "`f` (deprecated)", "renamed from `g`", "It will be removed in 3.0.",
        "The default has been changed to `2`.", "On 11 or older, use `x`.", "- removed `Context`, which only forwards", "Renamed `a` to `b`.",
    ],
)  # fmt: skip
def test_a_sentence_that_tells_of_the_past(sentence: str) -> None:
    assert tone.is_historical(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Added in 2.0.", "New in version 1.2: `--flag`.", "Temporary files are removed.", "`{name}` is replaced by the name.",
        "Items are moved to `done/`.", "Run `make` before you push.", "It is used to read files.", "Items are removed from the list.",
        "The file is changed in place.", "Since it is fast, use it.", "Before starting, run `x`.", "This can be dropped.",
    ],
)  # fmt: skip
def test_a_sentence_of_the_present(sentence: str) -> None:
    assert not tone.is_historical(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "For example, `x.py`.", "e.g. `x`", "Suppose you have `a.py`.", "Imagine a server.", "Say you have `b`.", "Create a file `c.py`.",
        "Save this as `d.py`.", "Let's write `e`.", "your own `f`", "something like `g`", "files such as `h`", "Create a new file.",
    ],
)  # fmt: skip
def test_a_sentence_about_what_may_be(sentence: str) -> None:
    assert tone.is_hypothetical(sentence)


@pytest.mark.parametrize(
    "sentence", ["Run `tool`.", "The server listens on 8080.", "Outlet and letter.", "It saves time."]
)
def test_a_sentence_about_what_is(sentence: str) -> None:
    assert not tone.is_hypothetical(sentence)


def test_a_short_paragraph_is_coloured_as_a_whole() -> None:
    [block] = read("The `a` flag was renamed. Use `b` now.").blocks
    assert block.historical


def test_a_long_paragraph_is_cut_at_the_sentences() -> None:
    filler = (
        "The server reads its configuration from the file and listens on the port that it names, whatever else happens. "
        * 3
    )
    document = read(f"{filler}The `old` flag was renamed to `mid`. Use `new` to start it. {filler}")
    assert [(b.historical, [i.text for i in b.inlines if i.kind == "code"]) for b in document.blocks] == [
        (False, []),
        (True, ["old", "mid"]),
        (False, ["new"]),
    ]


def test_everything_below_a_title_of_the_past_is_history() -> None:
    document = read("# Tool\n\n`a`\n\n## Changelog\n\n### New things\n\n`b`\n\n```sh\nmake\n```\n\n## Usage\n\n`c`\n")
    assert [b.historical for b in document.blocks if b.kind != "heading"] == [False, True, True, False]


def test_code_is_not_history_by_its_own_words() -> None:
    assert not read("Run:\n\n```sh\nrm old # was removed in 2.0\n```\n").blocks[1].historical


def test_code_after_a_request_to_create_something_is_hypothetical() -> None:
    document = read("Create `app.py`:\n\n```python\nimport x\n```\n\nRun it:\n\n```sh\nmake\n```\n")
    assert [b.hypothetical for b in document.blocks if b.kind == "code"] == [True, False]


@pytest.mark.parametrize(("path", "text", "history"), [
    ("CHANGELOG.md", "# X", True), ("docs/a.md", "# Changelog\n", True), ("docs/a.md", "# Upgrading\n", True),
    ("API_changes.md", "# X", True),
    ("docs/a.md", "# API changes\n\n# Notes\n", True), ("docs/a.md", "# Guide\n\n## Changelog\n", False), ("README.md", "# Tool\n", False),
])  # fmt: skip
def test_a_document_of_the_past_is_known_by_its_name_or_title(path: str, text: str, history: bool) -> None:
    assert read(text, path=path).history is history


def test_a_changelog_still_offers_its_anchors() -> None:
    assert "v12" in read("# Changelog\n\n## v1.2\n\nText.\n", path="CHANGELOG.md").anchors
