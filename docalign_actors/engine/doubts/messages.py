"""Names in what a program says when it fails, or writes into its log: "Warning: … the `mapPacked` parameters are provided".

The words may be another program's, which own code only hands the name on to, or speak of some other code. What is given up: a
message of own code that is quoted with a name which went without a successor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_MESSAGE = re.compile(
    r"\s*(?:\[?(?:warn(?:ing)?|error|fatal|panic|uncaught|deprecat\w{1,8})\]?|\w{1,60}(?:Error|Exception|Warning))\b[^:\n]{0,60}:\s",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\s*<(?:error|failure|warning)[\s>]")
"""A line of a log, or of a report on some code: all of the block was printed then, of whatever code it may have been."""
_OF_A_COMMIT = re.compile(
    r"\s*(?:(?:feat|fix)|(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)\([\w./, -]{1,40}\))!?: \S"
)
"""The first line of a commit's message, as it shall be written: "feat(tools): add get_next_task"."""
_PRINTED = re.compile(r"<[^<>\n]{1,200} at 0x[0-9a-f]{4,16}>|[\w./-]{1,120}\.\w{1,4}:\d{1,6}\([\w<>.]{1,80}\)")
"""How Python shows an object, and a profile a function (`app/run.py:171(main)`): the block is what one run printed."""
_KINDS = frozenset({"symbol", "configkey", "environment", "signature", "path"})
_SAID = uncertain("a program says so when it fails, and it may be another's")


def doubt_messages(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where a name stands in a message that a document quotes, and no other one is in its place."""
    lines: dict[str, tuple[frozenset[int], frozenset[int]]] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind in _KINDS:
            if claim.file not in lines:
                lines[claim.file] = _messages(documents.get(claim.file))
            said, printed = lines[claim.file]
            if claim.line in printed or (claim.line in said and judgement.fix is None):
                judgement = _SAID
        result.append((claim, judgement))
    return result


def _messages(document: Document | None) -> tuple[frozenset[int], frozenset[int]]:
    """The lines of messages and logs, and those of what one run printed or what is an example of a commit's message."""
    found: set[int] = set()
    printed: set[int] = set()
    for block in document.blocks if document else ():
        whole = any(_REPORT.match(line.text[:60]) for line in block.lines)
        found.update(line.line for line in block.lines if whole or _MESSAGE.match(line.text[:200]))
        if block.kind == "code":
            printed.update(line.line for line in block.lines if _OF_A_COMMIT.match(line.text[:200]))
        if any(_PRINTED.search(line.text[:400]) for line in block.lines):
            printed.update(line.line for line in block.lines)
    return frozenset(found), frozenset(printed)
