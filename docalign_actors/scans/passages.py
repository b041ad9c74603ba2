"""Decides which prose is given to agents to read claims out of. Pure.

Only what the change wrote, only where no claim was found that code can decide or an agent is asked about, and only if it
speaks of what the code does: a bounded number of passages, in the order of the documents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from docalign_actors.contracts.tasks import LONGEST_PASSAGE, Passage
from docalign_actors.engine.documents.model import Block, Document

_LEAST_WORDS = 6
_KINDS = frozenset({"paragraph", "item", "quote"})
_SPEAKS = re.compile(
    r"\b(?:returns?|raises?|throws?|retr(?:y|ies)|cach(?:es?|ed)|validat(?:es?|ed)|stor(?:es?|ed)|sends?|sent|reads?|writes?|"
    r"written|deletes?d?|locks?|blocks?|times? out|logs?|rejects?|accepts?|requires?|supports?|ignores?|runs?|starts?|stops?|"
    r"encrypts?|hash(?:es|ed)|sorts?|escap(?:es?|ed)|compress(?:es|ed)|polls?|schedul(?:es?|ed)|queues?|thread|process|"
    r"synchronous(?:ly)?|asynchronous(?:ly)?|in memory|on disk|database|transaction|request|response)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\b[a-z]+_[a-z0-9_]+\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\w+\(\)")


def passages(
    document: Document, lines: Sequence[str], written: Collection[int], claimed: Collection[int], most: int
) -> list[Passage]:
    """The passages of one document. `written`: lines that are new; `claimed`: lines with a claim that is dealt with."""
    if document.history:
        return []
    found: list[Passage] = []
    for block in document.blocks:
        if len(found) >= most:
            break
        if block.kind not in _KINDS or block.historical or block.hypothetical:
            continue
        first, last = block.line, max((i.line for i in block.every_inline()), default=block.line)
        span = range(first, last + 1)
        if written_of(span, written) and not any(line in claimed for line in span) and speaks_of_code(block):
            text = "\n".join(lines[first - 1 : last])
            if 0 < len(text) <= LONGEST_PASSAGE:
                found.append(Passage(document.path, first, text, block.section))
    return found


def written_of(span: range, written: Collection[int]) -> bool:
    """Whether the change wrote any of these lines."""
    return any(line in written for line in span)


def speaks_of_code(block: Block) -> bool:
    """Whether a block says what the code does."""
    text = block.text
    if len(text.split()) < _LEAST_WORDS or text.rstrip().endswith("?"):
        return False
    return bool(_SPEAKS.search(text) or _NAMES.search(text) or any(i.kind == "code" for i in block.every_inline()))
