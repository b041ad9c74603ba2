from __future__ import annotations

from tests.documents.reading import blocks, code_of, read, texts


def test_paragraphs_headings_items_and_code_are_told_apart() -> None:
    document = read("Install\n=======\n\nRun `make` first.\n\n    make install\n      now\n\n- one\n- two\n", "text")
    assert [block.kind for block in document.blocks] == ["heading", "paragraph", "code", "item", "item"]
    assert code_of(blocks(document, "code")[0]) == "make install\n  now"
    assert texts(document, "code") == ["make"]


def test_several_titles_without_blank_lines_between_them_are_titles() -> None:
    document = read("A\n===\nB\n---\ntext\n", "text")
    assert [block.text for block in blocks(document, "heading")] == ["A", "B"]
