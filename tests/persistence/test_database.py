from __future__ import annotations

import datetime
import threading
import time
import uuid

import msgspec
import psycopg
import pytest

from docalign_actors.errors import ConstraintError, DatabaseError, DatabaseTimeoutError
from docalign_actors.persistence.connection import Connection, clean_trace
from docalign_actors.persistence.database import Database, struct_row


@pytest.fixture
def database(fresh_database: Database) -> Database:
    """One that these tests may close, and make tables in."""
    return fresh_database


class Row(msgspec.Struct, forbid_unknown_fields=True):
    id: uuid.UUID
    at: datetime.datetime
    tags: list[str]
    note: str | None


def make_table(database: Database) -> None:
    database.run(lambda connection: connection.execute("CREATE TABLE things (n int CONSTRAINT things_once UNIQUE)"))


def count(database: Database) -> int:
    with database.transaction() as connection:
        row = connection.execute("SELECT count(*) FROM things").fetchone()
        assert row is not None
        return int(row[0])


def backend(connection: Connection) -> int:
    return connection.info.backend_pid


def end_all_backends(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def end_backend(url: str, connection: Connection) -> None:
    """Ends the very backend that a unit works with: which others the pool has begun by then, nobody knows."""
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [backend(connection)])


def test_a_unit_of_work_is_committed_as_a_whole(database: Database) -> None:
    make_table(database)
    database.run(lambda connection: connection.execute("INSERT INTO things VALUES (1), (2)"))
    assert count(database) == 2


def test_a_unit_of_work_that_fails_leaves_nothing(database: Database) -> None:
    make_table(database)

    def unit(connection: Connection) -> None:
        connection.execute("INSERT INTO things VALUES (1)")
        raise LookupError

    with pytest.raises(LookupError):
        database.run(unit)
    assert count(database) == 0


def test_lost_connections_cost_one_repetition_and_no_error(database: Database, database_url: str) -> None:
    make_table(database)
    runs: list[int] = []

    def unit(connection: Connection) -> None:
        runs.append(backend(connection))
        if len(runs) == 1:
            end_backend(database_url, connection)
        connection.execute("INSERT INTO things VALUES (7) ON CONFLICT DO NOTHING")

    database.run(unit)
    assert len(runs) == 2
    assert runs[0] != runs[1]
    assert count(database) == 1


def test_the_second_attempt_gets_a_connection_begun_after_the_loss(database: Database, database_url: str) -> None:
    begun: list[float] = []
    lost: list[float] = []

    def unit(connection: Connection) -> None:
        begun.append(connection.begun)
        if not lost:
            end_backend(database_url, connection)
            lost.append(time.monotonic())
        connection.execute("SELECT 1")

    database.run(unit)
    assert len(begun) == 2
    assert begun[0] < lost[0] < begun[1]


def test_a_deadlock_is_tried_again(database: Database) -> None:
    runs: list[int] = []

    def unit(connection: Connection) -> str:
        runs.append(1)
        if len(runs) == 1:
            connection.execute("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$")
        return "done"

    assert database.run(unit) == "done"
    assert len(runs) == 2


def test_a_unit_that_cannot_be_repeated_is_not(database: Database, database_url: str) -> None:
    runs: list[int] = []

    def unit(connection: Connection) -> None:
        runs.append(backend(connection))
        end_backend(database_url, connection)
        connection.execute("SELECT 1")

    with pytest.raises(DatabaseError) as caught:
        database.run(unit, retry=False)
    assert caught.value.code == "DOCALIGN_E301"
    assert caught.value.retryable
    assert len(runs) == 1


def test_many_threads_survive_the_loss_of_every_connection(database: Database, database_url: str) -> None:
    make_table(database)
    failures: list[Exception] = []
    busy = threading.Barrier(9)

    def insert(start: int) -> None:
        try:
            busy.wait(10)
            for number in range(start, start + 20):
                database.run(
                    lambda connection, n=number: connection.execute(  # type: ignore[misc]
                        "INSERT INTO things VALUES (%s) ON CONFLICT DO NOTHING", [n]
                    )
                )
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=insert, args=(start,)) for start in range(0, 160, 20)]
    for thread in threads:
        thread.start()
    busy.wait(10)
    end_all_backends(database_url)
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert count(database) == 160


