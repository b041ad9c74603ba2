from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from docalign_actors.errors import DatabaseError, MigrationError
from docalign_actors.persistence import migrations
from docalign_actors.persistence.migrations import Migration, migrate
from tests.support.database import create_database, drop_database
from tests.support.schema import schema_of

TABLE = Migration(1, "fruit", "CREATE TABLE fruit (name text PRIMARY KEY)")
COLUMN = Migration(2, "weight", "ALTER TABLE fruit ADD COLUMN weight integer NOT NULL DEFAULT 0; -- 100 %")
INDEX = Migration(3, "index", "CREATE INDEX fruit_weight ON fruit (weight)")
TOY = [TABLE, COLUMN, INDEX]


@pytest.fixture
def second_url() -> Iterator[str]:
    url = create_database("template0")
    yield url
    drop_database(url)


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_the_names_of_our_migrations_have_no_gap() -> None:
    found = migrations.known()
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))


def test_a_wrong_name_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "0001_one.sql").write_text("")
    (tmp_path / "0003_three.sql").write_text("")
    with pytest.raises(ValueError, match="the next migration is 0002"):
        migrations.read(tmp_path)


def test_migrations_are_applied_once_and_in_order(empty_database_url: str) -> None:
    assert migrate(empty_database_url, TOY) == TOY
    assert migrate(empty_database_url, TOY) == []
    assert execute(empty_database_url, "SELECT version, name FROM schema_migrations ORDER BY 1") == [
        (1, "fruit"),
        (2, "weight"),
        (3, "index"),
    ]


def test_data_survives_the_next_migration(empty_database_url: str) -> None:
    migrate(empty_database_url, TOY[:1])
    execute(empty_database_url, "INSERT INTO fruit VALUES ('apple')")
    assert migrate(empty_database_url, TOY) == TOY[1:]
    assert execute(empty_database_url, "SELECT * FROM fruit") == [("apple", 0)]


def test_the_schema_is_the_same_however_the_migrations_are_applied(empty_database_url: str, second_url: str) -> None:
    ours = migrations.known()
    migrate(empty_database_url, ours)
    for number in range(len(ours)):
        migrate(second_url, ours[: number + 1])
    assert schema_of(empty_database_url) == schema_of(second_url)


def test_the_template_of_the_tests_has_the_schema_of_the_migrations(empty_database_url: str, database_url: str) -> None:
    migrate(empty_database_url)
    assert schema_of(empty_database_url) == schema_of(database_url)


def test_a_migration_that_fails_leaves_nothing_of_itself(empty_database_url: str) -> None:
    broken = Migration(2, "broken", "CREATE TABLE half (n int); SELECT * FROM nowhere")
    with pytest.raises(MigrationError, match="0002_broken failed and was undone"):
        migrate(empty_database_url, [TABLE, broken])
    assert execute(empty_database_url, "SELECT to_regclass('half')") == [(None,)]
    assert migrate(empty_database_url, TOY) == TOY[1:]


def test_a_database_that_is_newer_than_the_code_is_refused(empty_database_url: str) -> None:
    migrate(empty_database_url, TOY)
    with pytest.raises(MigrationError, match=r"schema version 3; this docalign knows 2"):
        migrate(empty_database_url, TOY[:2])


def test_a_migration_that_was_changed_later_is_refused(empty_database_url: str) -> None:
    migrate(empty_database_url, TOY[:1])
    changed = Migration(1, "fruit", "CREATE TABLE vegetable (name text)")
    with pytest.raises(MigrationError, match="0001_fruit is not the one"):
        migrate(empty_database_url, [changed, COLUMN])


def test_processes_that_migrate_at_once_do_it_once(empty_database_url: str) -> None:
    done: list[list[Migration]] = []
    failures: list[Exception] = []
    together = threading.Barrier(6)

    def one() -> None:
        try:
            together.wait(10)
            done.append(migrate(empty_database_url, TOY))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert sorted(map(len, done)) == [0, 0, 0, 0, 0, 3]


def test_the_status_of_a_database_is_read_without_changing_it(empty_database_url: str) -> None:
    assert migrations.status(empty_database_url) == (0, len(migrations.known()))
    assert execute(empty_database_url, "SELECT to_regclass('schema_migrations')") == [(None,)]
    migrate(empty_database_url)
    assert migrations.status(empty_database_url) == (len(migrations.known()),) * 2


def test_a_server_that_is_not_there_is_a_database_error(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError):
        migrate(f"postgresql://postgres@/none?host={tmp_path}", TOY)
