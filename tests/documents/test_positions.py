"""The rule that everything leans on: what a document says stands in the source where it says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.engine.documents.reader import read_document
from tests.documents.reading import check_positions

_PIECES = (
    "# ", "## A `b`", "- ", "1. ", "* ", "> ", "    ", "\t", "`a.py`", "``x``", "[l](t.md)", "[l][r]", "[r]: t.md", "![i](p.png)", "word",
    "**b**", "_i_", "<a href=\"x\">", "</a>", "<!-- c -->", "```sh", "```", "~~~", "| a | b |", "|---|---|", "::", ".. note:: x",
    ".. code-block:: py", ".. _t:", ":func:`f`", "`t <u>`_", "====", "----", "== ==", "+--+--+", "|  |  |", "= T", "|===", "[source,sh]",
    "!!! note", "=== \"tab\"", ":::note", ":::", "::: a.b", "import x", "<Tabs>", "{/* c */}", "{#id}", ":a: b", "-o, --out  x", "term::",
    "+", "<<x>>", "link:a[b]", "é", "日本", "\\`", "https://e.x/y", "{% if %}", "---", "* - c", ".. list-table::", ".. csv-table::", '"q", r',
)  # fmt: skip
_LINE = st.lists(st.sampled_from([*_PIECES, " ", "  ", ""]), max_size=5).map("".join)
_TEXT = st.lists(_LINE, max_size=14).map("\n".join)
_FORMAT = st.sampled_from(["markdown", "mdx", "rst", "asciidoc", "text"])


@settings(max_examples=250, deadline=None)
@given(_TEXT, _FORMAT)
def test_every_inline_stands_where_it_says(text: str, format: str) -> None:
    data = text.encode()
    document = read_document("docs/page.md", format, data)
    check_positions(document, data)
    assert not any("not read to the end" in note for note in document.notes)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), _FORMAT)
def test_no_bytes_raise(data: bytes, format: str) -> None:
    check_positions(read_document("docs/page.md", format, data), data)


@settings(max_examples=100, deadline=None)
@given(_TEXT, _FORMAT)
def test_blocks_are_in_reading_order_and_groups_are_never_shared_by_strangers(text: str, format: str) -> None:
    document = read_document("docs/page.md", format, text.encode())
    for block in document.blocks:
        assert 1 <= block.line <= text.count("\n") + 1
        assert all(inline.text == inline.text.strip() and inline.text for inline in block.every_inline())
    kinds: dict[int, str] = {}
    for block in document.blocks:
        if block.group:
            assert kinds.setdefault(block.group, "row" if block.kind == "row" else "list") == (
                "row" if block.kind == "row" else "list"
            )
