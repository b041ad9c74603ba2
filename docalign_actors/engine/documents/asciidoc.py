"""Reads AsciiDoc, line by line: sections, paragraphs, lists, tables, listings; macros and monospaced spans within."""

from __future__ import annotations

import re

from docalign_actors.engine.documents.asciidoc_spans import plain_asciidoc, read_asciidoc_spans
from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.model import Cell, Inline
from docalign_actors.engine.documents.places import Piece

_TITLE = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*?)\s*$")
_ATTRIBUTE_ENTRY = re.compile(r"^:!?[A-Za-z_][\w-]*!?:(?:\s|$)")
_BLOCK_ATTRIBUTES = re.compile(r"^\[(?!\[)[^\]]{0,400}\]\s*$|^\[\[[^\]]{1,200}\]\]\s*$")
_SOURCE = re.compile(r"^\[(?:source|,|listing)[^,\]]{0,80}(?:,\s*([A-Za-z0-9_+#-]+))?|^\[,\s*([A-Za-z0-9_+#-]+)")
_VERBATIM = re.compile(r"^(-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,})(\w*)\s*$")
_CONTAINER = re.compile(r"^(={4,}|\*{4,}|_{4,}|--)\s*$")
_TABLE = re.compile(r"^[|,:!]===+\s*$")
_ITEM = re.compile(r"^\s*(?:\*{1,5}|-|\.{1,5}|\d{1,4}\.|<\d{1,3}>|<\.>)\s+(?=\S)")
_TERM = re.compile(r"^\s*(?P<term>\S[^\n]{0,300}?)(?:::|;;)(?P<space>\s+|$)")
_BLOCK_MACRO = re.compile(r"^(image|include|video|audio)::([^\[\s]+)\[([^\]]*)\]")
_CONDITIONAL = re.compile(r"^(?:ifdef|ifndef|ifeval|endif)::")
_CELL = re.compile(r"(?:^|(?<=\s))(?:[0-9.*+<^>]*[a-z]?)?\|")


def read_asciidoc(builder: Builder) -> None:
    """Reads all of an AsciiDoc file's lines into the builder."""
    _Reader(builder).read()


