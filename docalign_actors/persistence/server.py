"""The embedded PostgreSQL: a child of this process, in the data directory, reachable by a socket only.

It ends when its owner ends, also by `kill -9`; it is started again when it dies; one process owns it at a time and
others on the same machine may attach to it.

    <data directory>/postgres         the database files
    <data directory>/postgres.lock    held by the owner, with its process id
    <data directory>/postgres.users   held by those who are attached
    <data directory>/postgres.log     what the server said, at most 4 MB and an older file of the same size
    <data directory>/socket           the socket, unless the path would be too long for one
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg
from psycopg import sql

from docalign_actors.errors import DatabaseError, DataDirectoryBusyError
from docalign_actors.persistence.embedded import binaries, cluster, processes
from docalign_actors.persistence.embedded.binaries import Binaries
from docalign_actors.persistence.embedded.keeper import (
    Keeper,
    Listener,
    PostgresDied,
    PostgresFailed,
    PostgresStarted,
)
from docalign_actors.persistence.embedded.ownership import FileLock
from docalign_actors.persistence.embedded.serverlog import ServerLog

__all__ = ["PostgresDied", "PostgresFailed", "PostgresStarted", "Server", "attach_or_start"]

DATABASE = "docalign"
_STEP = 0.05
_NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


class Server:
    """The PostgreSQL of one data directory, owned by this process or attached to."""

    def __init__(
        self,
        data_dir: Path,
        *,
        wait: float = 10.0,
        recovery: float = 120.0,
        durable: bool = True,
        settings: Mapping[str, str] | None = None,
        listener: Listener = lambda event: None,
    ) -> None:
        """`wait`: seconds for another owner to leave; `recovery`: seconds that a start may take after a crash;
        `durable=False` is for tests whose data nobody will miss."""
        self.data_dir = data_dir.absolute()
        self.data = self.data_dir.resolve() / "postgres"
        self.owned = False
        self._process = os.getpid()
        self._wait = wait
        self._recovery = recovery
        self._durable = durable
        self._settings = {**({} if durable else _NOT_DURABLE), **(settings or {})}
        self._listener = listener
        self._lock = FileLock(self.data_dir / "postgres.lock")
        self._users = FileLock(self.data_dir / "postgres.users")
        self._keeper: Keeper | None = None
        self._socket = Path()

    @property
    def url(self) -> str:
        """The address of the service's database, in the form of DATABASE_URL."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres@/{quote(database)}?host={quote(str(self._socket), safe='')}"

    @property
    def pid(self) -> int | None:
        """The postmaster's process id while it takes connections."""
        if self._keeper is not None:
            return self._keeper.pid
        found = processes.postmaster(self.data)
        return found.pid if found is not None and processes.runs_on(found.pid, self.data) else None

    @property
    def restarts(self) -> int:
        return self._keeper.restarts if self._keeper is not None else 0

    @property
    def binaries(self) -> Binaries:
        return binaries.find(self.data)

    def wait_ready(self, timeout: float) -> bool:
        """Wait until the server takes connections (again)."""
        return self._keeper.ready.wait(timeout) if self._keeper is not None else self.pid is not None

    def start(self) -> None:
        """Become the owner, make the database if there is none, and start the server."""
        cluster.prepare_directory(self.data_dir)
        self._lock.acquire(self._wait)
        self._serve()

    def attach_or_start(self) -> None:
        """Use the server of the process that owns it; become the owner when there is none."""
        cluster.prepare_directory(self.data_dir)
        end = time.monotonic() + self._wait
        while True:
            if self._lock.try_acquire():
                self._serve()
                return
            if self._attach():
                return
            if time.monotonic() > end:
                raise DataDirectoryBusyError(
                    f"Process {self._lock.holder() or 'unknown'} owns the database in {self.data_dir}, "
                    "but its server takes no connections."
                )
            time.sleep(_STEP)

    def stop(self, patience: float = 20.0, *, linger: float = 0.0) -> None:
        """Stop the server if it is ours, after those who are attached have left or `linger` seconds have passed."""
        if self._process != os.getpid():  # a forked child: the server is not its own
            return
        if self._keeper is not None:
            self._await_users(linger)
            self._keeper.stop(patience)
            self._keeper = None
            with suppress(OSError):  # one with a short name lies in the temporary folder
                self._socket.rmdir()
        self.owned = False
        self._users.release()
        self._lock.release()

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _serve(self) -> None:
        """Start the server; the lock is held, so whatever still runs on this directory is an orphan."""
        try:
            found = binaries.find(self.data)
            cluster.make_cluster(found, self.data, durable=self._durable)
            processes.evict(self.data)
            self._socket = cluster.socket_directory(self.data)
            command = cluster.server_command(found, self.data, self._socket, self._settings)
            self._keeper = Keeper(
                command,
                data=self.data,
                socket=self._socket,
                log=ServerLog(self.data_dir / "postgres.log"),
                listener=self._listener,
                recovery=self._recovery,
            )
            self._keeper.start()
            self.owned = True
            self._make_database()
        except BaseException:
            self.stop()
            raise

    def _make_database(self) -> None:
        try:
            with psycopg.connect(self.url_of("postgres"), autocommit=True, connect_timeout=10) as connection:
                known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                if known is None:
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        except psycopg.Error as error:
            raise DatabaseError(f"The new server does not answer: {error}") from error

    def _attach(self) -> bool:
        found = processes.postmaster(self.data)
        if found is None or not found.ready or not processes.runs_on(found.pid, self.data):
            return False
        if not self._users.try_acquire(shared=True):  # the owner is about to stop it
            return False
        self._socket = found.socket_directory
        return True

    def _await_users(self, linger: float) -> None:
        end = time.monotonic() + linger
        while not self._users.try_acquire() and time.monotonic() < end:
            time.sleep(_STEP)


@contextmanager
def attach_or_start(data_dir: Path, *, wait: float = 30.0, linger: float = 10.0) -> Iterator[Server]:
    """The server of this data directory for one command: the running service's, or one of our own for the while."""
    server = Server(data_dir, wait=wait)
    server.attach_or_start()
    try:
        yield server
    finally:
        server.stop(linger=linger)
