from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from docalign_actors.errors import (
    DatabaseError,
    DataDirectoryBusyError,
    DataDirectoryError,
    DiskFullError,
    NoBinariesError,
    ServerStartError,
    UserNotPossibleError,
    WrongVersionError,
)
from docalign_actors.persistence.embedded import binaries, cluster, diagnosis, processes
from docalign_actors.persistence.embedded.ownership import FileLock
from docalign_actors.persistence.embedded.serverlog import ServerLog
from docalign_actors.persistence.server import Server, attach_or_start
from tests.support.prepared import prepare
from tests.support.waiting import until

Programs = Callable[[str, str], None]


def setting(url: str, name: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def test_a_new_directory_gets_a_safe_database(tmp_path: Path) -> None:
    with Server(tmp_path / "new" / "data") as server:
        safe = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on"}
        assert {name: setting(server.url, name) for name in safe} == safe
        assert setting(server.url, "listen_addresses") == ""
        assert setting(server.url, "server_encoding") == "UTF8"
        assert (tmp_path / "new" / "data" / "postgres").stat().st_mode & 0o777 == 0o700


def test_data_is_there_after_a_stop_and_a_start(data_dir: Path) -> None:
    with Server(data_dir) as server, psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
    with Server(data_dir) as server, psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_a_stopped_server_leaves_no_process_and_no_pid_file(data_dir: Path) -> None:
    server = Server(data_dir)
    server.start()
    pid = server.pid
    server.stop()
    assert pid is not None
    assert not Path(f"/proc/{pid}").exists()
    assert processes.postmaster(server.data) is None
    assert server.pid is None


def test_stopping_twice_is_no_error(data_dir: Path) -> None:
    server = Server(data_dir)
    server.start()
    server.stop()
    server.stop()


def test_a_second_owner_is_told_who_is_the_first(data_dir: Path) -> None:
    with Server(data_dir), pytest.raises(DataDirectoryBusyError, match=str(os.getpid())):
        Server(data_dir, wait=0.1).start()


def test_a_second_owner_waits_for_the_first_to_leave(data_dir: Path) -> None:
    first = Server(data_dir)
    first.start()
    second = Server(data_dir, wait=30)
    waiting = threading.Thread(target=second.start)
    waiting.start()
    first.stop()
    waiting.join(30)
    assert second.owned
    second.stop()


def test_half_made_files_of_a_killed_start_are_made_anew(tmp_path: Path) -> None:
    half = tmp_path / "data" / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with Server(tmp_path / "data", durable=False) as server:
        assert server.pid
    assert not half.exists()


def test_files_that_are_no_database_are_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "postgres" / "thesis.txt"
    mine.parent.mkdir()
    mine.write_text("years of work")
    with pytest.raises(DataDirectoryError):
        Server(tmp_path).start()
    assert mine.read_text() == "years of work"


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    long = tmp_path / ("long" * 30) / "data"
    long.parent.mkdir()
    prepare(long, migrated=False)
    with Server(long) as server:
        assert setting(server.url, "fsync") == "on"
        with attach_or_start(long) as attached:
            assert attached.url == server.url
        short = cluster.socket_directory(server.data)
        assert not short.is_relative_to(long)
    assert not short.exists()


def test_a_socket_folder_that_is_not_private_is_refused(tmp_path: Path) -> None:
    (tmp_path / "socket").mkdir()
    (tmp_path / "socket").chmod(0o777)
    with pytest.raises(DataDirectoryError, match="private"):
        cluster.socket_directory(tmp_path / "postgres")


def test_a_temporary_folder_that_lies_deep_is_not_used_for_the_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    chosen = cluster.socket_directory(deep / "postgres")
    assert chosen.parent == Path("/tmp")
    chosen.rmdir()


def test_a_pid_file_with_the_id_of_another_program_is_stale(data_dir: Path) -> None:
    other = subprocess.Popen(["sleep", "600"])
    try:
        (data_dir / "postgres" / "postmaster.pid").write_text(
            f"{other.pid}\n{data_dir}/postgres\n0\n5432\n\n\n\nready\n"
        )
        with Server(data_dir) as server:
            assert server.pid not in (None, other.pid)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
def test_a_server_without_an_owner_is_ended_first(data_dir: Path, stopped: bool) -> None:
    data = data_dir.resolve() / "postgres"
    socket_folder = cluster.socket_directory(data)
    command = cluster.server_command(binaries.find(data), data, socket_folder, {})
    orphan = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: (found := processes.postmaster(data)) is not None and found.ready)
    if stopped:
        orphan.send_signal(signal.SIGSTOP)
    with Server(data_dir) as server:
        assert orphan.wait(30) == 0
        assert server.pid != orphan.pid


def test_a_command_attaches_to_the_server_of_another_owner(data_dir: Path) -> None:
    with Server(data_dir) as server:
        with attach_or_start(data_dir) as attached:
            assert not attached.owned
            assert (attached.url, attached.pid) == (server.url, server.pid)
        assert setting(server.url, "fsync") == "on"


