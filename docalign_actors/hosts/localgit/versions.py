"""Every earlier version of a few files, where those of the sampled commits do not tell enough."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.ports import PastBlob
from docalign_actors.hosts.localgit.git import Git

_MOST_PATHS = 40
_MOST_COMMITS = 20_000
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
