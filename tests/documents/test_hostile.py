"""What a hostile or broken file costs: bounded work, a note, never an exception."""

from __future__ import annotations

import pytest

from docalign_actors.engine.documents import builder
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.reader import DOCUMENT_LIMIT, LINE_LIMIT, read_document
from tests.documents.reading import check_positions

FORMATS = ("markdown", "mdx", "rst", "asciidoc", "text")


def _read(data: bytes, format: str = "markdown") -> Document:
    document = read_document("docs/page.md", format, data)
    check_positions(document, data)
    return document


def test_a_document_that_is_too_large_is_not_read() -> None:
    document = _read(b"`a`\n" * (DOCUMENT_LIMIT // 4 + 1))
    assert (document.blocks, document.open_anchors) == ((), True)
    assert "not read" in document.notes[0]


def test_a_binary_file_is_not_read() -> None:
    assert _read(b"# T\n\n`a`\0").notes == ("binary: not read",)


def test_broken_utf_8_is_replaced_and_positions_count_characters() -> None:
    document = _read("é \udcff `a.py`\n".encode("utf-8", "surrogateescape"))
    assert [(i.text, i.column) for i in document.blocks[0].inlines if i.kind == "code"] == [("a.py", 6)]
    assert document.notes == ("not UTF-8: unreadable characters were replaced",)


def test_a_line_of_a_megabyte_is_left_out_and_the_rest_is_read() -> None:
    document = _read(b"`a`\n\n" + b"`x` " * 250_000 + b"\n\n`b`\n")
    assert [i.text for block in document.blocks for i in block.inlines] == ["a", "b"]
    assert document.notes == (f"line 3 is longer than {LINE_LIMIT:,} characters: not read",)


@pytest.mark.parametrize(
    "text", ["> " * 3_000 + "x", "- " * 3_000 + "x", "\n".join("  " * i + "- x" for i in range(1_000))]
)
def test_deep_nesting_is_read_to_a_depth_and_noted(text: str) -> None:
    assert "nested more than" in _read(text.encode()).notes[0]


def test_deep_nesting_in_restructuredtext_is_noted() -> None:
    text = "\n\n".join(" " * i + "a" for i in range(300))
    assert "nested more than" in _read(text.encode(), "rst").notes[0]


def test_a_thousand_admonitions_in_each_other_are_bounded() -> None:
    _read("\n".join("    " * i + "!!! note" for i in range(300)).encode())


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "piece",
    ["[", "![", "]", "[a](", "[a][", "`", "`` ` ", "```\n", "~~~ a\n```\n", "<!-- ", "<a href=", "<code>", "**a ", "_a ", "{# ", "{/* ",
     ":a:`", "`a <", "<<a", "+a ", "|", "|a", "a::", ".. note::\n", ":::{note}\n", "!!! note\n", "{% ", '[a](b "', "https://", "was ", "<A "],
)  # fmt: skip
def test_thousands_of_unclosed_marks_are_read_without_an_exception(format: str, piece: str) -> None:
    text = "\n".join([piece * (4_000 // len(piece))] * 3)
    assert not any("not read to the end" in note for note in _read(text.encode(), format).notes)


@pytest.mark.parametrize("format", FORMATS)
def test_odd_line_ends_do_not_shift_positions(format: str) -> None:
    document = _read("a\u2028b \x0c `x`\x85 `d`\r`e`\r\n`f`\r\n".encode(), format)
    assert "f" in [i.text for block in document.blocks for i in block.every_inline()]


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_nothing(format: str) -> None:
    assert _read(b"", format).blocks == ()


def test_a_byte_order_mark_does_not_hide_the_title() -> None:
    assert _read("\ufeff# Title\n".encode()).blocks[0].kind == "heading"


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("`a` " * 300, True),
        ("`a` " * 301, False),
        ("```\n" + "a\n" * 398 + "```\n", True),
        ("```\n" + "a\n" * 399 + "```\n", False),
        ("a\n\n" * 400, False),
    ],
)
def test_a_document_of_more_marks_or_blocks_than_any_manual_has_is_not_judged_and_no_link_to_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, text: str, judged: bool
) -> None:
    monkeypatch.setattr(builder, "MOST_MARKS", 300)
    monkeypatch.setattr(builder, "MOST_BLOCKS", 400)
    document = read_document("a.md", "markdown", f"# First steps\n\n{text}".encode())
    assert bool(document.blocks) is judged
    assert bool(document.notes) is not judged
    assert document.open_anchors or "first-steps" in document.anchors


def test_a_list_of_empty_items_without_end_is_not_kept() -> None:
    document = _read(b"*\n" * 500_000)
    assert document.blocks == ()
    assert "not judged" in document.notes[0] or "not read" in document.notes[0]
