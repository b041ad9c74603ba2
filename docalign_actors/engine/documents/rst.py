"""Reads reStructuredText: a scanner of lines and indents that keeps every position.

docutils knows no columns and takes seconds for what takes milliseconds here; what is left out are constructs that hold no
claims (substitutions, footnote numbering, line blocks' layout).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.model import BlockKind, Inline
from docalign_actors.engine.documents.places import Piece
from docalign_actors.engine.documents.rst_body import Body, indent_of

__all__ = ["RstReader", "indent_of", "read_rst"]

_DEEPEST = 25


def read_rst(builder: Builder) -> None:
    """Reads all of a reStructuredText file's lines into the builder."""
    RstReader(builder).body(0, len(builder.lines), 0)


class RstReader:
    """Reads bodies: stretches of lines with a common margin."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.lines = builder.lines
        self.adornments: list[str] = []
        self.language = ""
        self._depth = 0

    def body(
        self,
        start: int,
        end: int,
        margin: int,
        opening: Sequence[Inline] = (),
        kind: BlockKind = "paragraph",
        group: int = 0,
    ) -> None:
        """Reads the lines start to end, whose text begins at `margin`. `opening` goes before the first paragraph."""
        with self.deeper() as allowed:
            if allowed:
                Body(self, start, end, margin, opening, kind, group).read()

    @contextmanager
    def deeper(self) -> Iterator[bool]:
        """One level further in; says whether that is still read."""
        if self._depth >= _DEEPEST:
            self.builder.note(f"nested more than {_DEEPEST} deep: not read further in")
            yield False
            return
        self._depth += 1
        try:
            yield True
        finally:
            self._depth -= 1

    def end_of_indented(self, index: int, end: int, margin: int) -> int:
        """The first line from `index` on that is not indented beyond `margin`, blank lines before it left out."""
        last = index
        while index < end:
            if self.lines[index].strip():
                if indent_of(self.lines[index]) <= margin:
                    break
                last = index + 1
            index += 1
        return last

    def margin_of(self, start: int, end: int) -> int:
        """The common indent of some lines."""
        return min((indent_of(line) for line in self.lines[start:end] if line.strip()), default=0)

    def code(self, start: int, end: int, language: str, line: int, info: str = "") -> None:
        """A code block of the lines start to end."""
        while start < end and not self.lines[start].strip():
            start += 1
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        if start >= end:
            return
        margin = self.margin_of(start, end)
        lines = [_code_line(self.lines[i], i, margin) for i in range(start, end)]
        self.builder.code(line, end, lines, language, info)

    def pieces(self, start: int, end: int, skip: int = -1) -> list[Piece]:
        """Source lines without their indent; of the first, `skip` characters are left out."""
        found = []
        for index in range(start, end):
            line = self.lines[index]
            cut = skip if index == start and skip >= 0 else indent_of(line)
            found.append(Piece(line[cut:].rstrip(), index + 1, cut + 1))
        return found


def _code_line(line: str, index: int, margin: int) -> Inline:
    text = line[margin:].rstrip()
    return Inline("code", text, index + 1, margin + 1 if text else 1)
