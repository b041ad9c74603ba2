from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from docalign_actors.errors import BackupError, DatabaseError
from docalign_actors.persistence.backup import backup, restore
from docalign_actors.persistence.migrations import Migration, known, migrate
from tests.support.database import create_database, drop_database
from tests.support.schema import schema_of

Programs = Callable[[str, str], None]


def execute(url: str, statement: str, *parameters: object) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, parameters or None)
        return cursor.fetchall() if cursor.description else []


def note(url: str, text: str) -> None:
    """A table of the test's own, so that it does not depend on what the schema demands of a row."""
    execute(url, "CREATE TABLE IF NOT EXISTS notes (id uuid PRIMARY KEY, text text)")
    execute(url, "INSERT INTO notes VALUES (%s, %s)", uuid.uuid4(), text)


def notes(url: str) -> list[object]:
    return [row[0] for row in execute(url, "SELECT text FROM notes ORDER BY text")]


@pytest.fixture
def other_url() -> Iterator[str]:
    url = create_database()
    yield url
    drop_database(url)


def test_a_backup_restores_into_an_empty_database(database_url: str, empty_database_url: str, tmp_path: Path) -> None:
    note(database_url, "kept; 'quoted' \\. \t é")
    size = backup(database_url, tmp_path / "b.dump")
    restore(empty_database_url, tmp_path / "b.dump")
    assert notes(empty_database_url) == ["kept; 'quoted' \\. \t é"]
    assert schema_of(empty_database_url) == schema_of(database_url)
    assert (tmp_path / "b.dump").stat().st_size == size
    assert (tmp_path / "b.dump").stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == ["b.dump"]


def test_a_connection_of_its_own_that_has_not_ended_yet_is_nobody_else(
    database_url: str, other_url: str, tmp_path: Path
) -> None:
    backup(database_url, tmp_path / "b.dump")
    with psycopg.connect(other_url, application_name=f"docalign-backup-{os.getpid()}"):
        restore(other_url, tmp_path / "b.dump")
    with psycopg.connect(other_url), pytest.raises(BackupError, match="Somebody is connected"):
        restore(other_url, tmp_path / "b.dump")


def test_a_database_with_a_schema_and_no_rows_is_empty(database_url: str, other_url: str, tmp_path: Path) -> None:
    note(database_url, "kept")
    backup(database_url, tmp_path / "b.dump")
    restore(other_url, tmp_path / "b.dump")
    assert notes(other_url) == ["kept"]
    assert migrate(other_url) == []


def test_a_database_with_data_is_replaced_only_by_force(database_url: str, other_url: str, tmp_path: Path) -> None:
    note(database_url, "from the backup")
    note(other_url, "precious")
    execute(
        other_url,
        "CREATE TABLE extra AS SELECT 1; CREATE TYPE mood AS ENUM ('good'); CREATE VIEW seen AS SELECT 1;"
        "CREATE TYPE pair AS (a int, b int); CREATE DOMAIN word AS text; CREATE SEQUENCE lonely;"
        "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql RETURN n * 2",
    )
    backup(database_url, tmp_path / "b.dump")
    with pytest.raises(BackupError, match="holds data") as caught:
        restore(other_url, tmp_path / "b.dump")
    assert "--force" in caught.value.hint
    assert notes(other_url) == ["precious"]
    restore(other_url, tmp_path / "b.dump", force=True)
    assert notes(other_url) == ["from the backup"]
    assert schema_of(other_url) == schema_of(database_url)


def test_a_restored_database_can_be_backed_up_and_restored_again(
    database_url: str, other_url: str, tmp_path: Path
) -> None:
    note(database_url, "kept")
    backup(database_url, tmp_path / "1.dump")
    restore(other_url, tmp_path / "1.dump")
    backup(other_url, tmp_path / "2.dump")
    restore(other_url, tmp_path / "2.dump", force=True)
    assert notes(other_url) == ["kept"]
    assert schema_of(other_url) == schema_of(database_url)


def test_a_damaged_backup_changes_nothing(database_url: str, other_url: str, tmp_path: Path) -> None:
    execute(database_url, "CREATE TABLE big AS SELECT n, md5(n::text) FROM generate_series(1, 20000) n")
    note(other_url, "precious")
    backup(database_url, tmp_path / "whole.dump")
    whole = (tmp_path / "whole.dump").read_bytes()
    for name, damaged in {
        "short.dump": whole[: len(whole) * 2 // 3],
        "bent.dump": whole[: len(whole) // 2] + b"\xff" * 2000 + whole[len(whole) // 2 + 2000 :],
    }.items():
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(BackupError):
            restore(other_url, tmp_path / name, force=True)
        assert notes(other_url) == ["precious"]


def test_a_restore_that_the_server_refuses_changes_nothing(database_url: str, other_url: str, tmp_path: Path) -> None:
    note(database_url, "from the backup")
    note(other_url, "precious")
    backup(database_url, tmp_path / "b.dump")
    name = execute(other_url, "SELECT current_database()")[0][0]
    execute(other_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(BackupError, match=r"undone.*read-only"):
        restore(other_url, tmp_path / "b.dump", force=True)
    assert notes(other_url) == ["precious"]


def test_a_file_that_is_no_backup_is_refused(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(BackupError, match="is not a backup"):
        restore(database_url, tmp_path / "letter.txt")
    with pytest.raises(BackupError, match="cannot be read"):
        restore(database_url, tmp_path / "none.dump")


def test_a_backup_of_another_program_is_refused(empty_database_url: str, database_url: str, tmp_path: Path) -> None:
    execute(empty_database_url, "CREATE TABLE theirs (n int)")
    backup(empty_database_url, tmp_path / "b.dump")
    with pytest.raises(BackupError, match="another program"):
        restore(database_url, tmp_path / "b.dump")


def test_a_backup_that_is_newer_than_the_code_is_refused(database_url: str, other_url: str, tmp_path: Path) -> None:
    newer = [*known(), Migration(len(known()) + 1, "later", "CREATE TABLE later (n int)")]
    migrate(database_url, newer)
    backup(database_url, tmp_path / "b.dump")
    with pytest.raises(BackupError, match=f"schema version {len(newer)}"):
        restore(other_url, tmp_path / "b.dump")


def test_a_backup_never_overwrites(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "b.dump").write_text("the last good one")
    with pytest.raises(BackupError, match="there already"):
        backup(database_url, tmp_path / "b.dump")
    assert (tmp_path / "b.dump").read_text() == "the last good one"


def test_a_backup_that_fails_leaves_no_file(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be written"):
        backup(database_url, tmp_path / "missing" / "b.dump")
    assert list(tmp_path.iterdir()) == []


def test_a_restore_waits_for_nobody_who_is_connected(database_url: str, other_url: str, tmp_path: Path) -> None:
    backup(database_url, tmp_path / "b.dump")
    with psycopg.connect(other_url), pytest.raises(BackupError, match="connected") as caught:
        restore(other_url, tmp_path / "b.dump", force=True)
    assert "Stop the service" in caught.value.hint


def test_programs_older_than_the_server_are_named(database_url: str, tmp_path: Path, programs: Programs) -> None:
    programs("pg_dump", "echo 'pg_dump (PostgreSQL) 17.1'")
    with pytest.raises(BackupError, match=r"The server is PostgreSQL 18"):
        backup(database_url, tmp_path / "b.dump")


def test_a_backup_without_a_server_is_a_database_error(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError):
        backup(f"postgresql://postgres@/none?host={tmp_path}", tmp_path / "b.dump")
