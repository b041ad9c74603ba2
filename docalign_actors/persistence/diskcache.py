"""The command line's cache: one SQLite file, shared by every repository of a user, bounded in size.

Keys are blob ids with the version of whatever made the value, so nothing in it ever becomes wrong, only unused.
A cache that cannot be opened or written is no error: the scan is slower without it.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_MOST_BYTES = 512 * 1024 * 1024
_CHUNK = 500
_SCHEMA = (
    # With the values in the tree of the keys, each comparison of two keys would copy a whole value.
    "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value BLOB NOT NULL)",
    "DROP TABLE IF EXISTS blob",  # as it was before
)


def default_directory() -> Path:
    """DOCALIGN_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("DOCALIGN_CACHE_DIR")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docalign"


class DiskCache:
    """A cache on disk, in the shape that the engine asks for."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "blobs.sqlite"
        self._database: sqlite3.Connection | None = None
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > _MOST_BYTES:
                self.path.unlink()
            self._database = sqlite3.connect(self.path, timeout=2.0, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=OFF")
            for statement in _SCHEMA:
                self._database.execute(statement)
            atexit.register(self.close)
        except (OSError, sqlite3.Error):
            self._database = None

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        if self._database is None:
            return found
        with suppress(sqlite3.Error):
            for start in range(0, len(keys), _CHUNK):
                part = keys[start : start + _CHUNK]
                marks = ",".join("?" * len(part))
                found.update(self._database.execute(f"SELECT key, value FROM entry WHERE key IN ({marks})", part))  # noqa: S608 - only question marks
        return found

    def put_many(self, items: Mapping[str, bytes]) -> None:
        if self._database is None:
            return
        with suppress(sqlite3.Error):
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?)", items.items())
            self._database.execute("COMMIT")

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
