"""The differential question: did it hold before this change, and does it hold now?

A claim that nothing decides by itself may still be decided by what a change did to it: the word it is about stood in the
repository's own code, this change took it away, and it stands nowhere in the code any more.
"""

from __future__ import annotations

import re

from docalign_actors.engine.claims import Claim, Judgement, Rule
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.roles import is_own_code
from docalign_actors.findings.model import Evidence, Verdict

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMES = frozenset({"symbol", "signature", "imports", "option", "environment", "configkey"})
"""Kinds whose claims are about a name that code must contain."""
_LONG = 8


def broken(
    claim: Claim, then: Judgement, base: CodeIndex, head: CodeIndex, removed: set[str], rule: Rule
) -> Judgement | None:
    """A judgement if this change took the claim's word out of the code for good, None if it did not."""
    if claim.kind not in _NAMES:
        return None
    lost = [w for w in _WORD.findall(claim.text) if w in removed and w in claim.words and not head.occurs_in_code(w)]
    if then.verdict is not Verdict.VERIFIED:
        lost = [w for w in lost if is_distinctive(w)]
    word = lost[-1] if lost else ""
    before = sorted(path for path in base.occurs(word) if is_own_code(path))
    if not before:
        return None
    evidence = tuple(Evidence(f"`{word}` stood here before this change", path) for path in before[:3])
    message = f"`{word}` is nowhere in the code any more: this change took it away."
    return Judgement(Verdict.DRIFTED, rule.id, message, evidence, 0.85, subject=word)


def is_distinctive(word: str) -> bool:
    """A word that is hardly English: joined with underscores, capitals inside, or long."""
    return "_" in word.strip("_") or any(c.isupper() for c in word[1:]) or len(word) >= _LONG
