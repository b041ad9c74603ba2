"""`docalign: ignore[rule] reason` in a document's comments, and the lines that each covers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from docalign_actors.engine.documents.builder import Extent
from docalign_actors.engine.documents.model import Suppression

_DIRECTIVE = re.compile(r"docalign:\s{0,8}ignore(-file|-block|-start|-end)?\b(?:\[([^\]\n]{0,400})\])?([^\n]{0,400})")
_COMMENT_ONLY = re.compile(r"^[\s>*-]*(?:<!--.*-->|\{/\*.*\*/\}|\.\. .*|//.*)\s*$")


def read_suppressions(
    comments: Sequence[tuple[str, int]], lines: Sequence[str], extents: Sequence[Extent]
) -> tuple[Suppression, ...]:
    """The suppressions in a document's comments (text and line of each), in order."""
    if not comments:
        return ()
    found: list[Suppression] = []
    started: list[Suppression] = []
    layout = _Layout(lines, extents)
    for text, start in sorted(set(comments), key=lambda comment: comment[1]):
        for match in _DIRECTIVE.finditer(text):
            line = start + text.count("\n", 0, match.start())
            column = lines[line - 1].find("docalign") + 1 if line <= len(lines) else 1
            suppression = Suppression(_rules(match[2]), _reason(match[3]), line, line, line, max(1, column))
            scope = match[1] or ""
            if scope == "-file":
                found.append(_covering(suppression, 1, 0))
            elif scope == "-start":
                started.append(suppression)
            elif scope == "-end":
                found.extend(_covering(s, s.line, line) for s in started)
                started.clear()
            elif scope == "-block":
                found.append(_covering(suppression, *layout.next_block(line)))
            else:
                covered = layout.next_line(line)
                found.append(_covering(suppression, covered, covered))
    found.extend(_covering(s, s.line, 0) for s in started)
    return tuple(sorted(found, key=lambda s: s.line))


def _covering(suppression: Suppression, first: int, last: int) -> Suppression:
    return msgspec.structs.replace(suppression, first=first, last=last)


def _rules(inside: str | None) -> tuple[str, ...]:
    """No brackets: every rule, which is the empty tuple."""
    return tuple(rule for part in (inside or "").split(",") if (rule := part.strip().lower()))


def _reason(text: str) -> str:
    return text.split("-->")[0].split("*/")[0].strip(" \t:-–—")


class _Layout:
    """What follows each line: worked out once, however many comments there are."""

    def __init__(self, lines: Sequence[str], extents: Sequence[Extent]) -> None:
        self.lines = lines
        self.extents = sorted(extents, key=lambda extent: extent.first)
        self.firsts = [extent.first for extent in self.extents]
        self.ends: dict[int, int] = {}
        for extent in extents:
            self.ends[extent.group] = max(extent.last, self.ends.get(extent.group, 0))
        self.following = [0] * (len(lines) + 2)
        for number in range(len(lines), 0, -1):
            text = lines[number - 1][:2_000]
            says_something = text.strip() and not ("docalign" in text and _COMMENT_ONLY.match(text))
            self.following[number] = number if says_something else self.following[number + 1]

    def next_line(self, line: int) -> int:
        """The line itself if the comment shares it with other text, else the next one that says something."""
        if line > len(self.lines) or not _COMMENT_ONLY.match(self.lines[line - 1][:2_000]):
            return line
        return self.following[line + 1] or line

    def next_block(self, line: int) -> tuple[int, int]:
        """The lines of the block that begins after a line: all of a list or a table, not only its first row."""
        index = bisect_right(self.firsts, line)
        if index == len(self.extents):
            return line, line
        extent = self.extents[index]
        return extent.first, self.ends[extent.group] if extent.group else extent.last
