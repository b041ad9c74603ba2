"""Trees of files: what is on disk, what is staged, what a commit holds."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from functools import cached_property

from docalign_actors.engine.ports import Entry
from docalign_actors.hosts.localgit.git import Git, split_fields
from docalign_actors.hosts.localgit.listing import Listed, Listing, list_files
from docalign_actors.hosts.localgit.objects import ObjectReader

_MODES = {"100644": "file", "100664": "file", "100755": "executable", "120000": "symlink", "160000": "submodule"}


class CommitTree:
    """The files of one commit, read from git objects. Nothing is checked out."""

    def __init__(self, git: Git, revision: str) -> None:
        self.commit = git.resolve(revision)
        self._git = git
        self.source = ObjectReader(git)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        found: dict[str, Entry] = {}
        for field in self._git.fields("ls-tree", "-r", "-z", "--full-tree", self.commit):
            head, _, path = field.partition("\t")
            mode, _, oid = head.split(" ")
            found[path] = Entry(path, oid, _MODES.get(mode, "file"))
        return found

    def read(self, path: str, limit: int) -> bytes:
        entry = self.entries.get(path)
        return self.source.read(path, entry.oid, limit) if entry and entry.mode != "submodule" else b""


class IndexTree:
    """What is staged: the files as the next commit would hold them."""

    def __init__(self, git: Git) -> None:
        self.commit = git.head()
        self._git = git
        self.source = ObjectReader(git)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        return staged_entries(self._git.run("ls-files", "-s", "-z"))

    def read(self, path: str, limit: int) -> bytes:
        entry = self.entries.get(path)
        return self.source.read(path, entry.oid, limit) if entry and entry.mode != "submodule" else b""


class WorkingTree:
    """The files on disk: tracked ones as they are now, and new ones that `.gitignore` does not name."""

    def __init__(self, git: Git, listed: Listed | None = None) -> None:
        """`listed`: what git has said of it already."""
        self.commit = git.head() if listed is None else listed.head
        self._git = git
        self._listed = listed
        self._root = os.fspath(git.root)
        self.source = DiskReader(self._root)

    @property
    def untracked(self) -> bool:
        """There are files that git does not know yet."""
        return any(tag == "?" for tag, _ in self._listing.differing.values())

    @cached_property
    def _listing(self) -> Listing:
        return self._listed.listing if self._listed else list_files(self._git)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        found = staged_entries(self._listing.staged)
        for path, (tag, there) in self._listing.differing.items():
            if tag != "?" and (path not in found or found[path].mode == "submodule"):
                continue
            if there is not None:
                found[path] = Entry(path, *there)
            elif tag != "?":
                del found[path]
        return found

    def read(self, path: str, limit: int) -> bytes:
        return self.source.read(path, "", limit) if path in self.entries else b""


class DiskReader:
    """Reads files below a folder, and never through a symbolic link: a link's bytes are its target."""

    def __init__(self, root: str) -> None:
        self._root = root

    def read_many(self, items: Sequence[tuple[str, str]], limit: int) -> list[bytes]:
        return [self.read(path, oid, limit) for path, oid in items]

    def read(self, path: str, oid: str, limit: int) -> bytes:
        full = os.path.join(self._root, path)
        try:
            # Asked first, a file might become a link before the answer is used: never follow one out of the repository.
            descriptor = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            return _target(full, limit) if error.errno == errno.ELOOP else b""
        try:
            return _read(descriptor, min(limit, os.fstat(descriptor).st_size))
        except OSError:
            return b""
        finally:
            os.close(descriptor)


def _target(link: str, limit: int) -> bytes:
    try:
        return os.readlink(link).encode("utf-8", "replace")[:limit]
    except OSError:
        return b""


def _read(descriptor: int, size: int) -> bytes:
    """So many bytes, or fewer if there are no more. One system call nearly always; a file object would need six."""
    data = os.read(descriptor, size)
    while len(data) < size and (part := os.read(descriptor, size - len(data))):
        data += part
    return data


def staged_entries(listing: bytes) -> dict[str, Entry]:
    """The index: path, blob and mode of everything tracked. Of a conflict, our side."""
    found: dict[str, Entry] = {}
    for field in split_fields(listing):
        head, _, path = field.partition("\t")
        mode, oid, stage = head.split(" ")
        if stage in ("0", "2"):
            found[path] = Entry(path, oid, _MODES.get(mode, "file"))
    return found
