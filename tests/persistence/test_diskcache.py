from __future__ import annotations

import sqlite3
from pathlib import Path

from docalign_actors.persistence.diskcache import DiskCache


def test_a_look_up_passes_over_the_values_of_other_keys(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put_many({"a": b"1", "b": b"2"})
    assert cache.get_many(["a", "c"]) == {"a": b"1"}
    cache.close()
    with sqlite3.connect(cache.path) as database:
        # Without row ids the values lie in the tree of the keys, and each comparison on the way copies a whole one.
        assert database.execute("SELECT name, wr FROM pragma_table_list WHERE name = 'entry'").fetchall() == [
            ("entry", 0)
        ]


def test_what_was_kept_in_another_form_makes_room(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "blobs.sqlite") as database:
        database.execute("CREATE TABLE blob (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        database.execute("INSERT INTO blob VALUES ('a', 'old')")
    cache = DiskCache(tmp_path)
    assert cache.get_many(["a"]) == {}
    cache.close()
    with sqlite3.connect(cache.path) as database:
        assert database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [("entry",)]
