"""The lines that the diff of a pull request shows, read from the repository's mirror: no request, whatever its size. Where
the mirror does not know, GitHub is asked (`hosts/github/installation.py`)."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from loguru import logger
from msgspec import Struct

from docalign_actors.github.ports import DiffLine, Place
from docalign_actors.hosts.localgit.git import Git, environment
from docalign_actors.scans.model import RepoId

_SECONDS = 20.0
"""For all commands together: whoever asks has other things to do."""
_MOST_FILES = 30
_DIFF = (
    "diff",
    "-M",
    "-l2000",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
    "--diff-algorithm=myers",
)
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class MirrorDiffs:
    """`github.ports.Diffs` on the mirrors in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def shown(self, repo: RepoId, base: str, head: str, places: Collection[Place]) -> tuple[DiffLine, ...] | None:
        """Those of the places that the diff shows; None if the mirror does not know the commits, or is not there."""
        look = _Look(Git(self._folder / f"{repo}.git", bare=True), time.monotonic() + _SECONDS)
        try:
            root = _root(look, base, head)
            return tuple(_shown(look, root, head, places)) if root else None
        except (OSError, subprocess.SubprocessError) as error:
            logger.warning("the diff of {} cannot be read: {}", repo, type(error).__name__)
            return None


class _Look(Struct, frozen=True):
    """One look into a mirror, which must be over by then."""

    git: Git
    until: float

    def run(self, *arguments: str) -> bytes:
        done = subprocess.run(
            self.git.command(*arguments), stdin=subprocess.DEVNULL, capture_output=True, env=environment(), check=False,
            timeout=max(0.1, self.until - time.monotonic()),
        )  # fmt: skip
        return done.stdout if done.returncode == 0 else b""


def _root(look: _Look, base: str, head: str) -> str:
    """Where the head left its base; "" if that cannot be told here."""
    if base.startswith("-") or head.startswith("-") or not look.git.root.is_dir():
        return ""
    # A branch first: a tag of the same name would be taken otherwise.
    found = (look.run("merge-base", name, head).decode().strip() for name in (f"refs/heads/{base}", base))
    return next(filter(None, found), "")


def _shown(look: _Look, root: str, head: str, places: Collection[Place]) -> Iterator[DiffLine]:
    before = _names_before(look, root, head) if places else {}
    wanted: dict[str, set[int]] = {}
    for path, line in sorted(places):
        if path in before:
            wanted.setdefault(path, set()).add(line)
    for path, lines in list(wanted.items())[:_MOST_FILES]:
        names = dict.fromkeys((before[path], path))
        patch = look.run(*_DIFF, "-U3", "--inter-hunk-context=0", root, head, "--", *names)
        yield from (DiffLine(path, number, text) for number, text in new_lines(patch) if number in lines)


def _names_before(look: _Look, base: str, head: str) -> dict[str, str]:
    """What each changed file was called before; its own name if it is new."""
    fields = iter(look.run(*_DIFF, "--name-status", "-z", base, head).decode("utf-8", "surrogateescape").split("\0"))
    found: dict[str, str] = {}
    for mark in fields:
        if mark[:1] in ("R", "C"):
            old = next(fields, "")
            found[next(fields, "")] = old
        elif mark[:1] in ("A", "M"):
            name = next(fields, "")
            found[name] = name
        elif mark:
            next(fields, "")
    return found


def new_lines(patch: bytes) -> Iterator[tuple[int, str]]:
    """The lines of the new file in a patch of one file, with their numbers. A line that is no UTF-8 is left out."""
    old = new = number = 0
    for row in patch.split(b"\n"):
        if old <= 0 and new <= 0:
            hunk = _HUNK.match(row)
            if hunk is not None:
                old, number, new = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            continue
        mark = row[:1]
        if mark == b"\\":
            continue
        old -= mark in (b" ", b"-", b"")
        if mark == b"-":
            continue
        new -= 1
        try:
            yield number, row[1:].removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            pass
        number += 1
