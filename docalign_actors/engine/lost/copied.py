"""Blocks that copy a file of ours: "the published file looks like this". A line of it that has just got another value is false.

What such a line gives need not be a setting with a value beside it: `'ttl' => (int) env('TTL', 60 * 60),` is copied as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.lost.changed import PRODUCT, ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit
from docalign_actors.engine.lost.shapes import shape_of

_LETTERS = re.compile(r"[A-Za-z]{3}")
_GIVES = re.compile(r"""[\w$@.>'"-]{2,80}\s{0,20}(?:=>|[:=](?!:))\s*[^\s=]""")
_MOST_LINES = 2_000
_LEAST_COPIED = 4

Listed = tuple[Document, Block, Inline, int, str, frozenset[str]]


Shown = Mapping[str, Sequence[tuple[Document, Block, Inline]]]
"""The lines of the code that documents show, by their text without margins."""


def shown_lines(documents: Mapping[str, Document]) -> Shown:
    """All of them, gathered once for all values that changed."""
    found: dict[str, list[tuple[Document, Block, Inline]]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for line in block.lines if block.kind == "code" and not block.historical else ():
                found[_bare(line.text)].append((document, block, line))
    return found


def copied(change: ChangedValue, shown: Shown, edits: Sequence[Edit]) -> Iterator[Listed]:
    """The places in such blocks where the line stands as it stood."""
    gone = _bare(change.line)
    edit = next((e for e in edits if e.blob.path == change.path), None)
    if edit is None or edit.data or not _GIVES.match(gone) or gone in map(_bare, edit.come):
        return
    for document, block, line in shown.get(gone, ()):
        at, text = _place(line.text[:LONGEST_LINE], change.old)
        if at >= 0 and is_copied(block, edit):
            yield document, block, line, at, text, change.names


def is_copied(block: Block, edit: Edit) -> bool:
    """But for its margins nearly every line of the block stood in the file, and several of them say something.

    A line that is one of the file's with another value shows what somebody chose.
    """
    had = {_bare(line) for line in edit.before[:_MOST_LINES]}
    shown = [_bare(line.text) for line in block.lines if line.text.strip()]
    same = [line for line in shown if line in had]
    telling = sum(1 for line in same if _LETTERS.search(line))
    if len(same) * 5 < len(shown) * 4 or telling < _LEAST_COPIED:
        return False
    settings = {_setting(line) for line in had}
    return not any(setting and setting in settings for line in shown if line not in had for setting in [_setting(line)])


def _setting(line: str) -> str:
    """What a line gives a value to, and what that looks like without its values; "" for a line that gives none."""
    key, mark, value = re.split(r"(=>|[:=](?!:))", line, maxsplit=1) if _GIVES.match(line) else ("", "", "")
    return key.strip() + mark + shape_of(value, False)[0].strip() if mark else ""


def _bare(line: str) -> str:
    return line[:LONGEST_LINE].strip().rstrip(",;")


def _place(line: str, old: str) -> tuple[int, str]:
    """Where the old value stands in the line: as it is, or as the product that it amounts to."""
    match = re.search(rf"(?<![\w.]){re.escape(old)}(?![\w.])", line) or PRODUCT.search(line)
    return (match.start(), match.group()) if match is not None else (-1, "")
