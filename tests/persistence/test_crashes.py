"""The server and its owner are really killed, with fsync on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from docalign_actors.errors import DatabaseTimeoutError
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.embedded import processes
from docalign_actors.persistence.server import PostgresDied, PostgresFailed, PostgresStarted, Server, attach_or_start
from docalign_actors.telemetry.events import Event
from tests.support.waiting import until


@contextmanager
def other_owner(directory: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], int, str, int]]:
    """Another process that owns the server; with its postmaster's id, the address, and the id of its forked child."""
    owner = subprocess.Popen(
        [sys.executable, "-m", "tests.persistence.owner", str(directory), *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert owner.stdin is not None
    assert owner.stdout is not None
    with owner.stdin, owner.stdout:
        pid, url, child = owner.stdout.readline().split()
        try:
            yield owner, int(pid), url, int(child)
        finally:
            owner.kill()
            owner.wait()


def gone(pid: int) -> bool:
    """Whether the process has ended, be it that nobody has taken note yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def server_processes(data: Path) -> list[int]:
    return [pid for pid in processes._with_directory(data) if not gone(pid)]


def test_no_acknowledged_row_is_lost_when_the_postmaster_is_killed(data_dir: Path) -> None:
    events: list[Event] = []
    acknowledged: list[int] = []
    enough, failures = threading.Event(), list[Exception]()
    with Server(data_dir, listener=events.append) as server, Database(server.url, pool_size=2) as database:
        database.run(lambda connection: connection.execute("CREATE TABLE kept (n int PRIMARY KEY)"))

        def insert() -> None:
            try:
                for number in range(100_000):
                    if enough.is_set():
                        return
                    database.run(
                        lambda connection, n=number: connection.execute(  # type: ignore[misc]
                            "INSERT INTO kept VALUES (%s) ON CONFLICT DO NOTHING", [n]
                        )
                    )
                    acknowledged.append(number)
            except Exception as error:
                failures.append(error)

        inserting = threading.Thread(target=insert)
        inserting.start()
        for restarts in (1, 2, 3):
            before = len(acknowledged)
            until(lambda at=before: failures or len(acknowledged) > at + 20)  # type: ignore[misc]
            pid = server.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            until(lambda n=restarts: server.restarts == n)  # type: ignore[misc]
            assert server.wait_ready(30)
        after = len(acknowledged)
        until(lambda: failures or len(acknowledged) > after + 20)
        enough.set()
        inserting.join(30)
        with psycopg.connect(server.url) as connection:
            kept = {row[0] for row in connection.execute("SELECT n FROM kept")}
    assert failures == []
    assert set(acknowledged) <= kept
    assert [type(event) for event in events] == [PostgresStarted, *[PostgresDied, PostgresStarted] * 3]


def test_the_server_ends_with_an_owner_who_is_killed(data_dir: Path) -> None:
    with other_owner(data_dir) as (owner, postmaster, url, _):
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        owner.kill()
        owner.wait()
        until(lambda: gone(postmaster))
        until(lambda: server_processes(data_dir.resolve() / "postgres") == [])
    with Server(data_dir) as server, psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_the_server_starts_while_that_of_a_killed_owner_is_still_leaving(data_dir: Path) -> None:
    with other_owner(data_dir) as (owner, postmaster, _, _):
        os.kill(postmaster, signal.SIGSTOP)
        owner.kill()
        owner.wait()
        with Server(data_dir) as server:
            assert server.pid != postmaster
            assert gone(postmaster)


def test_owner_and_postmaster_killed_together_leave_nothing_behind(data_dir: Path) -> None:
    with other_owner(data_dir) as (owner, postmaster, url, _):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
            owner.kill()
            os.kill(postmaster, signal.SIGKILL)
            owner.wait()
        with Server(data_dir) as server, psycopg.connect(server.url) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_a_forked_child_does_not_keep_the_directory_locked(data_dir: Path) -> None:
    with other_owner(data_dir, "fork") as (owner, _, _, child):
        try:
            owner.kill()
            owner.wait()
            with Server(data_dir, wait=10) as server:
                assert server.pid
                assert not gone(child)
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_command_becomes_the_owner_when_the_owner_is_killed(data_dir: Path) -> None:
    with other_owner(data_dir) as (owner, postmaster, _, _):
        owner.kill()
        owner.wait()
        with attach_or_start(data_dir) as server:
            assert server.owned
            assert server.pid != postmaster


def test_processes_that_outlive_a_killed_postmaster_are_ended(data_dir: Path) -> None:
    with Server(data_dir) as server, psycopg.connect(server.url) as connection:
        backend = connection.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: server.restarts == 1)
        assert server.wait_ready(30)
        assert gone(backend)


def test_a_server_that_cannot_start_again_is_tried_until_it_can(data_dir: Path) -> None:
    events: list[Event] = []
    control = data_dir / "postgres" / "global" / "pg_control"
    with Server(data_dir, listener=events.append) as server:
        assert server.pid is not None
        pid = server.pid
        control.rename(control.with_suffix(".away"))
        os.kill(pid, signal.SIGKILL)
        until(lambda: any(isinstance(event, PostgresFailed) for event in events))
        control.with_suffix(".away").rename(control)
        assert server.wait_ready(30)
        assert server.pid != pid


def test_a_listener_that_fails_does_not_stop_the_keeper(data_dir: Path) -> None:
    def listener(event: Event) -> None:
        raise LookupError

    with Server(data_dir, listener=listener) as server:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: server.restarts == 1)
        assert server.wait_ready(30)


def test_a_stopped_server_gives_e302_and_not_a_hang(data_dir: Path) -> None:
    with (
        Server(data_dir) as server,
        Database(server.url, pool_size=2, statement_timeout=0.1, pool_timeout=1) as database,
    ):
        postmaster = server.pid
        assert postmaster is not None
        frozen: list[int] = []

        def unit(connection: Connection) -> None:
            frozen.append(connection.info.backend_pid)
            os.kill(connection.info.backend_pid, signal.SIGSTOP)
            connection.execute("SELECT 1")

        database.run(lambda connection: connection.execute("SELECT 1"))
        os.kill(postmaster, signal.SIGSTOP)
        try:
            with pytest.raises(DatabaseTimeoutError) as caught:
                database.run(unit)
            assert caught.value.code == "DOCALIGN_E302"
            assert len(frozen) == 1
        finally:
            for pid in (*frozen, postmaster):
                os.kill(pid, signal.SIGCONT)
        assert database.run(lambda connection: connection.execute("SELECT 1").fetchone()) == (1,)


def test_a_stopped_postmaster_gives_e302_to_those_who_connect(data_dir: Path) -> None:
    with Server(data_dir) as server:
        assert server.pid is not None
        pid = server.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(DatabaseTimeoutError):
                Database(server.url, connect_timeout=2).open()
        finally:
            os.kill(pid, signal.SIGCONT)


def test_a_stopped_postmaster_can_still_be_ended(data_dir: Path) -> None:
    server = Server(data_dir)
    server.start()
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    server.stop(patience=5)
    assert server_processes(server.data) == []
