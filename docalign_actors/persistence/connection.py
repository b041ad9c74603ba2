"""Connections that give up on a silent server, tell the server whose work they do, and give rows as Structs."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg import sql
from psycopg.abc import Params, PQGen, Query
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ConnectionTimeout, _WaitTimeout
from psycopg.rows import RowFactory, RowMaker, TupleRow

from docalign_actors.errors import ConfigurationError

RV = TypeVar("RV")
S = TypeVar("S", bound=msgspec.Struct)
_NOT_IN_TRACE = re.compile(r"[^A-Za-z0-9._:-]")
_LONGEST_TRACE = 64
_RESTART_PATIENCE = 4.0
_STEP = 0.02


def usable_address(url: str) -> str:
    """The address as it is, if it can be one. What is wrong with it is not repeated: there may be a password in it."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise ConfigurationError(
            "database.url is not the address of a PostgreSQL database.",
            hint="It reads postgresql://user:password@host:5432/name; `docalign config show` says where it is set.",
        ) from None
    return url


class NoAnswer(psycopg.OperationalError):
    """The server has not answered for longer than its own time-outs allow."""


class Connection(psycopg.Connection[TupleRow]):
    """A connection whose every exchange with the server has an end.

    The server's own statement_timeout cannot fire in a server that is stopped or cut off, so the client has a limit
    too, a little above it.
    """

    answer_timeout: float | None = None
    trace: str = ""
    begun: float = 0.0
    """When it was begun, on the monotonic clock."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Connection:
        """Connect; to a server that is just being started again, after a moment. The pool itself would wait seconds."""
        end = time.monotonic() + _RESTART_PATIENCE
        while True:
            begun = time.monotonic()
            try:
                connection = super().connect(conninfo, **kwargs)
            except psycopg.OperationalError as error:
                if isinstance(error, ConnectionTimeout) or time.monotonic() > end:
                    raise
                time.sleep(_STEP)
            else:
                connection.begun = begun
                return connection

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        limit = self.answer_timeout if timeout is None else timeout
        try:
            return super().wait(gen, interval=interval, timeout=limit)
        except _WaitTimeout as error:
            if timeout is not None:  # the caller's own limit, and his to handle
                raise
            self.pgconn.finish()  # in the middle of an exchange: of no more use
            raise NoAnswer(f"no answer for {limit:.0f} s") from error


class TracedCursor(psycopg.Cursor[Any]):
    """Puts the trace id before each statement, where the server's log and pg_stat_activity show it."""

    def execute(
        self, query: Query, params: Params | None = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> TracedCursor:
        trace = self.connection.trace if isinstance(self.connection, Connection) else ""
        statement: Any = _commented(query, trace) if trace else query
        # With a trace each text is new, so preparing it would only fill the server's memory.
        super().execute(statement, params, prepare=False if trace else prepare, binary=binary)
        return self


def clean_trace(trace: str) -> str:
    """A trace id that can stand in an SQL comment, whoever sent it."""
    return _NOT_IN_TRACE.sub("", trace)[:_LONGEST_TRACE]


def _commented(query: Query, trace: str) -> Query:
    comment = f"/* trace={trace} */ "
    if isinstance(query, str):
        return comment + query
    if isinstance(query, bytes):
        return comment.encode() + query
    if isinstance(query, sql.Composable):
        return sql.SQL(comment) + query
    return query


def struct_row(kind: type[S]) -> RowFactory[S]:
    """A row factory: each row becomes this Struct, column by column of the same name, checked.

    A column that the Struct does not know, or a field that no column fills, is a mistake in the statement.
    """

    def of_cursor(cursor: psycopg.Cursor[Any]) -> RowMaker[S]:
        names = [column.name for column in cursor.description or ()]

        def of_row(values: Sequence[Any]) -> S:
            return msgspec.convert(dict(zip(names, values, strict=True)), kind)

        return of_row

    return of_cursor
