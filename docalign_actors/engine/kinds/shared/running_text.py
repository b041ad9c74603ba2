"""A block's words as one string, with the way back to the place in the source."""

from __future__ import annotations

import re
from bisect import bisect_right

from docalign_actors.engine.documents.model import Block, Inline

_LONGEST = 4000
_STOP = re.compile(r"[.!?;](?=\s|$)")
_STOP_IN_ROW = re.compile(r"[.!?;](?=\s|$)|\s\|\s")
_ABBREVIATION = re.compile(r"(\b(e\.g|i\.e|etc|vs|ver|v|min|approx|resp|incl)|\W\w)\.$", re.IGNORECASE)


class RunningText:
    """The text and code inlines of a block, joined by blanks; cells of a row by ` | `."""

    def __init__(self, block: Block) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        self._inlines: list[Inline] = []
        length = 0
        groups = [cell.inlines for cell in block.cells] or [block.inlines]
        for index, group in enumerate(groups):
            if index:
                parts.append(" | ")
                length += 3
            for inline in group:
                if inline.kind not in ("text", "code") or length > _LONGEST:
                    continue
                if parts and not parts[-1].endswith(" "):
                    parts.append(" ")
                    length += 1
                self._starts.append(length)
                self._inlines.append(inline)
                parts.append(inline.text)
                length += len(inline.text)
        self._stop = _STOP_IN_ROW if block.cells else _STOP
        self.text = "".join(parts)[: _LONGEST + 2000]

    def place(self, start: int, end: int) -> Inline | None:
        """The source place of a stretch, None if it does not stand on one line in one piece."""
        position = bisect_right(self._starts, start) - 1
        if position < 0:
            return None
        inline = self._inlines[position]
        offset = start - self._starts[position]
        text = inline.text[offset : offset + end - start]
        if len(text) != end - start:
            return None
        return Inline(inline.kind, text, inline.line, inline.column + offset)

    def is_code(self, start: int) -> bool:
        """The place lies in a code span."""
        position = bisect_right(self._starts, start) - 1
        return position >= 0 and self._inlines[position].kind == "code"

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """The bounds of the sentence, or the cell, around a stretch."""
        first = 0
        for match in self._stop.finditer(self.text, 0, start):
            if match[0] != "." or not _ABBREVIATION.search(self.text[max(0, match.end() - 8) : match.end()]):
                first = match.end()
        last = self._stop.search(self.text, end)
        return first, last.start() if last else len(self.text)
