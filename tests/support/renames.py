"""A commit that renames one documented thing in all of the code and in no document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@dataclass(frozen=True)
class Rename:
    """`old` becomes `new` in the code files; every line of the documents that holds `told` is false then."""

    name: str
    files: dict[str, str]
    old: str
    new: str
    told: str = ""
    moves: tuple[tuple[str, str], ...] = ()


def readme(*lines: str) -> dict[str, str]:
    return {"README.md": "\n".join(("# Tool", "", *lines)) + "\n"}


def _code(repo: Repository, case: Rename) -> None:
    for path in case.files:
        if not path.endswith(".md"):
            repo.replace(case.old, case.new, path) if case.old in case.files[path] else None


def check_rename(repository: Make, case: Rename) -> None:
    repo = repository(dict(case.files))
    _code(repo, case)
    for old, new in case.moves:
        repo.write({new: (repo.root / old).read_text()})
        repo.git("rm", "-qf", old)
    repo.commit()
    wanted = {
        (path, number)
        for path, text in case.files.items()
        if path.endswith(".md")
        for number, line in enumerate(text.splitlines(), 1)
        if (case.told or case.old) in line
    }
    for since in ("", "HEAD~1"):
        found = {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}
        assert (since, found) == (since, wanted)
