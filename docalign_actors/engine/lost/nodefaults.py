"""Values that changed and are no defaults of anything: sentences, the package's own version, one of several that are kept."""

from __future__ import annotations

import posixpath
import re

from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.changed import ChangedValue

_LISTED, _MOST_LISTED = re.compile(r"\s*[,;|]\s*"), 20
_COUNTERS = ("version", "revision", "iteration", "serial")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}")
_SENTENCE = re.compile(r"[A-Za-z]{2,20} (?:[A-Za-z-]{1,20} ){1,2}[A-Za-z]{2}")
"""Three words and more: what a thing is for, in words, which code may put otherwise without making the old ones false."""


def is_no_default(change: ChangedValue) -> bool:
    """Documents that hold the old value are not made false by the new one."""
    return _SENTENCE.search(change.old) is not None or _is_own_version(change) or _is_among(change)


def _is_among(change: ChangedValue) -> bool:
    """The old value is one of several now: `ctrl+c` of `ctrl+c,super+c`."""
    return change.old in _LISTED.split(change.new)[:_MOST_LISTED] and change.old != change.new


def _is_own_version(change: ChangedValue) -> bool:
    """`Version: 1.1.0`, `ACME_VERSION` in acme.php: documents with their own versions and changes say such numbers, too."""
    own = {"version", normal(posixpath.splitext(posixpath.basename(change.path))[0]) + "version"}
    if change.old.isdecimal() and all(
        name in _COUNTERS or (len(change.old) == 1 and name.endswith(_COUNTERS)) for name in change.names or ("",)
    ):
        return True  # how often a file of data was saved, or its form was changed: `CACHE_FORMAT_VERSION = 3`
    return not own.isdisjoint((*change.names, *change.around)) and _VERSION.fullmatch(change.old) is not None
