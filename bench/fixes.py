"""Whether what a tool would write by itself leads to the name that the mutator gave."""

from __future__ import annotations

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
    text, written = _letters(edit.text), _letters(edit.replacement)
    return bool(truth.new) and any(
        old in text and text.replace(old, new) == written for old, new in _pairs(truth.kind, truth.old, truth.new)
    )


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
