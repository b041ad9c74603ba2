"""How to look at the past: where it differs from the present."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from docalign_actors.engine.code.reader import MANIFESTS, SOURCE_LIMIT, language_of
from docalign_actors.engine.ports import FileSource
from docalign_actors.engine.roles import is_fixture

Pairs = Counter[tuple[bytes, bytes]]
"""How often each line stands before each other."""
AROUND = 6
"""Lines above and below a difference that count with it: an option's name and its default often stand on different lines."""
WIDELY = 24
"""The same for what has just changed, which is little: the name of a field may stand below a long list of attributes."""


_DECORATES = re.compile(rb"\s*(?:@\w|#\[)")
_DEFINES = re.compile(
    rb"\s*(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|final|abstract|async)\s+)*"
    rb"(?:def|class|fn|function|struct|enum|interface|record|mod)\s"
)
_FARTHEST = 200
"""Lines between a decorator and what it decorates: a command may have dozens of options."""


def is_manifest(path: str) -> bool:
    """A manifest or a file of settings."""
    return language_of(path) in MANIFESTS


def tells_of_packages(path: str) -> bool:
    """Manifests are read whatever the documentation says: they tell what packages there are. Test data tells of none."""
    return (is_manifest(path) or path.rpartition("/")[2] == "setup.py") and not is_fixture(path)


class PastLens:
    """Earlier versions of files. What an earlier version shares with the present one tells nothing that the present does not.

    `present` gives the blob id that each path has now. Versions of one file are best looked at one after the other: the
    present one is then read once.
    """

    def __init__(self, past: FileSource, source: FileSource, present: Mapping[str, str], around: int = AROUND) -> None:
        self.around = around
        self.past = past
        self.source = source
        self.present = present
        self._last: tuple[str, Pairs] | None = None

    def fetch(self, path: str, oid: str) -> bytes:
        return self.past.read(path, oid, SOURCE_LIMIT + 1)

    def sight(self, path: str, data: bytes) -> bytes:
        if path not in self.present:
            return data
        if self._last is None or self._last[0] != path:
            now = self.source.read(path, self.present[path], SOURCE_LIMIT + 1)
            self._last = (path, Counter(_pairs(now.split(b"\n"))))
        return _near_what_went(data, self._last[1], self.around)

    def tag(self, path: str) -> str:
        return self.present.get(path, "gone") + (f":{self.around}" if self.around != AROUND else "")


def near_differences(then: bytes, now: bytes, around: int = AROUND) -> bytes:
    """The lines of `then` that `now` has not, with the lines around them.

    Lines are compared together with the next one: of ten equal decorators, the one above a renamed function is the one
    that went.
    """
    return _near_what_went(then, Counter(_pairs(now.split(b"\n"))), around)


def _pairs(lines: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    return pairwise([*lines, b""])


def _near_what_went(then: bytes, kept: Pairs, around: int) -> bytes:
    lines = then.split(b"\n")
    pairs = list(_pairs(lines))
    left = {pair: kept[pair] for pair, count in Counter(pairs).items() if count > kept[pair]}
    wanted: list[bytes] = []
    end = 0
    for number in [number for number, pair in enumerate(pairs) if pair in left] if left else ():
        left[pairs[number]] -= 1
        if left[pairs[number]] < 0:
            start = max(end, number - around)
            end = min(len(lines), number + around + 2)
            wanted.extend(lines[start:end])
            wanted.extend(_decorated(lines, number) if _DECORATES.match(lines[number]) else ())
    return b"\n".join(wanted)


def _decorated(lines: list[bytes], number: int) -> list[bytes]:
    """The line that a decorator or an attribute speaks of: without a name of its own, a command is called by its function."""
    below = lines[number + 1 : number + 1 + _FARTHEST]
    return next(([line] for line in below if _DEFINES.match(line[:300])), [])
