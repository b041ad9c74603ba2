"""Lines that the very commit wrote which took the thing away: who wrote them knew.

A commit that folds a program into another and says so rewrites the line that named it, and names it still. Whether the document had
the words before, and how the sentence puts it, need not be known: git tells which commit wrote the line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import History
from docalign_actors.findings.model import Verdict

_MOST = 40
"""Lines that are asked about: each costs a look through the history of its document."""
_WRITTEN = uncertain("the commit that took it away wrote this line")


def doubt_written_with(judged: Sequence[Judged], history: History, least: float) -> list[Judged]:
    """The judgements, in doubt where one commit wrote the line and took away what it names.

    least   how sure one must be of what is shown: nothing else is asked about
    """
    asked = [(c, j) for c, j in judged if _is_asked(c, j) and j.confidence >= least][:_MOST]
    lines: dict[str, set[int]] = defaultdict(set)
    for claim, _ in asked:
        lines[claim.file].add(claim.line)
    writers = {file: history.writers(file, sorted(numbers)) for file, numbers in lines.items()}
    doubted = {id(c) for c, j in asked if writers[c.file].get(c.line, "") in {item.commit for item in j.evidence}}
    return [(c, _WRITTEN if id(c) in doubted else j) for c, j in judged]


def _is_asked(claim: Claim, judgement: Judgement) -> bool:
    """A dead link is dead, whoever wrote it."""
    return (
        judgement.verdict is Verdict.DRIFTED
        and claim.form not in ("link", "image")
        and any(item.commit for item in judgement.evidence)
    )
