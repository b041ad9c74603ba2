"""Changes of a real history, by lot: single commits that take something out of own code, and ranges as long as a pull request.

The same seed chooses the same ranges of the same history.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.corpus import Source
from bench.files import git, is_own, language_of

_NEWEST = 3_000
"""Commits of the first parent's line that are chosen from."""
_SHORTEST, _LONGEST = 5, 30
_SECONDS = 365 * 24 * 3600
_DEFINITION = re.compile(
    r"\b(?:def|class|function|const|fn|func|fun|type|struct|enum|interface|trait|record|module)\s+(\w+)"
    r"""|["'](--?[a-z][\w-]+)["']|["']([A-Z][A-Z0-9]+_[A-Z0-9_]+)["']|^\s*(?:public|protected)\s[^=;({]{0,80}?(\w+)\s*[({=;]"""
)
"""What a line defines, plainly written: a name, an option, a variable of the environment."""


@dataclass(frozen=True)
class Range:
    """A change: everything from `base` to `head`."""

    base: str
    head: str
    commits: int
    year: bool = False
    """All of the last year, as between two releases."""

    def key(self, source: Source) -> str:
        return f"{source.name} {self.base}..{self.head}"


def choose(
    repository: Path, source: Source, seed: int, singles: int, several: int, *, year: bool = False
) -> list[Range]:
    """Ranges of the history up to the recorded commit, as many as there are, single commits first, the last year at the end."""
    line = git(repository, "rev-list", "--first-parent", f"-{_NEWEST}", source.commit).decode().split()
    lot = random.Random(f"{seed} {source.name}")
    last = _year(repository, line) if year else ()
    return [*_single(repository, line, lot, singles), *_several(repository, line, lot, several), *last]


def _year(repository: Path, line: list[str]) -> Iterator[Range]:
    """From the last commit that is a year older than the newest, or from the first."""
    newest = int(git(repository, "log", "-1", "--format=%ct", line[0]))
    told = (
        git(repository, "rev-list", "-1", "--first-parent", f"--before={newest - _SECONDS}", line[0]).decode().strip()
    )
    base = told if told in line else line[-1]
    if base != line[0]:
        yield Range(base, line[0], line.index(base), year=True)


def _single(repository: Path, line: list[str], lot: random.Random, most: int) -> Iterator[Range]:
    """From places by lot, the next older commit that takes a file or a definition out of own code."""
    taken: set[int] = set()
    for start in lot.sample(range(len(line)), min(most, len(line))):
        for at in range(start, len(line) - 1):
            if at not in taken and _takes_away(repository, line[at + 1], line[at]):
                taken.add(at)
                yield Range(line[at + 1], line[at], 1)
                break


def _several(repository: Path, line: list[str], lot: random.Random, most: int) -> Iterator[Range]:
    starts = range(max(0, len(line) - _LONGEST - 1))
    for start in lot.sample(starts, min(most, len(starts))):
        commits = lot.randint(_SHORTEST, _LONGEST)
        base, head = line[start + commits], line[start]
        if any(status in "MD" for status, _ in _own_files(repository, base, head)):
            yield Range(base, head, commits)


def _own_files(repository: Path, base: str, head: str) -> Iterator[tuple[str, str]]:
    """(status, path) of the code of the repository's own that differs."""
    names = git(repository, "diff-tree", "-r", "-z", "--no-renames", "--name-status", base, head)
    fields = names.decode("utf-8", "replace").split("\0")
    for status, path in zip(fields[::2], fields[1::2], strict=False):
        if language_of(path) and is_own(path):
            yield status, path


def _takes_away(repository: Path, base: str, head: str) -> bool:
    files = {path: status for status, path in _own_files(repository, base, head)}
    if "D" in files.values():
        return True
    if not files:
        return False
    try:
        diff = git(repository, "diff", "-U0", "--no-renames", "--no-ext-diff", base, head, "--", *list(files)[:200])
    except RuntimeError:  # a stored snapshot may lack its largest files
        return False
    gone, come = set[str](), set[str]()
    for row in diff.decode("utf-8", "replace").split("\n"):
        if row.startswith(("-", "+")) and not row.startswith(("---", "+++")):
            names = {name for found in _DEFINITION.findall(row[1:400]) for name in found if name}
            (gone if row[0] == "-" else come).update(names)
    return bool(gone - come)
