"""What git says of a working tree, asked for once and all at the same time: a warm scan takes as long as git does."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from docalign_actors.errors import GitError
from docalign_actors.hosts.localgit.blobs import OnDisk, on_disk
from docalign_actors.hosts.localgit.git import Git, find_repository, split_fields


class Listing:
    """The index as git prints it, and what differs from it on disk. Git is waited for when it is asked for."""

    def __init__(self, git: Git, staged: Callable[[], bytes], changed: Callable[[], bytes]) -> None:
        self._root = os.fspath(git.root)
        self._staged = staged
        self._changed = changed

    @cached_property
    def staged(self) -> bytes:
        return self._staged()

    @cached_property
    def differing(self) -> dict[str, tuple[str, OnDisk | None]]:
        """By path, its tag and what lies there now.

        `?` is what git does not track, anything else is tracked, and changed or deleted.
        """
        found: dict[str, tuple[str, OnDisk | None]] = {}
        for field in split_fields(self._changed()):
            tag, _, path = field.partition(" ")
            found[path] = (tag, on_disk(self._root, path))
        return found

    def leave(self) -> None:
        """Nobody will ask: only waits for git, whatever it says."""
        for wait in (self._staged, self._changed):
            with contextlib.suppress(GitError):
                wait()


class Listed(NamedTuple):
    """A repository, its commit and its files."""

    git: Git
    head: str
    """"" before the first commit."""
    listing: Listing
    shallow: str
    """The file that tells where the history of a shallow clone ends. Other clones have none."""
    is_shallow: bool


def list_files(git: Git) -> Listing:
    """Asks git for both lists at once."""
    changed = git.later("ls-files", "-t", "-m", "-d", "-o", "--exclude-standard", "-z")
    return Listing(git, git.later("ls-files", "-s", "-z"), changed)


def list_repository(path: Path) -> Listed:
    """The repository that a folder or file belongs to. Raises what `find_repository` raises."""
    found = _list_at(path) if (path / ".git").exists() else None
    if found is None:
        git = find_repository(path)
        found = _list_at(git.root) or Listed(git, git.head(), list_files(git), "", is_shallow=is_shallow(git))
    return found


def is_shallow(git: Git) -> bool:
    """The clone was told to leave out what is older."""
    return git.run("rev-parse", "--is-shallow-repository", check=False).strip() == b"true"


def _list_at(root: Path) -> Listed | None:
    """All at once, where a folder looks like the root of a repository; None if it is none."""
    git = Git(root)
    asked = git.later(
        "rev-parse", "--is-shallow-repository", "--git-path", "shallow", "--show-toplevel", "HEAD", check=False
    )
    listing = list_files(git)
    told = asked().decode("utf-8", "surrogateescape").rstrip("\n")
    cut, _, rest = told.partition("\n")
    shallow, _, rest = rest.partition("\n")
    top, _, head = rest.rpartition("\n")
    if os.path.realpath(root) != top:
        listing.leave()
        return None
    commit = "" if head == "HEAD" else head
    return Listed(Git(Path(top)), commit, listing, os.path.join(top, shallow), cut == "true")
