"""Values of a list of those that one may give, of which one is called the default: ``- `info`: what is usual (the default)``.

The entry begins with the value, so that what it is of stands above the list: in the item that the list is below, or in the
paragraph before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE
from docalign_actors.engine.lost.stated import Stated, named_in, spellings_of
from docalign_actors.engine.lost.subjects import of_text, of_title

_CALLED = re.compile(
    r"\((?:(?:this is )?(?:the|our) )?default[);,]|['’]s default\b|\bis (?:the |our )?default(?=[\s.,;)]|$)"
    r"|\bthe default(?=[.,;)]|$)|\b(?:the|our) default (?:setting|value|behaviou?r|level|mode|choice|option|method|format)\b"
    r"|^\W{0,4}default\b",
    re.IGNORECASE,
)
_ABOVE = 30
_ENTRIES = ("item", "row", "html")


class Choice(NamedTuple):
    """An entry that begins with a value and calls it the default."""

    document: Document
    number: int
    head: Inline
    value: str


def choices(documents: Mapping[str, Document]) -> list[Choice]:
    """All such entries."""
    found: list[Choice] = []
    for document in documents.values():
        for number, block in enumerate(document.blocks if not document.history else ()):
            if block.kind not in ("item", "row") or block.historical:
                continue
            head = next(iter(block.cells[0].inlines if block.cells else block.inlines), None)
            if head is not None and head.kind == "code" and _CALLED.search(_rest(block, head.text)):
                found.append(Choice(document, number, head, head.text.strip(" \"'")))
    return found


def offered(change: ChangedValue, among: Sequence[Choice]) -> Iterator[Stated]:
    """Those of the entries that call the old value the default of what has another now."""
    texts = set(spellings_of(change)) if among else set[str]()
    for document, number, head, value in among:
        names = named_in(change, _owners(document, number)) if value in texts else frozenset[str]()
        if names & change.names or (names and not value.isdigit()):
            block = document.blocks[number]
            yield Stated(document, block, head, head.text.index(value), value, names, to_be_mended=False)


def _rest(block: Block, head: str) -> str:
    """What the entry says of the value."""
    texts = [i.text for i in block.every_inline() if i.kind in ("text", "code")]
    return " ".join(texts)[len(head) : 4 * LONGEST_LINE].strip(" :-–—")


def _owners(document: Document, number: int) -> set[str]:
    """What the list may be of: the item above that begins further left, or the paragraph before the list, or the title."""
    block = document.blocks[number]
    within = block.inlines[0].column if block.kind == "item" and block.inlines else 0
    for above in reversed(document.blocks[max(0, number - _ABOVE) : number]):
        if above.section != block.section or above.kind == "heading":
            break
        if above.kind == "item" and above.inlines and above.inlines[0].column < within:
            return of_text(above)
        if above.kind not in _ENTRIES:
            return of_text(above) if above.kind == "paragraph" else of_title(block)
    return of_title(block)