class _Reader:
    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.lines = builder.lines
        self.index = 0
        self.attributes = ""
        self.group = 0

    def read(self) -> None:
        while self.index < len(self.lines):
            line = self.lines[self.index]
            if not line.strip():
                self.index += 1
            elif not self._block(line):
                self._paragraph()

    def _block(self, line: str) -> bool:
        """Everything that its first line gives away."""
        cut = line[:1_000].rstrip()
        verbatim = _VERBATIM.match(cut)
        if verbatim:
            self._verbatim(verbatim)
        elif _TABLE.match(cut):
            self._table(cut)
        elif cut.startswith("//") and not cut.startswith("///"):
            self.builder.comment(line, self.index + 1)
            self.index += 1
        elif _ATTRIBUTE_ENTRY.match(cut) or _CONTAINER.match(cut) or _CONDITIONAL.match(cut) or cut == "+":
            self.index += 1
        elif _BLOCK_ATTRIBUTES.match(cut):
            self.attributes = cut if _SOURCE.match(cut) or not self.attributes else self.attributes
            self.index += 1
        elif title := _TITLE.match(cut):
            self._title(title)
        elif macro := _BLOCK_MACRO.match(cut):
            self._macro(macro)
        elif _ITEM.match(cut) or _TERM.match(cut):
            self._item(line)
        else:
            return False
        return True

    def _verbatim(self, opening: re.Match[str]) -> None:
        start = self.index + 1
        end = start
        marker = opening[1]
        while end < len(self.lines) and self.lines[end].rstrip() != marker:
            end += 1
        self.index = end + 1
        if marker[0] == "/":
            self.builder.comment("\n".join(self.lines[start:end]), start + 1)
        elif marker[0] != "+":
            code = [Inline("code", self.lines[i].rstrip(), i + 1, 1) for i in range(start, end)]
            self.builder.code(start, min(end + 1, len(self.lines)), code, opening[2].lower() or self._language())
        self.attributes = ""

    def _language(self) -> str:
        source = _SOURCE.match(self.attributes)
        return (source[1] or source[2] or "").lower() if source else ""

    def _title(self, title: re.Match[str]) -> None:
        self.group = 0
        self.attributes = ""
        pieces = [Piece(title[2], self.index + 1, title.start(2) + 1)]
        self.builder.heading(
            len(title[1]), self.index + 1, self.index + 1, read_asciidoc_spans(pieces), plain_asciidoc(title[2])
        )
        self.index += 1

    def _macro(self, macro: re.Match[str]) -> None:
        kind = "link" if macro[1] == "include" else "image"
        label = "include" if macro[1] == "include" else macro[3].split(",")[0]
        inline = Inline(kind, macro[2], self.index + 1, macro.start(2) + 1, label)  # type: ignore[arg-type]
        self.builder.prose("paragraph", self.index + 1, self.index + 1, [inline])
        self.index += 1

    def _item(self, line: str) -> None:
        """A list item, or a term with its definition; its text runs to a blank line or to the next block."""
        self.group = self.group or self.builder.new_group()
        start = self.index
        item = _ITEM.match(line[:1_000])
        skip = item.end() if item else len(line) - len(line.lstrip())
        self.index += 1
        self._to_end_of_text()
        pieces = self._pieces(start, self.index, skip)
        term = None if item else _TERM.match(line[:1_000])
        if term:
            first = Piece(term["term"], start + 1, term.start("term") + 1)
            rest = Piece(line[term.end() :].rstrip(), start + 1, term.end() + 1)
            if not rest.text and self.index == start + 1:
                self._definition_below()
            pieces = [first, rest, *self._pieces(start + 1, self.index, -1)]
        self.builder.prose("item", start + 1, self.index, read_asciidoc_spans(pieces), self.group)

    def _definition_below(self) -> None:
        """A definition may stand after a blank line."""
        index = self.index
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        if index < len(self.lines) and index - self.index <= 2 and not self._begins_block(index):
            self.index = index + 1
            self._to_end_of_text()

    def _to_end_of_text(self) -> None:
        while self.index < len(self.lines) and self.lines[self.index].strip() and not self._begins_block(self.index):
            self.index += 1

    def _begins_block(self, index: int) -> bool:
        line = self.lines[index][:1_000].rstrip()
        patterns = (_VERBATIM, _TABLE, _CONTAINER, _BLOCK_ATTRIBUTES, _TITLE, _BLOCK_MACRO, _ITEM, _TERM, _CONDITIONAL)
        return line == "+" or line.startswith("//") or any(pattern.match(line) for pattern in patterns)

    def _paragraph(self) -> None:
        start = self.index
        literal = self.lines[start][0] in " \t"
        self.index += 1
        if literal:
            while self.index < len(self.lines) and self.lines[self.index].strip():
                self.index += 1
        else:
            self._to_end_of_text()
        language = self._language()
        if literal or (language and not self.attributes.startswith("[[")):
            margin = min(len(line) - len(line.lstrip()) for line in self.lines[start : self.index])
            code = [
                Inline("code", self.lines[i][margin:].rstrip(), i + 1, margin + 1) for i in range(start, self.index)
            ]
            self.builder.code(start + 1, self.index, code, language)
        else:
            self.group = 0 if self.lines[start - 1].strip() != "+" else self.group
            self.builder.prose(
                "paragraph", start + 1, self.index, read_asciidoc_spans(self._pieces(start, self.index, -1))
            )
        self.attributes = ""

    def _pieces(self, start: int, end: int, skip: int) -> list[Piece]:
        found = []
        for index in range(start, end):
            line = self.lines[index]
            cut = skip if index == start and skip >= 0 else len(line) - len(line.lstrip())
            found.append(Piece(line[cut:].rstrip(), index + 1, cut + 1))
        return found

    # Tables

    def _table(self, delimiter: str) -> None:
        start = self.index + 1
        end = start
        while end < len(self.lines) and self.lines[end].rstrip() != delimiter:
            end += 1
        self.index = end + 1
        attributes, self.attributes = self.attributes, ""
        if delimiter[0] != "|":
            return
        cells, width = self._cells(start, end), self._width(start, end, attributes)
        if not width:
            return
        rows = [cells[i : i + width] for i in range(0, len(cells), width)]
        first_line = sum(1 for cell in cells if cell and cell[0].line == cells[0][0].line) if cells and cells[0] else 0
        header = "header" in attributes or (
            first_line == width and end > start + 1 and not self.lines[start + 1].strip()
        )
        titles = [plain_asciidoc(" ".join(piece.text for piece in cell)) for cell in rows[0]] if header and rows else []
        group = self.builder.new_group()
        for row in rows[1 if titles else 0 :]:
            lines = [piece.line for cell in row for piece in cell]
            if lines:
                filled = [
                    Cell(titles[i] if i < len(titles) else "", tuple(read_asciidoc_spans(cell)))
                    for i, cell in enumerate(row)
                ]
                self.builder.row(min(lines), filled, group, max(lines))

    def _width(self, start: int, end: int, attributes: str) -> int:
        """How many columns: as `cols` says, or as many as the first line has cells."""
        cols = re.search(r'cols="?([^"\]]{1,200})"?', attributes)
        if cols:
            repeated = re.match(r"(\d{1,2})\*", cols[1])
            return int(repeated[1]) if repeated else cols[1].count(",") + 1
        return next((len(_CELL.findall(self.lines[i])) for i in range(start, end) if self.lines[i].strip()), 0)

    def _cells(self, start: int, end: int) -> list[list[Piece]]:
        cells: list[list[Piece]] = []
        for index in range(start, end):
            line = self.lines[index]
            bars = list(_CELL.finditer(line))
            first = bars[0].start() if bars else len(line)
            if cells and line[:first].strip():
                cells[-1].append(_piece(line, index, 0, first))
            for number, bar in enumerate(bars):
                last = bars[number + 1].start() if number + 1 < len(bars) else len(line)
                cells.append([_piece(line, index, bar.end(), last)])
        return cells


def _piece(line: str, index: int, first: int, last: int) -> Piece:
    raw = line[first:last]
    return Piece(raw.strip(), index + 1, first + 1 + len(raw) - len(raw.lstrip()))
