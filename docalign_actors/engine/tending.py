"""Whether anybody looks after a document, told by its own history.

A plan, a report or a note of one piece of work is written within days, no other document leads to it, and nobody touches it
again, while the code goes on. A journal grows and is never corrected. Neither claims to be true today, whatever it is called
and whatever language it is written in; a manual that is looked after is corrected now and then, or another page leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import Tended
from docalign_actors.findings.model import Verdict

_STANDING = re.compile(
    r"^(?:readme|contribut\w*|index|install\w*|agents?|claude|gemini|security|support|governance|build(?:ing)?|hacking|testing"
    r"|devel(?:op(?:ment|ing|ers?)?)?|maintain\w*|architecture|usage|get(?:ting)?[-_ ]?started|quick[-_ ]?start|faq)\b",
    re.IGNORECASE,
)
"""Documents that every reader takes for today's, touched or not."""
_READ_BY_TOOLS = frozenset(
    ".github .gitlab .cursor .claude .kiro .agent .agents .windsurf .codex .gemini .opencode .junie .roo .clinerules".split()
)
"""Folders whose documents a forge or an agent's tool shows or reads each time, though nothing leads to them."""
_WRITTEN_WITHIN = 7 * 24 * 3600
_WENT_ON = 30
"""Commits after which one would have come back to a document that one looks after."""
_LEAST_EDITS, _SHARE_CORRECTED = 8, 0.05
"""Of a journal: how often it was added to at the least, and how much of what was added may have been taken away."""


def is_standing(path: str) -> bool:
    """By its name, or by the folder it lies in, a document that speaks of today."""
    *folders, name = path.split("/")
    return _STANDING.match(name) is not None or not _READ_BY_TOOLS.isdisjoint(folders)


def led_to(judged: Sequence[Judged]) -> frozenset[str]:
    """The documents that another document, or a site's navigation, leads to."""
    return frozenset(
        judgement.evidence[0].file
        for claim, judgement in judged
        if claim.kind in ("path", "navigation")
        and judgement.verdict is Verdict.VERIFIED
        and judgement.evidence
        and judgement.evidence[0].file != claim.file
    )


def is_left_behind(path: str, tended: Tended, led: Set[str]) -> bool:
    """Nobody looks after it: written in one go and led to by nothing, or only ever added to."""
    if path in led or is_standing(path) or tended.since < _WENT_ON:
        return False
    written_once = tended.newest - tended.oldest <= _WRITTEN_WITHIN and not tended.moved
    only_grows = tended.edits >= _LEAST_EDITS and tended.deleted <= _SHARE_CORRECTED * tended.added
    return written_once or only_grows
