"""The schema, step by step: each file in the folder `migrations` is applied once, in order, and never changes.

Forward only. What was applied is in the table `schema_migrations` with a checksum. Any number of processes may do this
at once: one works, the others wait and find nothing left to do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable

import psycopg
from msgspec import Struct

from docalign_actors.errors import MigrationError
from docalign_actors.persistence.database import translate

_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_LOCK = 0x646F6361_6C69676E  # "docalign"
_LOCK_SECONDS = 120
_TABLE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY CHECK (version > 0),
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


class Migration(Struct, frozen=True):
    """One step of the schema."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def known() -> list[Migration]:
    """The migrations of this version of docalign."""
    return read(resources.files(__package__) / "migrations")


def read(folder: Traversable) -> list[Migration]:
    """The migrations in a folder, in order; a gap or a wrong name is a mistake of the one who wrote them."""
    found: list[Migration] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql"):
            continue
        match = _NAME.fullmatch(file.name)
        if match is None or int(match[1]) != len(found) + 1:
            raise ValueError(f"{file.name}: the next migration is {len(found) + 1:04}_what_it_does.sql")
        found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    return found


def migrate(url: str, migrations: Sequence[Migration] | None = None) -> list[Migration]:
    """Bring the database up to date; gives what was applied now."""
    wanted = known() if migrations is None else migrations
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
            connection.execute("SELECT set_config('lock_timeout', %s, false)", [f"{_LOCK_SECONDS}s"])
            connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
            with connection.transaction():
                connection.execute("SET LOCAL client_min_messages = warning")
                connection.execute(_TABLE)
            waiting = pending(applied(connection), wanted)
            for migration in waiting:
                _apply(connection, migration)
            return waiting
    except psycopg.Error as error:
        raise translate(error) from error


def status(url: str) -> tuple[int, int]:
    """The version of the database and the version that this code needs; changes nothing."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
            there = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
            done = applied(connection) if there is not None and there[0] else {}
            return max(done, default=0), len(known())
    except psycopg.Error as error:
        raise translate(error) from error


def applied(connection: psycopg.Connection[tuple[object, ...]]) -> dict[int, tuple[str, str]]:
    """Name and checksum of each migration that the database has."""
    rows = connection.execute("SELECT version, name, checksum FROM schema_migrations ORDER BY version").fetchall()
    return {int(str(version)): (str(name), str(checksum)) for version, name, checksum in rows}


def pending(done: dict[int, tuple[str, str]], wanted: Sequence[Migration]) -> list[Migration]:
    """What is left to do; an error if the database has something else than these migrations made."""
    newest = max(done, default=0)
    if newest > len(wanted):
        raise MigrationError(
            f"The database has schema version {newest}; this docalign knows {len(wanted)}.",
            hint="Install the newer docalign again, or restore a backup from before it was installed.",
        )
    for migration in wanted[:newest]:
        if done.get(migration.version) != (migration.name, migration.checksum):
            raise MigrationError(
                f"Migration {migration.version:04}_{migration.name} is not the one that made this database."
            )
    return list(wanted[newest:])


def _apply(connection: psycopg.Connection[tuple[object, ...]], migration: Migration) -> None:
    try:
        with connection.transaction():
            connection.execute(migration.text)
            connection.execute(
                "INSERT INTO schema_migrations (version, name, checksum) VALUES (%s, %s, %s)",
                [migration.version, migration.name, migration.checksum],
            )
    except (psycopg.ProgrammingError, psycopg.IntegrityError, psycopg.DataError) as error:
        raise MigrationError(
            f"Migration {migration.version:04}_{migration.name} failed and was undone: {error}"
        ) from error
