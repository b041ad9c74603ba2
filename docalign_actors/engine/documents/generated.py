"""Whether a document says that a program wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BY = r"(?:by|from|with|using|file|page|doc)"
_OF_OTHERS = "".join(rf"(?<!\b{verb} )" for verb in ("is", "are", "was", "were", "be", "been"))
"""Who says what it is that is generated ("most of the reference is …") has to say that it is this page."""
_SAYS_SO = re.compile(
    r"\bdo not (?:edit|modify)(?=\W*$| (?:this|it|manually|directly|by hand)\b)|@generated\b"
    r"|\b(?:this (?:\w+ ){0,2}|(?<!of )(?<!how )the )(?:file|page|document|documentation|reference|content)\b[^.\n]{0,40}"
    r"\b(?:is|was|been) (?:auto(?:matically)?[- ]?)?generated\b"
    rf"|{_OF_OTHERS}\b(?:auto-?|automatically )generated {_BY}"
    r"|(?:\A|\n[ \t]{0,20}\n|^[ \t]{0,20}(?:<!--|//|>|\.\.|[*_#]))\W{0,20}(?:file |page )?generated (?:by|from|with|using) \S",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 20
"""Lines from the top within which a page says so; further down, somebody writes of other files."""
_FOOT = 3
_SIGNED = re.compile(r"\W{0,20}(?:auto-?|automatically )?generated (?:by|from|with|using) \S", re.IGNORECASE)
"""Below the last line of a page, by what made it: `Generated using json-schema-for-humans`."""


def line_that_says_so(lines: Sequence[str]) -> int:
    """The line, from 1, on which a document says that it is generated; 0 if it does not."""
    head = "\n".join(lines[:_HEAD])
    lower = head.lower()
    found = _SAYS_SO.search(head) if "generated" in lower or "do not " in lower else None
    if found:
        return head.count("\n", 0, found.end()) + 1
    foot = range(max(_HEAD, len(lines) - _FOOT), len(lines))
    return next((number + 1 for number in foot if _SIGNED.match(lines[number])), 0)
