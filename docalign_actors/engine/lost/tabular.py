"""Tables in plain text, as programs print them: a head (`KEY  DEFAULT  DESCRIPTION`), and columns told by where they begin."""

from __future__ import annotations

import re

from docalign_actors.engine.documents.model import Block
from docalign_actors.engine.lost.lines import LONGEST_LINE

_HEAD = re.compile(r"(?:^|\s{2,}|\t)(?P<default>defaults?(?: values?)?)(?=\s{2,}|\t|\s*$)", re.IGNORECASE)
_COLUMN = re.compile(r"\S+(?: \S+)*")
_FIRST = re.compile(r"\s*[\"'`]?(?P<name>-{0,2}[A-Za-z][\w.-]*\w)[\"'`]?(?=\s)")
_LEAST_COLUMNS = 2
_LONGEST_TABLE = 200
_MOST_WORDS = 3


def row_of_defaults(block: Block, number: int, at: int) -> str:
    """What a row is about that has something at `at`, in the column of defaults: its first word; "" if there is no such column."""
    line = block.lines[number].text[:LONGEST_LINE]
    told = _FIRST.match(line)
    if told is None or at <= told.end():
        return ""
    quoted = at - (line[at - 1] in "\"'`[")
    for above in reversed(block.lines[max(0, number - _LONGEST_TABLE) : number]):
        text = above.text[:LONGEST_LINE]
        if not text.strip():
            return ""
        head = _HEAD.search(text) if _is_head(text) else None
        if head is not None:
            return told["name"] if head.start("default") in (at, quoted) else ""
    return ""


def _is_head(line: str) -> bool:
    """Several columns, each of a few words."""
    columns = _COLUMN.findall(line)
    return len(columns) >= _LEAST_COLUMNS and all(len(column.split()) <= _MOST_WORDS for column in columns)
