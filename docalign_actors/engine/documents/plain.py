"""Reads plain text: paragraphs, list items, underlined headings; what is indented after a blank line is code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.model import Inline
from docalign_actors.engine.documents.places import Piece
from docalign_actors.engine.documents.spans import read_spans

_UNDERLINE = re.compile(r"^(?:={3,}|-{3,}|~{3,}|\*{3,}|#{3,}|\^{3,})\s*$")
_ITEM = re.compile(r"^\s{0,8}(?:[-*+•o]|\d{1,3}[.)])\s+(?=\S)")
_LEVELS = "=#*-~^"
_CODE_INDENT = 4


def read_plain(builder: Builder) -> None:
    """Reads all of a text file's lines into the builder."""
    lines = builder.lines
    index, group = 0, 0
    while index < len(lines):
        if not lines[index].strip() or _UNDERLINE.match(lines[index]):
            index += 1
            continue
        end = _end_of_block(lines, index)
        item = _ITEM.match(lines[index][:80])
        if item:
            group = group or builder.new_group()
            _read_items(builder, index, end, group)
        else:
            group = 0
            _read_block(builder, index, end)
        index = end


def _end_of_block(lines: Sequence[str], index: int) -> int:
    end = index
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def _read_block(builder: Builder, index: int, end: int) -> None:
    lines = builder.lines
    while end - index >= 2 and _UNDERLINE.match(lines[index + 1]) and len(lines[index].strip()) <= 100:
        level = _LEVELS.index(lines[index + 1].strip()[0]) + 1
        pieces = [_piece(lines[index], index)]
        builder.heading(level, index + 1, index + 2, read_spans(pieces), lines[index].strip())
        index += 2
    if index >= end:
        return
    if all(len(line) - len(line.lstrip()) >= _CODE_INDENT or line.startswith("\t") for line in lines[index:end]):
        margin = min(len(line) - len(line.lstrip()) for line in lines[index:end])
        code = [Inline("code", lines[i][margin:].rstrip(), i + 1, margin + 1) for i in range(index, end)]
        builder.code(index + 1, end, code)
        return
    builder.prose("paragraph", index + 1, end, read_spans([_piece(lines[i], i) for i in range(index, end)]))


def _read_items(builder: Builder, index: int, end: int, group: int) -> None:
    start = index
    for number in range(index, end + 1):
        if number == end or (number > start and _ITEM.match(builder.lines[number][:80])):
            pieces = [_piece(builder.lines[i], i, item=i == start) for i in range(start, number)]
            builder.prose("item", start + 1, number, read_spans(pieces), group)
            start = number


def _piece(line: str, index: int, *, item: bool = False) -> Piece:
    mark = _ITEM.match(line[:80]) if item else None
    skip = mark.end() if mark else len(line) - len(line.lstrip())
    return Piece(line[skip:].rstrip(), index + 1, skip + 1)