def test_a_command_starts_a_server_when_nobody_has(data_dir: Path) -> None:
    with attach_or_start(data_dir) as server:
        assert server.owned
        pid = server.pid
    assert not Path(f"/proc/{pid}").exists()


def test_a_command_that_owns_the_server_waits_for_those_attached(data_dir: Path) -> None:
    owner = Server(data_dir)
    owner.attach_or_start()
    with attach_or_start(data_dir) as attached:
        leaving = threading.Thread(target=owner.stop, kwargs={"linger": 30.0})
        leaving.start()
        assert setting(attached.url, "fsync") == "on"
        assert leaving.is_alive()
    leaving.join(30)
    assert owner.pid is None


def test_without_programs_the_error_says_what_to_install(tmp_path: Path, programs: Programs) -> None:
    with pytest.raises(NoBinariesError) as caught:
        Server(tmp_path / "data").start()
    assert "pip install" in caught.value.hint


def test_programs_that_are_too_old_are_named(tmp_path: Path, programs: Programs) -> None:
    programs("postgres", "echo 'postgres (PostgreSQL) 12.3'")
    with pytest.raises(NoBinariesError, match="12 is too old"):
        Server(tmp_path / "data").start()


def test_a_database_of_another_version_names_both(data_dir: Path) -> None:
    (data_dir / "postgres" / "PG_VERSION").write_text("11\n")
    with pytest.raises(WrongVersionError, match=r"PostgreSQL 11.*has.*18"):
        Server(data_dir).start()
    assert FileLock(data_dir / "postgres.lock").try_acquire()


def test_a_full_disk_is_called_so(tmp_path: Path, programs: Programs) -> None:
    programs("postgres", "echo 'postgres (PostgreSQL) 18.1'")
    programs("initdb", "echo 'initdb: error: could not write: No space left on device' >&2; exit 1")
    with pytest.raises(DiskFullError) as caught:
        Server(tmp_path / "data").start()
    assert caught.value.code == "DOCALIGN_E314"
    assert not (tmp_path / "data" / "postgres").exists()


def test_a_server_that_ends_at_once_says_why(data_dir: Path) -> None:
    with pytest.raises(ServerStartError, match="no_such_setting"):
        Server(data_dir, settings={"no_such_setting": "1"}).start()
    with Server(data_dir) as server:
        assert server.pid


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(DataDirectoryError, match="cannot be used"):
        Server(tmp_path / "data").start()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_directory_that_is_not_writable_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    with pytest.raises(DataDirectoryError, match="not writable"):
        Server(tmp_path / "data").start()
    with pytest.raises(DataDirectoryError, match="Permission denied"):
        Server(tmp_path / "data" / "deeper").start()


@pytest.mark.parametrize(
    ("code", "output", "kind"),
    [
        (91, "no user namespace: [Errno 1] unshare", UserNotPossibleError),
        (1, "FATAL:  could not write lock file: No space left on device", DiskFullError),
        (
            1,
            "FATAL:  could not extend file: wrote only 4096 of 8192 bytes HINT:  Check free disk space.",
            DiskFullError,
        ),
        (1, 'FATAL:  data directory "x" has wrong ownership', DataDirectoryError),
        (1, "initdb: error: could not access directory: Permission denied", DataDirectoryError),
        (1, "FATAL:  database files are incompatible with server", WrongVersionError),
        (3, "", ServerStartError),
    ],
)
def test_what_a_program_printed_decides_the_error(code: int, output: str, kind: type[DatabaseError]) -> None:
    error = diagnosis.explain(code, output, Path("/data/postgres"))
    assert type(error) is kind
    assert error.hint


def test_the_log_keeps_within_its_bound(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "postgres.log", most_bytes=1000)
    with os.fdopen(log.follow(), "w") as printed:
        for number in range(500):
            print(f"line {number}", file=printed)
    assert log.tail(settle=10).endswith("line 499")
    sizes = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert set(sizes) == {"postgres.log", "postgres.log.1"}
    assert max(sizes.values()) <= 1000


def test_a_forked_child_cannot_stop_its_parents_server(data_dir: Path) -> None:
    with Server(data_dir) as server:
        server._process += 1  # as it looks to a child: another process made this object
        server.stop()
        assert setting(server.url, "fsync") == "on"
        server._process -= 1
    assert server.pid is None


def test_a_lock_file_that_cannot_be_opened_is_an_error_of_the_directory(data_dir: Path) -> None:
    (data_dir / "postgres.lock").unlink(missing_ok=True)
    (data_dir / "postgres.lock").mkdir()
    with pytest.raises(DataDirectoryError, match="cannot be opened"):
        Server(data_dir).start()


def test_an_unexpected_fault_while_starting_is_an_error_and_leaves_no_process(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(data: Path) -> None:
        raise OSError("the disk is on fire")

    server = Server(data_dir)
    with monkeypatch.context() as patch:
        patch.setattr(processes, "evict", lambda data: False)
        patch.setattr(processes, "postmaster", fail)
        with pytest.raises(ServerStartError, match="on fire"):
            server.start()
    with server:
        assert server.restarts == 0
