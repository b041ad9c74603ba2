"""The claim of one service on one database: two of them would do everything twice.

It is an advisory lock, so it goes with its connection, and with the process that holds it.
"""

from __future__ import annotations

import contextlib

import psycopg
from loguru import logger

from docalign_actors.errors import ServiceRunsError

_ONE_SERVICE = 0x0D0CA119


class ServiceClaim:
    """Raises if another service has the database. A context manager: the claim ends with it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection = self._connect()
        if not self._taken():
            self._connection.close()
            raise ServiceRunsError

    def __enter__(self) -> ServiceClaim:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def held(self) -> bool:
        """Looks, and takes it again where the connection was lost; False if somebody else has it now."""
        try:
            self._connection.execute("SELECT 1")
            return True
        except psycopg.Error:
            logger.warning("the connection that holds this database's lock is gone; taking it again")
        with contextlib.suppress(psycopg.Error):
            self._connection = self._connect()
            return self._taken()
        return True  # the database does not answer: nobody else can have it, and the next look tells

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(self._url, autocommit=True, application_name="docalign-lock")

    def _taken(self) -> bool:
        row = self._connection.execute("SELECT pg_try_advisory_lock(%s)", (_ONE_SERVICE,)).fetchone()
        return row is not None and bool(row[0])
