"""Helpers: read a text, and look at what came out of it."""

from __future__ import annotations

import textwrap

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.reader import read_document, source_lines


def read(text: str, format: str = "markdown", path: str = "docs/page.md") -> Document:
    """Reads a text, and checks that everything stands where it says."""
    data = textwrap.dedent(text).encode()
    document = read_document(path, format, data)
    check_positions(document, data)
    return document


def check_positions(document: Document, data: bytes) -> None:
    lines = source_lines(data)
    for block in document.blocks:
        for inline in (*block.every_inline(), *block.lines):
            found = lines[inline.line - 1][inline.column - 1 : inline.column - 1 + len(inline.text)]
            assert found == inline.text, (inline, lines[inline.line - 1])
            assert "\n" not in inline.text


def blocks(document: Document, kind: str) -> list[Block]:
    return [block for block in document.blocks if block.kind == kind]


def inlines(document: Document, kind: str) -> list[Inline]:
    return [inline for block in document.blocks for inline in block.every_inline() if inline.kind == kind]


def texts(document: Document, kind: str) -> list[str]:
    return [inline.text for inline in inlines(document, kind)]


def code_of(block: Block) -> str:
    return "\n".join(line.text for line in block.lines)
