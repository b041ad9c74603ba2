"""Which paths a deletion takes along: a folder goes with the last file that was in it."""

from __future__ import annotations

from collections.abc import Iterable

from docalign_actors.engine.ports import Commit


def note_deletion(found: dict[str, Commit], path: str, commit: Commit) -> None:
    """Adds a deleted path and the folders above it. What was noted before, by a newer commit, stays."""
    found.setdefault(path, commit)
    for parent in parents(path):
        if parent in found:
            return  # and so is all that is above it
        found[parent] = commit


def parents(path: str) -> Iterable[str]:
    """The folders above a path, the nearest first."""
    parent = path.rpartition("/")[0]
    while parent:
        yield parent
        parent = parent.rpartition("/")[0]
