"""What `docalign scan` printed, remembered whole: the same scan of the same files is printed again without the engine.

Everything that decides what is printed goes into the key: the files and the commit, the configuration, the options, the
modules of this program. Nothing is imported here that takes longer to load than git takes to list the files.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from docalign_actors.engine.configuration_files import configuration_places
from docalign_actors.engine.identity import identity
from docalign_actors.hosts.localgit.blobs import on_disk
from docalign_actors.hosts.localgit.listing import Listed, list_repository
from docalign_actors.persistence.diskcache import DiskCache, default_directory

_OPTIONS = ("format", "show", "doubtful", "fail_on", "no_baseline", "verbose", "colour")
"""What changes the words that are printed."""
_MARKS = (1_111_111, 2_222_222)
"""Milliseconds that stand for the time a scan took: rendered with each, a report differs just where the time is told."""
_LONGEST = 4_000_000
"""Bytes. A longer printout is not worth a place in the cache."""


class Printout(NamedTuple):
    """What is to be printed, by all that decides it, of which files, and since when."""

    key: str
    listed: Listed
    cache: DiskCache
    wanted_at: float


def printout_of(given: argparse.Namespace) -> Printout | None:
    """The printout of a whole scan that prints its result; None for any other. Raises if there is no repository."""
    began = time.perf_counter()
    special = given.no_cache or given.staged or given.changed_since or given.output or given.jobs is not None
    if special or len(given.format or ()) > 1:
        return None
    listed = list_repository(given.path)
    root = os.fspath(listed.git.root)
    places = [given.config] if given.config is not None else configuration_places(root, given.path)
    parts = [identity("engine", "findings", "reporting", "cli"), root, os.path.realpath(given.path), listed.head]
    parts += [f"{name}={getattr(given, name)}" for name in _OPTIONS]
    parts += [str(sys.stdout.isatty()), os.environ.get("NO_COLOR", "")]
    parts += [f"{path}\0{on_disk('', os.fspath(path))}" for path in (listed.shallow, *places)]
    parts += [f"{path}\0{what}" for path, what in listed.listing.differing.items()]
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape"))
    digest.update(b"\0" + listed.listing.staged)
    cache = DiskCache(given.cache_dir or default_directory())
    return Printout(f"printout:{digest.hexdigest()}", listed, cache, began)


def print_again(printout: Printout) -> int | None:
    """Prints what was printed the last time, with the time it took now; the exit code, or None if nothing is known."""
    found = printout.cache.get_many([printout.key]).get(printout.key)
    if not found:
        return None
    code, baseline, oid, form, at, text = found.split(b"\0", 5)
    if _blob(printout, os.fsdecode(baseline)) != oid:
        return None
    taken = _told(form, round((time.perf_counter() - printout.wanted_at) * 1000))
    sys.stdout.buffer.write(text[: int(at)] + taken + text[int(at) :])
    sys.stdout.flush()
    return int(code)


def keep_printout(printout: Printout, code: int, baseline: str, printed: Callable[[int], str]) -> None:
    """Remembers what is printed of a scan that took so many milliseconds. `baseline` is a file that it depends on."""
    found = _without_time(*(printed(mark).encode("utf-8", "replace") for mark in _MARKS))
    if found is None or len(found[2]) > _LONGEST:
        return
    form, at, text = found
    fields = (b"%d" % code, os.fsencode(baseline), _blob(printout, baseline), form, b"%d" % at, text)
    printout.cache.put_many({printout.key: b"\0".join(fields)})


def _without_time(one: bytes, other: bytes) -> tuple[bytes, int, bytes] | None:
    """How the time is told in two texts that differ in nothing else, where, and the text without it; None if it cannot be seen."""
    if one == other:
        return b"", 0, one
    for form in (b"ms", b"s"):
        mark, another = (_told(form, milliseconds) for milliseconds in _MARKS)
        at = one.find(mark)
        head, tail = one[: max(at, 0)], one[at + len(mark) :]
        if at >= 0 and head + another + tail == other:
            return form, at, head + tail
    return None


def _told(form: bytes, milliseconds: int) -> bytes:
    """The time, as a report of this form tells it."""
    if form == b"s":
        return b"%.2f" % (milliseconds / 1000)
    return b"%d" % milliseconds if form == b"ms" else b""


def _blob(printout: Printout, path: str) -> bytes:
    """What lies at a path of the repository; nothing is something that can be known, too."""
    there = on_disk(os.fspath(printout.listed.git.root), path)
    return there.oid.encode() if there else b""
