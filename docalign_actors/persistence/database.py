"""The pool of connections, and the one way to do a unit of work.

    runs = database.run(lambda connection: runs_of(connection, repository))

A unit of work is a function of a connection that runs in one transaction. It may be run twice: when the connection is
lost, nobody knows whether the commit arrived, so units insert rows under ids made beforehand (ON CONFLICT DO NOTHING)
and updates name the state that they expect. What cannot be repeated is run with `retry=False`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from docalign_actors.errors import ConstraintError, DatabaseError, DatabaseTimeoutError, DiskFullError
from docalign_actors.persistence.connection import Connection, NoAnswer, TracedCursor, clean_trace, struct_row

__all__ = ["Connection", "Database", "struct_row", "translate"]

T = TypeVar("T")
_LEAST_WAIT = 0.1
_RENEWAL_SECONDS = 0.1
_ANSWER_GRACE = 2.0  # seconds above the server's own time-out


class Database:
    """A pool of connections to one database."""

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 8,
        statement_timeout: float = 10.0,
        lock_timeout: float = 5.0,
        pool_timeout: float = 10.0,
        connect_timeout: int = 5,
        trace: Callable[[], str] = lambda: "",
    ) -> None:
        """`trace` gives the id of the request under way; the other values are in seconds."""
        self.url = url
        self._trace = trace
        self._pool_timeout = pool_timeout
        self._renewed = 0.0
        self._renewing = threading.Lock()
        self._options: dict[str, Any] = {
            "connect_timeout": connect_timeout,
            "application_name": "docalign",
            "options": f"-c statement_timeout={round(statement_timeout * 1000)} "
            f"-c lock_timeout={round(lock_timeout * 1000)} "
            f"-c idle_in_transaction_session_timeout={round(statement_timeout * 3000)}",
        }
        limit = statement_timeout + _ANSWER_GRACE

        def configure(connection: Connection) -> None:
            connection.answer_timeout = limit

        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=Connection,
            kwargs={**self._options, "cursor_factory": TracedCursor},
            configure=configure,
            min_size=min(2, pool_size),
            max_size=pool_size,
            timeout=pool_timeout,
            name="docalign",
            open=False,
        )

    def open(self) -> None:
        """Connect; an error here is an error of the address or of the server."""
        try:
            with psycopg.connect(self.url, **self._options):
                pass
        except psycopg.Error as error:
            raise translate(error) from error
        self._pool.open()

    def close(self, patience: float = 5.0) -> None:
        self._pool.close(timeout=patience)

    def __enter__(self) -> Database:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection for one transaction: committed at the end, undone if an error passes. No second attempt."""
        try:
            with self._checkout() as connection:
                yield connection
        except (psycopg.Error, PoolClosed) as error:
            raise translate(error) from error

    def run(self, unit: Callable[[Connection], T], *, retry: bool = True) -> T:
        """Run a unit of work in one transaction; once more on a fresh connection if the first was lost."""
        try:
            try:
                with self._checkout() as connection:
                    return unit(connection)
            except psycopg.OperationalError as error:
                if not retry or not _may_pass(error):
                    raise
                newer_than = self._renew() if _lost(error) else 0.0
            with self._checkout(newer_than) as connection:
                return unit(connection)
        except (psycopg.Error, PoolClosed) as error:
            raise translate(error) from error

    def statistics(self) -> dict[str, int]:
        """Size of the pool, requests waiting and so on, for the metrics."""
        return self._pool.get_stats()

    @contextmanager
    def _checkout(self, newer_than: float = 0.0) -> Iterator[Connection]:
        connection = self._newer(newer_than) if newer_than else self._pool.getconn()
        try:
            connection.trace = clean_trace(self._trace())
            with connection:  # commits or rolls back; the pool's connections are not closed by it
                yield connection
        finally:
            self._pool.putconn(connection)

    def _newer(self, moment: float) -> Connection:
        """A connection begun after this moment. Of a killed server, older ones may answer for some milliseconds more."""
        end = time.monotonic() + self._pool_timeout
        while True:
            connection = self._pool.getconn(max(end - time.monotonic(), _LEAST_WAIT))
            if connection.begun > moment:
                return connection
            connection.close()
            self._pool.putconn(connection)

    def _renew(self) -> float:
        """A connection was lost, so most likely all were: replace what is in the pool. Gives the moment of the loss."""
        moment = time.monotonic()
        with self._renewing:
            if self._renewed < moment - _RENEWAL_SECONDS:  # or somebody else has just done it for the same loss
                self._renewed = moment
                self._pool.drain()
        return moment


def _lost(error: psycopg.OperationalError) -> bool:
    """Whether the connection itself is gone: such errors come from the client, or say that the server shuts down."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


def _may_pass(error: psycopg.OperationalError) -> bool:
    """Whether a second attempt can succeed at once: not after a time-out, and not on a full disk."""
    useless: tuple[type[Exception], ...] = (
        *(errors.QueryCanceled, errors.LockNotAvailable, errors.DiskFull, errors.OutOfMemory),
        *(NoAnswer, PoolTimeout, TooManyRequests),
    )
    return not isinstance(error, useless)


def translate(error: Exception) -> DatabaseError:
    """The driver's error as one of ours."""
    text = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    match error:
        case errors.QueryCanceled() | errors.LockNotAvailable() | errors.IdleInTransactionSessionTimeout():
            return DatabaseTimeoutError(f"The database gave a statement up: {text}.")
        case NoAnswer() | errors.ConnectionTimeout():
            return DatabaseTimeoutError(f"The database does not answer: {text}.")
        case PoolTimeout() | TooManyRequests():
            return DatabaseTimeoutError(f"No connection to the database got free: {text}.")
        case errors.DiskFull():
            return DiskFullError(f"The database's disk is full: {text}.")
        case psycopg.IntegrityError():
            return ConstraintError(text, constraint=_of(error, "constraint_name"), table=_of(error, "table_name"))
        case psycopg.OperationalError() | PoolClosed():
            return DatabaseError(f"The database cannot be reached: {text}.")
        case _:
            return DatabaseError(f"The database refused a statement: {text}.", hint="This is a mistake in docalign.")


def _of(error: psycopg.Error, name: str) -> str:
    value: Any = getattr(error.diag, name)
    return value or ""
