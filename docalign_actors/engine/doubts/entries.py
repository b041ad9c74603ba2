"""Entries of a log of work, in documents that are otherwise of today: a list of what was done, notes of what was learnt.

"Audit read API: complete (PR #77)" tells what that piece of work brought, "Labels overlap (2026-02-05)" what was found on that
day. The next piece of work takes back what it likes, and nobody goes through the entries for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.doubts.designs import is_of_code
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_NUMBER = (
    r"(?:(?:\b(?:issues?|PRs?|MRs?|pull requests?|fixes|closes)\s?|[(\[,/&+]\s?)#\d{1,6}\b|\b(?:PR|MR)[ -]?\d{1,6}\b)"
)
"""Of an issue or a pull request; not "Issue 1: connection closed" of a page about trouble, nor "Step #3"."""
_OVER = r"(?:✅|☑️?|✔️?|\b(?:completed?|done|merged|shipped|landed|closed|fixed|finished)\b|完了|完成|已合并)"
_ENTRY = re.compile(rf"{_OVER}.{{0,80}}{_NUMBER}|{_NUMBER}.{{0,80}}{_OVER}", re.IGNORECASE)
_DAY = re.compile(r"[(\[–—-]\s?\d{4}-\d\d-\d\d\s?[)\]]?\W*$")
_LEAST_DAYS = 2
"""Headings with a day at their end: one alone may say of which day a description is."""
_LONGEST_TITLE = 160
_FARTHEST = 40
"""Blocks between an entry's first line and what belongs to it."""
_OF_AN_ENTRY = uncertain("an entry of a log tells what one piece of work did")


def doubt_entries(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where an entry speaks of code. Whoever follows one of its links does so today."""
    days: dict[str, frozenset[str]] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        document = documents.get(claim.file)
        doubtful = (
            judgement.verdict is Verdict.DRIFTED
            and is_of_code(claim)
            and claim.kind != "licence"
            and document is not None
        )
        if doubtful and document is not None and claim.file not in days:
            days[claim.file] = _days(document)
        told = doubtful and document is not None and is_of_an_entry(claim, document, days[claim.file])
        result.append((claim, _OF_AN_ENTRY if told else judgement))
    return result


def is_of_an_entry(claim: Claim, document: Document, days: frozenset[str]) -> bool:
    """A heading above, or the paragraph that begins the list, is the first line of an entry."""
    if any(title in days or _ENTRY.search(title[:_LONGEST_TITLE]) for title in claim.section):
        return True
    position = document.position(claim.line)
    above = document.blocks[max(0, position - _FARTHEST) : position + 1]
    first = next((block for block in reversed(above) if _may_begin(block)), None)
    return first is not None and first is not above[-1] and _ENTRY.search(first.text) is not None


def _may_begin(block: Block) -> bool:
    """A heading ends the search: what stands above it is another matter."""
    return block.kind == "heading" or (block.kind == "paragraph" and len(block.text) <= _LONGEST_TITLE)


def _days(document: Document) -> frozenset[str]:
    """The titles of a document's sections that end with a day, if there are several."""
    titles = [block.info for block in document.blocks if block.kind == "heading" and block.level > 1]
    dated = [title for title in titles if _DAY.search(title)]
    return frozenset(dated if len(dated) >= _LEAST_DAYS else ())
