"""What counts as code in a document, and which lines speak of the present."""

from __future__ import annotations

import pytest

from bench.doctext import read_page
from bench.files import is_document, is_own, is_scored
from bench.words import new_name


def code(path: str, text: str) -> dict[int, list[str]]:
    return dict(read_page(path, text).code)


def test_spans_targets_and_blocks_of_markdown_are_code() -> None:
    found = code("a.md", "See `run()` and [x](lib/a.py).\n\n```sh\nmake all\n```\n\nplain run()\n")
    assert found == {1: ["run()", "lib/a.py"], 4: ["make all"]}


def test_literals_roles_directives_and_blocks_of_restructuredtext_are_code() -> None:
    found = code(
        "a.rst", "See ``run()`` and :func:`go`.\n\n.. autofunction:: load\n\nLike so::\n\n    make all\n\nplain\n"
    )
    assert found == {1: ["run()", "go"], 3: ["load"], 7: ["    make all"]}


def test_blocks_of_asciidoc_are_code() -> None:
    assert code("a.adoc", "Use `run`.\n\n----\nmake all\n----\n") == {1: ["run"], 4: ["make all"]}


@pytest.mark.parametrize(
    "text",
    [
        "`run` was renamed in 2.0.",
        "<!-- `run` -->",
        "## Changelog\n\n`run` added",
        "The option\n`run` is deprecated.",
    ],
)
def test_lines_about_the_past_and_comments_do_not_speak_of_the_present(text: str) -> None:
    page = read_page("a.md", text)
    assert {number for number, parts in page.code.items() if "run" in parts} <= page.untold


@pytest.mark.parametrize(
    ("path", "document", "scored"),
    [
        ("README.md", True, True),
        ("docs/a.rst", True, True),
        ("CHANGELOG.md", True, False),
        ("docs/releases/1.2.md", True, False),
        ("man/tool.1", True, False),
        ("tests/fixtures/page.md", False, False),
        ("install", False, False),
        ("src/usage.rs", False, False),
    ],
)
def test_which_files_are_documents_and_which_are_scored(path: str, document: bool, scored: bool) -> None:
    assert (is_document(path), is_scored(path)) == (document, scored)


def test_a_java_package_called_samples_is_own_code() -> None:
    assert is_own("src/main/java/org/acme/samples/App.java")
    assert not is_own("samples/App.java")


@pytest.mark.parametrize("old", ["load_items", "loadItems", "LOAD_ITEMS", "load-items", "LoadItems", "xyzzy"])
def test_a_new_name_has_the_style_of_the_old_one(old: str) -> None:
    new = new_name(old, lambda _: False)
    assert new != old
    assert ("_" in new, "-" in new, new.isupper(), new[0].isupper()) == (
        "_" in old,
        "-" in old,
        old.isupper(),
        old[0].isupper(),
    )


def test_a_title_that_holds_the_name_of_a_tool_for_migrations_does_not_make_the_page_history() -> None:
    page = read_page("README.md", "# db-migrate\n\nRun `db-migrate up`.\n\n## Migrating from 1.0\n\nUse `up`.\n")
    assert 3 not in page.untold
    assert 7 in page.untold
