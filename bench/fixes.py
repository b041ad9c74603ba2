"""Whether what a tool would write by itself leads to the name that the mutator gave."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from bench.truth import Truth


class Certain(NamedTuple):
    """A replacement that the tool makes unasked: where, of what, by what."""

    path: str
    line: int
    text: str
    replacement: str


def leads_to_the_new_name(truth: Truth, edit: Certain) -> bool:
    """The text with the new name in place of the old one, however both are spelled: marks and case do not count.

    Where a thing went and nothing came in its place, no replacement is right.
    """
    if not truth.new:
        return False
    resolved = posixpath.normpath(posixpath.join(posixpath.dirname(edit.path), edit.replacement))
    if truth.kind in ("file", "directory") and resolved == truth.new.rstrip("/"):
        return True
    written = _letters(edit.replacement)
    return any(written in _exchanged(_letters(edit.text), *pair) for pair in _pairs(truth.kind, truth.old, truth.new))


def _exchanged(text: str, old: str, new: str) -> set[str]:
    """The text with the new name in place of the old one: at one place of several, or at all of them."""
    places = [match.start() for match in re.finditer(rf"(?={re.escape(old)})", text)] if old else []
    return {text[:at] + new + text[at + len(old) :] for at in places} | ({text.replace(old, new)} if places else set())


def _pairs(kind: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """The letters of the old and the new name, whole and as far as their beginnings differ from what a document may leave out."""
    if kind == "parameter":
        old, new = (name.rpartition("(")[2].rstrip(")") for name in (old, new))
    elif kind in ("default", "script", "version", "heading"):
        old, new = (re.split(r"[= #]", name, maxsplit=1)[-1] for name in (old, new))
    before, after = (re.split(r"[/.:]", name.strip("/")) for name in (old, new))
    yield _letters(old), _letters(new)
    if kind in ("file", "directory", "module") and len(before) == len(after):
        for start in range(1, len(before)):
            if before[:start] == after[:start]:
                yield _letters("".join(before[start:])), _letters("".join(after[start:]))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
