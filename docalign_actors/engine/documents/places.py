"""Where things stand: pieces of source lines joined for scanning, and what was found put back in its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from docalign_actors.engine.documents.model import Inline, InlineKind


class Piece(NamedTuple):
    """A part of one source line."""

    text: str
    line: int
    column: int


class Mark(NamedTuple):
    """A stretch that is not plain words. What the reader is given of it, if anything, stands at first to last."""

    start: int
    end: int
    kind: InlineKind | None = None
    first: int = 0
    last: int = 0
    label: str = ""


class Places:
    """Turns offsets of the joined text into lines and columns."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.starts: list[int] = []
        offset = 0
        for piece in pieces:
            self.starts.append(offset)
            offset += len(piece.text) + 1
        self.length = offset

    def line(self, offset: int) -> int:
        return self.pieces[bisect_right(self.starts, offset) - 1].line

    def inlines(self, kind: InlineKind, start: int, end: int, label: str = "") -> list[Inline]:
        """One inline for each source line of a stretch, blanks at both ends left out."""
        found: list[Inline] = []
        if start >= end:
            return found
        index = bisect_right(self.starts, start) - 1
        while index < len(self.pieces) and self.starts[index] < end:
            piece, base = self.pieces[index], self.starts[index]
            first = max(start - base, 0)
            raw = piece.text[first : end - base]
            text = raw.strip()
            if text:
                column = piece.column + first + len(raw) - len(raw.lstrip())
                found.append(Inline(kind, text, piece.line, column, label))
            index += 1
        return found


def joined(pieces: Sequence[Piece]) -> str:
    """The pieces as one text: what `Places` counts offsets in."""
    return "\n".join(piece.text for piece in pieces)


def in_place(pieces: Sequence[Piece], marks: Sequence[Mark]) -> list[Inline]:
    """The inlines of a text: what was marked, in order, and the plain words between."""
    if not marks:
        return [
            Inline("text", text, piece.line, piece.column + len(piece.text) - len(piece.text.lstrip()))
            for piece in pieces
            if (text := piece.text.strip())
        ]
    places = Places(pieces)
    found: list[Inline] = []
    position = 0
    for mark in marks:
        if mark.start > position:
            found.extend(places.inlines("text", position, mark.start))
        if mark.kind:
            marked = places.inlines(mark.kind, mark.first, mark.last, mark.label)
            found.extend(marked if mark.kind == "code" or len(marked) == 1 else ())  # half a target leads nowhere
        position = max(position, mark.end)
    found.extend(places.inlines("text", position, places.length))
    return found
