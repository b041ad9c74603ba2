"""Every earlier version of a few files, where those of the sampled commits do not tell enough."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.ports import Dropped, FileSource, PastBlob
from docalign_actors.hosts.localgit.git import Git

_MOST_PATHS = 40
_MOST_COMMITS = 20_000
_LONGEST = 1_000_000
_REGULAR = frozenset({":100644", ":100755"})


def versions(git: Git, commit: str, paths: Sequence[str]) -> list[PastBlob]:
    """The versions along the first parents, newest first; their age is counted in versions."""
    if not commit or not paths:
        return []
    output = git.run(
        "log", "--first-parent", "-m", f"--max-count={_MOST_COMMITS}", "--raw", "--no-abbrev", "--no-renames", "-z",
        "--diff-filter=DM", "--format=%x01%H", commit, "--", *sorted(paths)[:_MOST_PATHS], check=False,
    )  # fmt: skip
    found: list[PastBlob] = []
    for record in output.decode("utf-8", "replace").split("\x01")[1:]:
        sha, *fields = (field.strip("\n") for field in record.split("\0"))
        rest = iter([field for field in fields if field])
        for raw in rest:
            path, parts = next(rest, ""), raw.split(" ")
            if parts[0] in _REGULAR and len(parts) > 2:
                found.append(PastBlob(path, parts[2], f"{sha}^", sha, len(found) + 1))
    return found


def droppers(git: Git, span: str, asked: Sequence[Dropped], source: FileSource) -> dict[Dropped, str]:
    """The commit of a span after which a file has no line more of what it had, beside the lines that it has at the end of it.

    A word may stand in the file still, in a remark or in what another function is called: those lines are not looked at.
    """
    found: dict[Dropped, str] = {}
    paths = sorted({one.path for one in asked})
    for start in range(0, len(paths), _MOST_PATHS):
        among = paths[start : start + _MOST_PATHS]
        changed = versions(git, span, among)
        for path in among:
            blobs = [blob for blob in changed if blob.path == path]
            here = [one for one in asked if one.path == path]
            if len(blobs) == 1:  # whatever went from it, this commit took it
                found |= dict.fromkeys(here, blobs[0].after)
            elif blobs:
                _drop(
                    blobs,
                    _lines(git.run("cat-file", "blob", f"{span.rpartition('..')[2]}:{path}", check=False)),
                    here,
                    source,
                    found,
                )
    return found


def _drop(
    blobs: Sequence[PastBlob],
    now: frozenset[bytes],
    asked: Sequence[Dropped],
    source: FileSource,
    found: dict[Dropped, str],
) -> None:
    """`blobs`: what each commit replaced, the newest first."""
    # The likeliest word is looked for in all versions before the next one is.
    waiting = {one: one.words for one in asked}
    lines: list[frozenset[bytes]] = []
    for number in range(max((len(words) for words in waiting.values()), default=0)):
        wanted = {
            one: _whole(words[number]) for one, words in waiting.items() if number < len(words) and one not in found
        }
        for place, blob in enumerate(blobs if wanted else ()):
            if place == len(lines):
                lines.append(_lines(source.read(blob.path, blob.oid, _LONGEST)) - now)
            for one in [one for one, word in wanted.items() if any(map(word.search, lines[place]))]:
                found[one] = blob.after
                del wanted[one]
            if not wanted:
                break


def _whole(word: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![A-Za-z0-9_])" + re.escape(word.encode()) + rb"(?![A-Za-z0-9_])", re.IGNORECASE)


def _lines(data: bytes) -> frozenset[bytes]:
    return frozenset(line.strip() for line in data.split(b"\n"))
