"""The files of mirrored repositories, at any commit: listed, compared and read from git objects."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from docalign_actors.applications.model import CREATED, DELETED, RENAMED, UPDATED, Change, File, Listing
from docalign_actors.applications.ports import GoneError
from docalign_actors.errors import GitError
from docalign_actors.hosts.localgit.git import Git, environment, joined
from docalign_actors.scans.model import RepoId

_MODES = {"100644": "file", "100664": "file", "100755": "executable", "120000": "symlink"}
"""Submodules are commits of somebody else's: they are no files."""
_OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_STREAM_SECONDS = 300.0
"""How long a reader may take for one file."""
_END_SECONDS = 10.0
_PIECE = 65_536


class MirrorTrees:
    """What `applications.ports.Trees` asks for. A mirror's folder is named after its repository's id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tip(self, repo: RepoId, branch: str) -> str:
        found = self._git(repo).run("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}^{{commit}}", check=False)
        return found.decode().strip()

    def has(self, repo: RepoId, commit: str) -> bool:
        if not _OBJECT.fullmatch(commit):
            return False
        return bool(self._git(repo).run("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", check=False).strip())

    def listing(self, repo: RepoId, commit: str) -> Listing:
        if not self.has(repo, commit):
            raise GoneError(f"the commit {commit[:64]} is not in the mirror")
        found: dict[str, File] = {}
        for field in self._asked(repo, "ls-tree", "-r", "-l", "-z", "--full-tree", commit):
            head, _, path = field.partition("\t")
            mode, _, blob, size = head.split()
            if mode in _MODES:
                found[path] = File(path, _MODES[mode], blob, int(size))
        return Listing.of(found.values())

    def changes(self, repo: RepoId, before: str, after: str) -> list[Change]:
        empty = self._empty_tree(repo) if not (before and after) else ""
        for commit in (before, after):
            if commit and not self.has(repo, commit):
                raise GoneError(f"the commit {commit[:64]} is not in the mirror")
        fields = self._asked(
            repo, "diff-tree", "-r", "-z", "-M", "-l2000", "--raw", "--no-abbrev", "--no-ext-diff", before or empty, after or empty
        )  # fmt: skip
        raw = list(_raw(iter(fields)))
        sizes = self._sizes(repo, {blob for _, _, mode, blob, _, _ in raw if mode in _MODES})
        return [change for one in raw for change in _changes(*one, sizes)]

    def read(self, repo: RepoId, blob: str, limit: int) -> bytes | None:
        git = self._with_blob(repo, blob)
        return git.run("cat-file", "blob", blob)[:limit] if git is not None else None

    def stream(self, repo: RepoId, blob: str, limit: int) -> Iterator[bytes] | None:
        """A blob piece by piece; None if it is not here."""
        git = self._with_blob(repo, blob)
        return _pieces(git, blob, limit) if git is not None else None

    def _with_blob(self, repo: RepoId, blob: str) -> Git | None:
        try:
            git = self._git(repo)
        except GoneError:
            return None
        there = _OBJECT.fullmatch(blob) and git.run("cat-file", "-t", blob, check=False).strip() == b"blob"
        return git if there else None

    def _sizes(self, repo: RepoId, blobs: set[str]) -> dict[str, int]:
        if not blobs:
            return {}
        out = self._git(repo).run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=joined(sorted(blobs)))
        lines = (line.split() for line in out.decode().splitlines())
        return {words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdigit()}

    def _empty_tree(self, repo: RepoId) -> str:
        return self._git(repo).run("hash-object", "-t", "tree", "--stdin").decode().strip()

    def _asked(self, repo: RepoId, *arguments: str) -> list[str]:
        """Names that are no UTF-8 are spelt out byte by byte: two of them must not become one."""
        try:
            printed = self._git(repo).run(*arguments)
            return [field.decode("utf-8", "backslashreplace") for field in printed.split(b"\0") if field]
        except GitError as error:  # an object is missing or broken: a fresh mirror has it
            raise GoneError(str(error)) from None

    def _git(self, repo: RepoId) -> Git:
        path = self._folder / f"{repo}.git"
        if not (path / "HEAD").exists():
            raise GoneError("there is no mirror")
        return Git(path, bare=True)


Raw = tuple[str, str, str, str, str, str]
"""status, old mode, new mode, new blob, path, new path"""


def _raw(fields: Iterator[str]) -> Iterator[Raw]:
    """`:mode mode blob blob status`, then a path, or two of a rename."""
    for head in fields:
        words = head.lstrip(":").split()
        if not head.startswith(":") or len(words) != 5:
            continue
        old_mode, mode, _, blob, status = words
        path = next(fields, "")
        new = next(fields, "") if status[0] in "RC" else path
        yield status[0], old_mode, mode, blob, path, new


def _changes(
    status: str, old_mode: str, mode: str, blob: str, path: str, new: str, sizes: dict[str, int]
) -> list[Change]:
    """A file that becomes a submodule is gone; one that was a submodule is new."""
    was, now = old_mode in _MODES, mode in _MODES
    file = File(new, _MODES[mode], blob, sizes.get(blob, 0)) if now else None
    if file is None:
        return [Change(DELETED, path)] if was else []
    if not was or status in "AC":
        return [Change(CREATED, new, file)]
    if status == "R":
        return [Change(RENAMED, new, file, path)]
    return [Change(UPDATED, new, file)]


def _pieces(git: Git, blob: str, limit: int) -> Iterator[bytes]:
    """Ends when the reader has gone, too: closing the iterator ends git."""
    process = subprocess.Popen(
        git.command("cat-file", "blob", blob), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=environment(),
    )  # fmt: skip
    overdue = threading.Timer(_STREAM_SECONDS, process.kill)
    overdue.daemon = True
    overdue.start()
    try:
        left = limit
        while left > 0 and process.stdout is not None and (piece := process.stdout.read(min(_PIECE, left))):
            left -= len(piece)
            yield piece
    finally:
        overdue.cancel()
        process.kill()
        if process.stdout is not None:
            process.stdout.close()
        process.wait(_END_SECONDS)
