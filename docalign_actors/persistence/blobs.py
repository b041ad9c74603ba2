"""The service's cache: what a blob yielded, in PostgreSQL, shared by all scans. A port of the engine.

A cache that cannot be read or written is no error: the scan is slower without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType

import psycopg

_CHUNK = 500
_LARGEST = 8 * 1024 * 1024
_GET = "SELECT key, value, used_on < current_date FROM blob_cache WHERE key = ANY(%s)"
_TOUCH = "UPDATE blob_cache SET used_on = current_date WHERE key = ANY(%s)"
_PUT = "INSERT INTO blob_cache (key, value) SELECT * FROM unnest(%s::text[], %s::bytea[]) ORDER BY 1 ON CONFLICT DO NOTHING"


class BlobCache:
    """One connection of its own, for one scan."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[tuple[str, bytes, bool]] | None = None

    def __enter__(self) -> BlobCache:
        with suppress(psycopg.Error):
            self._connection = psycopg.connect(
                self._url, autocommit=True, connect_timeout=5, application_name="docalign-scan",
                options="-c statement_timeout=20000 -c synchronous_commit=off",
            )  # fmt: skip
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        if self._connection is None:
            return found
        old: list[str] = []
        with suppress(psycopg.Error):
            for start in range(0, len(keys), _CHUNK):
                rows = self._connection.execute(_GET, (list(keys[start : start + _CHUNK]),), binary=True).fetchall()
                found.update((key, bytes(value)) for key, value, _ in rows)
                old.extend(key for key, _, stale in rows if stale)
            if old:
                self._connection.execute(_TOUCH, (old,))
        return found

    def put_many(self, items: Mapping[str, bytes]) -> None:
        if self._connection is None:
            return
        kept = [(key, value) for key, value in items.items() if len(value) <= _LARGEST]
        with suppress(psycopg.Error):
            for start in range(0, len(kept), _CHUNK):
                keys, values = zip(*kept[start : start + _CHUNK], strict=True)
                self._connection.execute(_PUT, (list(keys), list(values)))
