"""One PostgreSQL for a whole test run, shared between its worker processes, and a database for each of them that is emptied for each test.

The first test that wants a database starts a helper process that owns the server. Everybody who uses it holds a shared
lock on a file; the helper waits for the exclusive one, so it ends when the last of them has ended, however that
happened. No counting, nothing to clean up after a kill.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO

import psycopg
import pytest
from psycopg import sql

from docalign_actors.persistence.database import Database
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server

TEMPLATE = "docalign_template"
_START_SECONDS = 60
_ROOT = Path(__file__).parents[2]
# Without triggers, so in any order. What a test has filled is cut off instead: rows that are only deleted stay in the files.
EMPTY = """
DO $$
DECLARE
    filled regclass;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR filled IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                     AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0 LOOP
        IF pg_relation_size(filled) > 100000 THEN
            EXECUTE format('TRUNCATE %s CASCADE', filled);
        ELSE
            EXECUTE format('DELETE FROM %s', filled);
        END IF;
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences WHERE last_value IS NOT NULL;
END
$$
"""
_numbers = count(1)
_kept: list[object] = []


def run_directory() -> Path:
    """The directory of this test run, the same in all its workers."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"{os.getpid()}"
    return Path(tempfile.gettempdir()) / f"docalign-tests-{os.geteuid()}-{run[:16]}"


@cache
def server_url() -> str:
    """The address of the shared server's template database; starts the server if nobody has."""
    directory = run_directory()
    _kept.append(_join_users(directory))
    with (directory / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        ready = directory / "url"
        if not ready.exists():
            _kept.append(_start_helper(directory, ready))
        return ready.read_text()


def _join_users(directory: Path) -> IO[str]:
    while True:
        directory.mkdir(mode=0o700, exist_ok=True)
        users = (directory / "users").open("w")
        fcntl.flock(users, fcntl.LOCK_SH)  # waits for a helper that is just leaving, and removes its directory
        with suppress(FileNotFoundError):
            if os.fstat(users.fileno()).st_ino == (directory / "users").stat().st_ino:
                return users
        users.close()


def _start_helper(directory: Path, ready: Path) -> subprocess.Popen[bytes]:
    with (directory / "helper.log").open("wb") as log:
        helper = subprocess.Popen(
            [sys.executable, "-m", "tests.support.database", str(directory)],
            cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    end = time.monotonic() + _START_SECONDS
    while not ready.exists():
        if helper.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"the test database did not start:\n{(directory / 'helper.log').read_text()}")
        time.sleep(0.01)
    return helper


def help_run(directory: Path) -> None:
    """What the helper process does: own the server until all users are gone."""
    ready = directory / "url"
    server = Server(directory / "data", durable=False, settings={"max_connections": "200", "autovacuum": "off"})
    with server:
        with psycopg.connect(server.url_of("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        migrate(server.url_of(TEMPLATE))
        written = ready.with_suffix(".new")
        written.write_text(server.url_of("postgres"))
        written.rename(ready)
        with (directory / "users").open("w") as users:
            fcntl.flock(users, fcntl.LOCK_EX)  # got when the last user has ended
            server.stop()
            shutil.rmtree(directory)


def create_database(template: str = TEMPLATE) -> str:
    """Make a fresh database out of a template; gives its address."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY WAL_LOG").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    return server_url().replace("/postgres?", f"/{name}?")


def drop_database(url: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    assert isinstance(name, str)
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def database_url() -> Iterator[str]:
    """The address of a fresh database with the whole schema."""
    url = create_database()
    yield url
    drop_database(url)


@pytest.fixture
def empty_database_url() -> Iterator[str]:
    """The address of a fresh database with nothing in it."""
    url = create_database("template0")
    yield url
    drop_database(url)


@pytest.fixture
def fresh_database(database_url: str) -> Iterator[Database]:
    """A database of this test's own: for one that changes what the planner knows, or the schema."""
    with Database(database_url, pool_size=8) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared_database() -> Iterator[Database]:
    """One database for all tests of a process: a fresh one for each would take longer than most tests themselves."""
    url = create_database()
    with Database(url, pool_size=8) as opened:
        yield opened
    drop_database(url)


@pytest.fixture
def database(shared_database: Database) -> Database:
    """A database with the whole schema and nothing in it."""
    with shared_database.transaction() as connection:
        connection.execute(EMPTY)
    return shared_database


if __name__ == "__main__":
    help_run(Path(sys.argv[1]))
