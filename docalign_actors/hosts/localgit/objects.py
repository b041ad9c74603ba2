"""Reads git objects through one long-lived `git cat-file` a process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import weakref
from collections.abc import Sequence
from typing import IO

from docalign_actors.hosts.localgit.git import Git

_AT_ONCE = 64
"""Blobs that are asked for together. So many requests fit into a pipe that nobody reads yet."""


class ObjectReader:
    """Reads blobs by id. Safe to use after a fork: each process starts a git of its own."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._finalizer: weakref.finalize[..., ObjectReader] | None = None
        self._lock = threading.Lock()

    def __getstate__(self) -> Git:
        return self._git

    def __setstate__(self, git: Git) -> None:
        self.__init__(git)  # type: ignore[misc]

    def read(self, path: str, oid: str, limit: int) -> bytes:
        """At most `limit` bytes of a blob; b"" for an object that this clone does not have."""
        return self._read([oid], limit)[0]

    def read_many(self, items: Sequence[tuple[str, str]], limit: int) -> list[bytes]:
        """Asks for many before it reads the first: two processes that wait for each other take longer than their work."""
        oids = [oid for _, oid in items]
        parts = (oids[start : start + _AT_ONCE] for start in range(0, len(oids), _AT_ONCE))
        return [data for part in parts for data in self._read(part, limit)]

    def _read(self, oids: Sequence[str], limit: int) -> list[bytes]:
        found: list[bytes] = []
        with self._lock:
            process = self._started()
            try:
                if process.stdin is not None and process.stdout is not None:
                    process.stdin.write(b"".join(oid.encode() + b"\n" for oid in oids))
                    process.stdin.flush()
                    found.extend(_next(process.stdout, limit) for _ in oids)
            except (BrokenPipeError, OSError, ValueError):
                self._process = None
        return found + [b""] * (len(oids) - len(found))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._owner != os.getpid():
            self._process = self._git.start("cat-file", "--batch")
            self._owner = os.getpid()
            # Holds the process until this reader is gone, in whatever order the two are collected.
            self._finalizer = weakref.finalize(self, _end, self._process, self._owner)
        return self._process

    def close(self) -> None:
        """Ends the git process, if this process started one."""
        if self._finalizer is not None:
            self._finalizer()
        self._process = None


def _next(answers: IO[bytes], limit: int) -> bytes:
    """The next blob of those that were asked for."""
    header = answers.readline().split()
    if len(header) != 3:
        return b""
    size = int(header[2])
    data = answers.read(min(size, limit))
    rest = size - len(data) + 1
    while rest > 0 and (chunk := answers.read(min(rest, 1 << 20))):
        rest -= len(chunk)
    return data


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """It only reads, so it may be killed. Closing its input would not do: a process forked since may hold that open."""
    if owner != os.getpid():
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait(timeout=10)
