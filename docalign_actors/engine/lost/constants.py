"""Defaults that are constants: a line of own code that gives `ModeHTTP` where it gave `ModeStreaming`.

Documents tell them by what is their own in the name: the default of the mode is `streaming`. What both names begin with tells what
they are values of, whatever the line calls it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.around import around_of
from docalign_actors.engine.lost.changed import ChangedValue, phrases_of
from docalign_actors.engine.lost.lines import COMMENT, LONGEST_LINE, Edit, tests_within
from docalign_actors.engine.lost.shapes import names_of

_CONSTANT = re.compile(r"(?<![\w.:\"'`])[A-Za-z_]\w{1,60}(?:(?:\.|::)[A-Za-z_]\w{1,60}){0,4}(?![\w(:\"'`]|\.\w)")
_GIVEN = re.compile(r"(?:[^=!<>]=|:|[(,]|\breturn\b|\?\?|\|\|)\s{0,20}\0\s{0,20}[,;)}\]]{0,4}\s*$")
"""A line that ends with the constant: it is given to something, and compared with nothing."""
_ASKS = re.compile(r"\b(?:if|case|when|match|switch|elif|while|import|from|use|package|assert)\b|[=!]==?\s*\0")
_IN_ATTRIBUTE = re.compile(r"\bdefault_value\w*\s*=")
"""What an attribute gives by default to the field below it."""
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+|[a-z0-9]+")
_LEAST = 3
_MOST = 40


def changed_constants(edits: Sequence[Edit]) -> list[ChangedValue]:
    """The constants that came again otherwise on a line that is the same but for them."""
    found: list[ChangedValue] = []
    for edit in edits:
        if not edit.data and edit.come and len(found) < _MOST:
            found.extend(_in_edit(edit))
    return found[:_MOST]


def _in_edit(edit: Edit) -> Iterator[ChangedValue]:
    come: dict[str, set[str]] = defaultdict(set)
    for line in edit.come:
        for shape, name in _shapes(line):
            come[shape].add(name)
    tests = tests_within(edit)
    for number, line in edit.numbered:
        for shape, old in _shapes(line) if number not in tests and not COMMENT.match(line) else ():
            heirs = come.get(shape, set())
            new = next(iter(heirs)) if len(heirs) == 1 else ""
            told = _apart(old, new) if new else None
            if told is not None and _GIVEN.search(shape) and not _ASKS.search(shape):
                yield _changed(edit, number, (old, new), *told)


def _shapes(line: str) -> Iterator[tuple[str, str]]:
    """For each constant of a line the line without it."""
    text = line[:LONGEST_LINE]
    for match in _CONSTANT.finditer(text):
        yield f"{text[: match.start()]}\0{text[match.end() :]}", match.group()


def _apart(old: str, new: str) -> tuple[str, str, str] | None:
    """(what both begin with, the old value, the new one): `Mode`, `Streaming`, `HTTP`."""
    (owner, last), (other, end) = (_split(name) for name in (old, new))
    if owner != other:
        return None
    then, now = _HUMPS.findall(last), _HUMPS.findall(end)
    shared = 0
    while shared < min(len(then), len(now)) - 1 and then[shared].lower() == now[shared].lower():
        shared += 1
    owner = owner or "".join(then[:shared])
    a, b = "_".join(then[shared:]), "_".join(now[shared:])
    return (owner, a, b) if owner and min(len(a), len(b)) >= _LEAST and a.lower() != b.lower() else None


def _split(name: str) -> tuple[str, str]:
    """`log.Level.INFO` is `INFO` of `Level`."""
    *owners, last = re.split(r"\.|::", name)
    return (owners[-1] if owners else ""), last


def _changed(edit: Edit, number: int, whole: tuple[str, str], owner: str, old: str, new: str) -> ChangedValue:
    line = edit.before[number]
    then, now = old.lower(), new.lower()
    forms = [
        *((whole,) if whole[0] != old else ()),
        (then.upper(), now.upper()),
        (then.title(), now.title()),
        (old, new),
        (then.replace("_", "-"), now.replace("_", "-")),
    ]
    names = (names_of(line) | {normal(owner)}) - {normal(old), normal(owner + old)}
    around = around_of(edit.before, number, alone=False) - names if _IN_ATTRIBUTE.search(line) else frozenset[str]()
    return ChangedValue(
        then, now, frozenset(names), around, edit.blob.path, edit.blob.after, False,
        tuple(dict.fromkeys(pair for pair in forms if pair[0] != then)), phrases_of([line], frozenset(names)), line, whole[0],
    )  # fmt: skip