def test_a_statement_past_its_time_is_e302_and_not_repeated(database_url: str) -> None:
    runs: list[int] = []

    def unit(connection: Connection) -> None:
        runs.append(1)
        connection.execute("SELECT pg_sleep(30)")

    with Database(database_url, statement_timeout=0.05) as database:
        with pytest.raises(DatabaseTimeoutError) as caught:
            database.run(unit)
        assert caught.value.code == "DOCALIGN_E302"
        assert runs == [1]
        assert database.run(lambda connection: connection.execute("SELECT 1").fetchone()) == (1,)


def test_a_lock_that_does_not_get_free_is_e302(database: Database, database_url: str) -> None:
    make_table(database)
    with (
        Database(database_url, lock_timeout=0.05) as impatient,
        psycopg.connect(database_url) as holder,
    ):
        holder.execute("LOCK things")
        with pytest.raises(DatabaseTimeoutError):
            impatient.run(lambda connection: connection.execute("INSERT INTO things VALUES (1)"))


def test_a_pool_with_no_connection_left_is_e302(database_url: str) -> None:
    with (
        Database(database_url, pool_size=1, pool_timeout=0.05) as database,
        database.transaction(),
        pytest.raises(DatabaseTimeoutError, match="No connection"),
    ):
        database.run(lambda connection: connection.execute("SELECT 1"))


def test_a_broken_rule_names_the_constraint(database: Database) -> None:
    make_table(database)
    with pytest.raises(ConstraintError) as caught:
        database.run(lambda connection: connection.execute("INSERT INTO things VALUES (1), (1)"))
    assert (caught.value.constraint, caught.value.table) == ("things_once", "things")
    assert not caught.value.retryable


def test_a_wrong_statement_is_a_database_error(database: Database) -> None:
    with pytest.raises(DatabaseError, match="nowhere"):
        database.run(lambda connection: connection.execute("SELECT * FROM nowhere"))


def test_an_address_where_nobody_listens_is_e301(tmp_path: object) -> None:
    with pytest.raises(DatabaseError) as caught:
        Database(f"postgresql://postgres@/none?host={tmp_path}").open()
    assert caught.value.code == "DOCALIGN_E301"


def test_a_closed_database_gives_our_error(database: Database) -> None:
    database.close()
    with pytest.raises(DatabaseError):
        database.run(lambda connection: connection.execute("SELECT 1"))


def test_rows_become_structs_by_column_name(database: Database) -> None:
    key = uuid.uuid4()
    with database.transaction() as connection:
        cursor = connection.cursor(row_factory=struct_row(Row))
        cursor.execute("SELECT NULL AS note, %s::uuid AS id, ARRAY['a', 'b'] AS tags, to_timestamp(0) AS at", [key])
        found = cursor.fetchone()
    assert found == Row(key, datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC), ["a", "b"], None)


def test_a_column_that_the_struct_does_not_know_is_an_error(database: Database) -> None:
    with pytest.raises(msgspec.ValidationError), database.transaction() as connection:
        connection.cursor(row_factory=struct_row(Row)).execute("SELECT 1 AS other").fetchone()


def test_the_trace_id_stands_before_the_statement(database_url: str) -> None:
    with Database(database_url, trace=lambda: "abc-1") as database:
        row = database.run(
            lambda connection: connection.execute(
                "SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid() AND %s = 1", [1]
            ).fetchone()
        )
    assert row is not None
    assert row[0].startswith("/* trace=abc-1 */ SELECT query")


@pytest.mark.parametrize("hostile", ["*/ DROP TABLE x; --", "a\nb", "%s %(x)s", "é" * 500, "\0"])
def test_a_hostile_trace_id_cannot_leave_its_comment(hostile: str, database_url: str) -> None:
    cleaned = clean_trace(hostile)
    assert len(cleaned) <= 64
    assert not set(cleaned) & set("*/%;\n\0 ")
    with Database(database_url, trace=lambda: hostile) as database:
        assert database.run(lambda connection: connection.execute("SELECT %s", [1]).fetchone()) == (1,)
