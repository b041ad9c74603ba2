from __future__ import annotations

import pytest

from tests.documents.reading import blocks, code_of, inlines, read, texts


def test_titles_with_and_without_overline_make_sections() -> None:
    document = read("=====\nTitle\n=====\n\nIntro.\n\nPart\n----\n\nText.\n\nOther\n-----\n\nMore.\n", "rst")
    assert [(b.level, b.text) for b in blocks(document, "heading")] == [(1, "Title"), (2, "Part"), (2, "Other")]
    assert [b.section for b in blocks(document, "paragraph")] == [("Title",), ("Title", "Part"), ("Title", "Other")]


@pytest.mark.parametrize(
    ("source", "kind", "text", "label"),
    [
        ("a ``b.py`` c", "code", "b.py", ""),
        ("a `b` c", "code", "b", ""),
        ("a `~pkg.b` c", "code", "pkg.b", ""),
        ("a :func:`b` c", "role", "b", "func"),
        ("a :py:class:`~pkg.B` c", "role", "pkg.B", "class"),
        ("a :js:func:`go` c", "role", "go", "js:func"),
        ("a :meth:`text <pkg.B.run>` c", "role", "pkg.B.run", "meth"),
        ("a :code:`x = 1` c", "code", "x = 1", ""),
        ("a `text <docs/a.rst>`_ c", "link", "docs/a.rst", "text"),
        ("see https://a.example/b.", "link", "https://a.example/b", ""),
        (".. _name: https://a.example/", "link", "https://a.example/", ""),
        (".. image:: logo.png", "image", "logo.png", "image"),
        (".. literalinclude:: ../a.py\n   :lines: 1-3", "link", "../a.py", "literalinclude"),
        (".. autoclass:: pkg.B\n   :members:", "role", "pkg.B", "autoclass"),
        (".. py:function:: f(a, b=1)\n\n   Text.", "code", "f(a, b=1)", "py:function"),
    ],
)
def test_inline_marks_are_read(source: str, kind: str, text: str, label: str) -> None:
    assert [(i.text, i.label) for i in inlines(read(source + "\n", "rst"), kind)] == [(text, label)]


def test_two_colons_announce_code() -> None:
    document = read("Run this::\n\n    $ make\n      more\n\nAfter.\n", "rst")
    assert [b.text for b in blocks(document, "paragraph")] == ["Run this", "After."]
    assert code_of(blocks(document, "code")[0]) == "$ make\n  more"


def test_a_code_block_has_its_language_and_leaves_its_options_out() -> None:
    [block] = blocks(read(".. code-block:: python\n   :linenos:\n\n   import x\n\n   y = 1\n", "rst"), "code")
    assert (block.language, code_of(block), block.lines[0].column) == ("python", "import x\n\ny = 1", 4)


def test_highlight_sets_the_language_of_what_follows() -> None:
    assert blocks(read(".. highlight:: console\n\nRun::\n\n   $ x\n", "rst"), "code")[0].language == "console"


def test_lists_are_items_of_one_group() -> None:
    items = blocks(read("* one\n  more\n* two\n\n  * deep\n\n1. first\n2. second\n", "rst"), "item")
    assert [item.text for item in items] == ["one more", "two", "deep", "first", "second"]
    assert items[0].group == items[1].group != items[2].group


def test_fields_options_and_definitions_are_items() -> None:
    document = read(
        ":param port: the port\n:type port: int\n\n--dry-run  Only look.\n-o FILE, --out=FILE  Where to.\n\n``PORT``\n    Defaults to ``80``.\n",
        "rst",
    )
    assert [item.text for item in blocks(document, "item")] == [
        "param port the port",
        "type port int",
        "`--dry-run` Only look.",
        "`-o FILE, --out=FILE` Where to.",
        "`PORT` Defaults to `80` .",
    ]


def test_an_option_directive_and_its_text_are_one_block() -> None:
    document = read(".. option:: --port\n\n   Defaults to 8080.\n\n   Second.\n", "rst")
    assert document.blocks[0].text == "`--port` Defaults to 8080."


def test_simple_tables_have_rows_with_headers() -> None:
    document = read(
        "=====  =======\nName   Default\n=====  =======\nport   8080\n       or so\nhost   ``x``\n=====  =======\n\nEnd.\n",
        "rst",
    )
    assert [[(c.header, c.text) for c in row.cells] for row in blocks(document, "row")] == [
        [("Name", "port"), ("Default", "8080 or so")],
        [("Name", "host"), ("Default", "x")],
    ]
    assert document.blocks[-1].text == "End."


def test_grid_tables_have_rows_with_headers() -> None:
    document = read(
        "+------+-----+\n| Name | Def |\n+======+=====+\n| a    | 1   |\n| b    |     |\n+------+-----+\n", "rst"
    )
    assert [[(c.header, c.text) for c in row.cells] for row in blocks(document, "row")] == [
        [("Name", "a b"), ("Def", "1")]
    ]


def test_list_and_csv_tables_have_rows() -> None:
    document = read(
        """
        .. list-table::
           :header-rows: 1

           * - Name
             - Default
           * - ``port``
             - 8080

        .. csv-table::
           :header: Name, Default

           "host", local
        """,
        "rst",
    )
    assert [[(c.header, c.text) for c in row.cells] for row in blocks(document, "row")] == [
        [("Name", "port"), ("Default", "8080")],
        [("Name", "host"), ("Default", "local")],
    ]


def test_toctree_entries_are_links() -> None:
    document = read(".. toctree::\n   :maxdepth: 2\n\n   intro\n   The guide <guide/index>\n", "rst")
    assert [(i.text, i.label) for i in inlines(document, "link")] == [("intro", "toctree"), ("guide/index", "toctree")]


def test_admonitions_are_documentation_and_notes_of_change_are_history() -> None:
    document = read(
        ".. note:: Use ``a``\n   and ``b``.\n\n.. versionchanged:: 2.0\n   Was ``c``.\n\n.. versionadded:: 2.1\n   The ``d``.\n",
        "rst",
    )
    assert [(b.historical, [i.text for i in b.inlines if i.kind == "code"]) for b in document.blocks] == [
        (False, ["a", "b"]),
        (True, ["c"]),
        (True, ["d"]),
    ]


def test_comments_are_not_read() -> None:
    assert texts(read(".. a comment with ``gone``\n   and more ``gone``\n\nText ``here``.\n", "rst"), "code") == [
        "here"
    ]


def test_a_doctest_is_code() -> None:
    assert blocks(read("Try:\n\n>>> run()\n1\n\nEnd.\n", "rst"), "code")[0].language == "pycon"


def test_explicit_targets_are_anchors() -> None:
    document = read(".. _My Label:\n\nA Title!\n========\n", "rst")
    assert {"My Label", "my-label", "a-title"} <= document.anchors


def test_generated_pages_open_the_anchors() -> None:
    assert read(".. automodule:: pkg\n", "rst").open_anchors
    assert not read("Title\n=====\n", "rst").open_anchors
