"""Chains of calls over several lines: what a link that gives a value belongs to.

Most languages write the dot before a link; Go writes it behind the link above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CHAINED = re.compile(r"(?P<indent>[ \t]*)(?:->|\?\.|\.)[A-Za-z_]")
_GOES_ON = re.compile(r"\)\.\s*$")
_NAMING = re.compile(r"(?i)(?:node|option|arg\w*|key|long|name|field|property|param\w*|flag)\(\s*[\"']")
_LONGEST_LINE = 400


def is_link(lines: Sequence[str], number: int) -> bool:
    """The line goes on with what a line above it begins."""
    if _CHAINED.match(lines[number]):
        return True
    return number > 0 and _GOES_ON.search(lines[number - 1][:_LONGEST_LINE]) is not None


def called_on(lines: Sequence[str], number: int, most: int) -> str:
    """The line of the call that a link belongs to, at most so many above it."""
    chained = _CHAINED.match(lines[number])
    above = lines[max(0, number - most) : number]
    return _link_above(above, len(chained["indent"])) if chained is not None else _first_of(above)


def _link_above(above: Sequence[str], indent: int) -> str:
    """The one right above it, or the last that is indented less."""
    for line in reversed(above):
        stripped = line.lstrip()
        own = len(line) - len(stripped)
        if own < indent or (own == indent and _NAMING.search(line)) or not _CHAINED.match(line):
            return line
    return ""


def _first_of(above: Sequence[str]) -> str:
    """`Flag("timeout",` of a chain whose links end with the dot; its help may stand on lines of its own."""
    for line in reversed(above):
        goes_on = _GOES_ON.search(line[:_LONGEST_LINE]) or line.lstrip()[:1] in "\"'`"
        if not goes_on or _NAMING.search(line[:_LONGEST_LINE]):
            return line
    return ""
