"""One body of reStructuredText: the blocks that share a margin, told apart by how they begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from docalign_actors.engine.documents.model import BlockKind, Inline
from docalign_actors.engine.documents.rst_directives import Directive, read_directive
from docalign_actors.engine.documents.rst_spans import plain_rst, read_rst_spans
from docalign_actors.engine.documents.rst_tables import read_grid_table, read_simple_table

if TYPE_CHECKING:
    from docalign_actors.engine.documents.rst import RstReader

_ADORNMENT = re.compile(r"^([!-/:-@\[-`{-~])\1+\s*$")
_BULLET = re.compile(r"^[-*+•‣⁃](?:\s+|$)")
_ENUMERATED = re.compile(
    r"^(?:\(?(?:\d{1,4}|[A-Za-z]|#|[ivxlcm]{1,6})\)|(?:\d{1,4}|[A-Za-z]|#|[ivxlcm]{1,6})\.)\s+(?=\S)"
)
_FIELD = re.compile(r"^:(?![:\s])((?:[^:`\\\n]|\\.|:(?!\s|$)(?!`)){1,120}):(?:\s+|$)")
_OPTION = re.compile(
    r"^(?P<options>(?:--?|/|\+)[A-Za-z0-9?][\w-]*(?:[ =]<?[A-Za-z][\w:.-]*>?)?"
    r"(?:, (?:--?|/|\+)[A-Za-z0-9?][\w-]*(?:[ =]<?[A-Za-z][\w:.-]*>?)?){0,5})(?:\s{2,}|$)"
)
_EXPLICIT = re.compile(r"^\.\.(?:\s+|$)")
_DIRECTIVE = re.compile(
    r"^\.\.\s+(?:\|(?P<substitution>[^|]{1,80})\|\s+)?(?P<name>[A-Za-z][\w.:+-]{0,80}?)\s?::(?:\s+|$)(?P<argument>.*)$"
)
_TARGET = re.compile(r"^\.\.\s+_(?:`[^`]{1,200}`|(?:[^:\\]|\\.|:(?!\s|$)){0,200}):(?:\s+(?P<url>\S.*?))?\s*$")
_FOOTNOTE = re.compile(r"^\.\.\s+\[[^\]]{1,80}\]\s+(?=\S)")
_ANONYMOUS = re.compile(r"^__\s+(?P<url>\S+)\s*$")
_GRID = re.compile(r"^\+(?:-+\+)+\s*$")
_SIMPLE = re.compile(r"^=+(?:\s+=+)+\s*$")


def indent_of(line: str) -> int:
    """How far a line is indented; a tab counts as one column, as it does in every position here."""
    return len(line) - len(line.lstrip())


class Body:
    """One body, from its first line to its last."""

    def __init__(
        self,
        reader: RstReader,
        start: int,
        end: int,
        margin: int,
        opening: Sequence[Inline],
        kind: BlockKind,
        group: int,
    ) -> None:
        self.reader = reader
        self.builder = reader.builder
        self.lines = reader.lines
        self.index = start
        self.end = end
        self.margin = margin
        self.opening = list(opening)
        self.kind = kind
        self.first_group = group
        self.group = 0
        self.group_kind = ""

    def read(self) -> None:
        while self.index < self.end:
            line = self.lines[self.index]
            if not line.strip():
                self.index += 1
            elif indent_of(line) > self.margin:
                stop = self.reader.end_of_indented(self.index, self.end, self.margin)
                inner = self.reader.margin_of(self.index, stop)
                self._flush_opening()
                self.reader.body(self.index, stop, inner)
                self.index = stop
            else:
                self._block(line[self.margin :] if self.margin <= indent_of(line) else line.lstrip())
        self._flush_opening()

    def _block(self, text: str) -> None:
        handlers = (
            ("explicit", self._explicit), ("title", self._title), ("bullet", self._bullet), ("field", self._field),
            ("option", self._option), ("table", self._table), ("doctest", self._doctest), ("paragraph", self._paragraph),
        )  # fmt: skip
        for name, handler in handlers:
            if handler(text):
                if name != self.group_kind:
                    self.group_kind, self.group = (
                        (name, self.group) if name in ("bullet", "field", "option") else ("", 0)
                    )
                return
        self.index += 1

    def _list_group(self, name: str) -> int:
        if self.group_kind != name or not self.group:
            self.group = self.builder.new_group()
            self.group_kind = name
        return self.group

    def _flush_opening(self) -> None:
        """What was to open the first paragraph stands alone if there is none."""
        if self.opening:
            opening, self.opening = self.opening, []
            self.builder.prose(self.kind, opening[0].line, opening[-1].line, opening, self.first_group)

    # Explicit mark-up

    def _explicit(self, text: str) -> bool:
        anonymous = _ANONYMOUS.match(text)
        if anonymous:
            self._url(anonymous["url"], self.index)
            self.index += 1
            return True
        if not _EXPLICIT.match(text):
            return False
        start = self.index
        stop = max(self.reader.end_of_indented(start + 1, self.end, self.margin), start + 1)
        self.index = stop
        directive = _DIRECTIVE.match(text[:2_000])
        target = None if directive else _TARGET.match(text[:2_000])
        footnote = None if directive or target else _FOOTNOTE.match(text)
        if directive:
            self._flush_opening()
            column = self.margin + directive.start("argument")
            read_directive(
                self.reader,
                Directive(directive["name"], directive["argument"].rstrip(), start, stop, self.margin, column),
            )
        elif target:
            if target["url"]:
                self._url(target["url"].strip("`"), start)
        elif footnote:
            self.builder.prose(
                "paragraph",
                start + 1,
                stop,
                read_rst_spans(self.reader.pieces(start, stop, self.margin + footnote.end())),
            )
        else:
            self.builder.comment("\n".join(self.lines[start:stop]), start + 1)
        return True

    def _url(self, url: str, index: int) -> None:
        column = self.lines[index].rfind(url)
        if column >= 0 and not url.endswith("_"):
            self.builder.prose("paragraph", index + 1, index + 1, [Inline("link", url, index + 1, column + 1)])

    # Titles

    def _title(self, text: str) -> bool:
        if self.margin:
            return False
        index = self.index
        following = self.lines[index + 1] if index + 1 < self.end else ""
        if _ADORNMENT.match(text):
            under = self.lines[index + 2] if index + 2 < self.end else ""
            if following.strip() and under.rstrip() == text.rstrip() and not _SIMPLE.match(text):
                self._add_title(text[0] + text[0], index + 1, index + 3)
                return True
            if len(text.rstrip()) >= 4 and not following.strip():
                self.index += 1
                return True
            return False
        if not _ADORNMENT.match(following) or indent_of(following):
            return False
        length = len(following.rstrip())
        if length < min(len(text.rstrip()), 4) or (length < 3 and length != len(text.rstrip())):
            return False
        self._add_title(following[0], index, index + 2)
        return True

    def _add_title(self, adornment: str, index: int, stop: int) -> None:
        self._flush_opening()
        adornments = self.reader.adornments
        if adornment not in adornments:
            adornments.append(adornment)
        pieces = self.reader.pieces(index, index + 1)
        self.builder.heading(
            adornments.index(adornment) + 1, index + 1, stop, read_rst_spans(pieces), plain_rst(pieces[0].text)
        )
        self.index = stop

    # Lists

    def _bullet(self, text: str) -> bool:
        mark = _BULLET.match(text) or _ENUMERATED.match(text)
        if not mark or (_ADORNMENT.match(text.rstrip()) and len(text.strip()) > 1):
            return False
        self._flush_opening()
        self._item(mark.end(), "bullet", ())
        return True

    def _field(self, text: str) -> bool:
        field = _FIELD.match(text)
        if not field:
            return False
        self._flush_opening()
        name = Inline("text", field[1], self.index + 1, self.margin + 2) if field[1] == field[1].strip() else None
        self._item(field.end(), "field", (name,) if name else ())
        return True

    def _option(self, text: str) -> bool:
        option = _OPTION.match(text[:400]) if text[0] in "-/+" else None
        if not option:
            return False
        self._flush_opening()
        name = Inline("code", option["options"], self.index + 1, self.margin + 1)
        self._item(option.end(), "option", (name,))
        return True

    def _item(self, width: int, name: str, opening: Sequence[Inline]) -> None:
        """An item of a list: its text begins `width` characters in, its further lines are indented beyond the margin."""
        start = self.index
        group = self._list_group(name)
        stop = max(self.reader.end_of_indented(start + 1, self.end, self.margin), start + 1)
        self.index = stop
        column = self.margin + width
        if start + 1 < stop:
            rest = self.reader.margin_of(start + 1, stop)
            column_of_rest = rest if name != "bullet" else min(rest, column)
        else:
            column_of_rest = column
        inner = ItemBody(self.reader, start, stop, column_of_rest, opening, group, column)
        inner.read_item()

    # The rest

    def _table(self, text: str) -> bool:
        if _GRID.match(text):
            self._flush_opening()
            self.index = read_grid_table(self.reader, self.index, self.end, self.margin)
            return True
        if _SIMPLE.match(text):
            self._flush_opening()
            self.index = read_simple_table(self.reader, self.index, self.end)
            return True
        return False

    def _doctest(self, text: str) -> bool:
        if not text.startswith(">>> "):
            return False
        self._flush_opening()
        stop = self.index
        while stop < self.end and self.lines[stop].strip():
            stop += 1
        self.reader.code(self.index, stop, "pycon", self.index + 1)
        self.index = stop
        return True

    def _paragraph(self, text: str) -> bool:
        start = stop = self.index
        while stop < self.end and self.lines[stop].strip():
            if stop > start and indent_of(self.lines[stop]) != self.margin:
                break
            stop += 1
        following = stop < self.end and self.lines[stop].strip() and indent_of(self.lines[stop]) > self.margin
        if following and stop == start + 1 and not text.rstrip().endswith("::"):
            self._definition(start)
            return True
        self._finish_paragraph(start, stop, self.margin)
        return True

    def _finish_paragraph(self, start: int, stop: int, skip: int) -> None:
        """A paragraph, and the literal block that two colons at its end announce."""
        pieces = self.reader.pieces(start, stop, skip)
        literal = bool(pieces) and pieces[-1].text.endswith("::")
        if literal:
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text[:-2].rstrip())
        inlines = [*self.opening, *read_rst_spans(pieces)]
        self.opening = []
        self.builder.prose(self.kind, inlines[0].line if inlines else start + 1, stop, inlines, self.first_group)
        self.kind, self.first_group = "paragraph", 0
        self.index = stop
        if literal:
            end = self.reader.end_of_indented(stop, self.end, self.margin)
            first = next((i for i in range(stop, end) if self.lines[i].strip()), end)
            self.reader.code(stop, end, self.reader.language, first + 1)
            self.index = max(end, stop)

    def _definition(self, start: int) -> None:
        """A term and its definition: the term opens the definition's first paragraph, so that both are one block."""
        self._flush_opening()
        group = self._list_group("definition")
        stop = self.reader.end_of_indented(start + 1, self.end, self.margin)
        opening = read_rst_spans(self.reader.pieces(start, start + 1))
        self.reader.body(start + 1, stop, self.reader.margin_of(start + 1, stop), opening, "item", group)
        self.index = max(stop, start + 1)


class ItemBody(Body):
    """A list item: its first line begins after the mark, beside the margin of the others."""

    def __init__(
        self, reader: RstReader, start: int, end: int, margin: int, opening: Sequence[Inline], group: int, column: int
    ) -> None:
        super().__init__(reader, start, end, margin, opening, "item", group)
        self.column = column

    def read_item(self) -> None:
        """The item's first paragraph, then what else it holds."""
        with self.reader.deeper() as allowed:
            if allowed:
                self._first()
                self.read()

    def _first(self) -> None:
        start = self.index
        head = self.lines[start][self.column :]
        if not head.strip():
            self.index = start + 1
            return
        nested = _BULLET.match(head) or _EXPLICIT.match(head)
        if nested:
            # A list or a directive that begins on the item's own line.
            margin, self.margin = self.margin, self.column
            self._block(head)
            self.margin = margin
            return
        stop = start + 1
        while stop < self.end and self.lines[stop].strip() and indent_of(self.lines[stop]) >= self.margin:
            stop += 1
        self._finish_paragraph(start, stop, self.column)
