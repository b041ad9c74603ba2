"""What a removed name is called now, told from a file before and after.

A rename leaves a shape behind: the name that went and the name that came have the same kind, owner and parameters, or at
least the same place among their neighbours. Only a single candidate counts.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

Named = tuple[str, Hashable]
"""A name and its shape: whatever of it a rename leaves alone."""


def successor(name: str, before: Sequence[Named], after: Sequence[Named]) -> tuple[str, bool] | None:
    """The new name and whether it is certain, or None. `before` and `after` are in source order."""
    then, now = {n for n, _ in before}, {n for n, _ in after}
    gone = [(n, shape) for n, shape in before if n not in now]
    come = [(n, shape) for n, shape in after if n not in then]
    shapes = [shape for n, shape in gone if n == name]
    if not shapes or not come:
        return None
    same_shape = _unique(n for n, shape in come if shape in shapes)
    rivals = {n for n, shape in gone if shape in shapes and n != name}
    if len(same_shape) == 1 and not rivals:
        return same_shape[0], True
    from difflib import SequenceMatcher  # only where something went

    placed = _same_place(name, [n for n, _ in before], [n for n, _ in after])
    if placed and (placed in same_shape or len(come) == 1):
        others = [n for n, _ in come if n != placed]
        crossed = not _words(placed) & _words(name) and any(_words(n) & _words(name) for n in others)
        # Where more went than came, what stands in the place may be new, unless it says something of the old name.
        balanced = len(same_shape) > len(rivals) or bool(_words(placed) & _words(name))
        return None if crossed else (placed, placed in same_shape and balanced)
    alike = [n for n in (same_shape or _unique(n for n, _ in come)) if SequenceMatcher(None, n, name).ratio() >= 0.7]
    return (alike[0], False) if len(alike) == 1 else None


def late_successor(name: str, before: Sequence[Named], after: Sequence[Named]) -> tuple[str, bool] | None:
    """The same where much may have come and gone between before and after: nothing is certain then."""
    found = successor(name, before, after)
    return (found[0], False) if found else None


def share_a_word(one: str, other: str) -> bool:
    """Both names say some of the same."""
    return bool(_words(one) & _words(other))


def _words(name: str) -> set[str]:
    """What a name says: where one that came says some of it, another in the old one's place is not its successor."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}", name)}


def _same_place(name: str, before: list[str], after: list[str]) -> str | None:
    """The name that stands where `name` stood, when the neighbours on both sides stayed."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace" and i2 - i1 == j2 - j1 and name in before[i1:i2]:
            return after[j1 + before[i1:i2].index(name)]
    return None


def _unique(names: object) -> list[str]:
    return list(dict.fromkeys(names))  # type: ignore[call-overload]
