"""What git would call a file as it is on disk. Apart from the trees: a remembered answer is looked up without those."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import NamedTuple


class OnDisk(NamedTuple):
    """A file or a symbolic link as it is now."""

    oid: str
    mode: str
    size: int


def on_disk(root: str, path: str) -> OnDisk | None:
    """What lies at a path; None if nothing that git would keep does."""
    full = os.path.join(root, path)
    try:
        status = os.lstat(full)
        if stat.S_ISLNK(status.st_mode):
            return OnDisk(blob_id(os.readlink(full).encode("utf-8", "replace")), "symlink", status.st_size)
        if not stat.S_ISREG(status.st_mode):
            return None
        return OnDisk(_hash_file(full, status.st_size), "file", status.st_size)
    except OSError:
        return None


def blob_id(data: bytes) -> str:
    """The id git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _hash_file(path: str, size: int) -> str:
    """A blob id without holding the file in memory."""
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
