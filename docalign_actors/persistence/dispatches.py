"""What repositories' workflows are to be told of agent tasks: `github.dispatching.DispatchBook` in PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from docalign_actors.github.dispatching import Wanted
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query


class PostgresDispatches:
    """Every method is one transaction that may be run twice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def next_wanted(self, installation: int, now: datetime) -> Wanted | None:
        values = {"installation": installation, "now": now}
        return self._database.run(
            lambda c: c.cursor(row_factory=struct_row(Wanted)).execute(query("dispatches_next"), values).fetchone()
        )

    def due(self, installation: int) -> datetime | None:
        values = {"installation": installation}
        row = self._database.run(lambda c: c.execute(query("dispatches_due"), values).fetchone())
        return row[0] if row is not None else None

    def installations(self, now: datetime) -> list[int]:
        rows = self._database.run(lambda c: c.execute(query("dispatches_installations"), {"now": now}).fetchall())
        return [row[0] for row in rows]

    def sent(self, run: UUID) -> None:
        self._database.run(lambda c: _settle(c, run, "sent"))

    def refused(self, run: UUID, notice: str) -> None:
        def unit(connection: Connection) -> None:
            if connection.execute(query("waits_lock"), {"run": run}).fetchone() is not None:
                connection.execute(query("waits_refuse"), {"run": run, "notice": notice})
                connection.execute(query("waits_release"), {"run": run})
            _settle(connection, run, "refused", notice)

        self._database.run(unit)

    def put_off(self, run: UUID, error: str, delay: timedelta | None) -> None:
        state = "wanted" if delay is not None else "given up"
        self._database.run(lambda c: _settle(c, run, state, error[:1_000].replace("\0", " "), delay, failed=1))


def _settle(
    connection: Connection, run: UUID, state: str, error: str = "", delay: timedelta | None = None, failed: int = 0
) -> None:
    values = {"run": run, "state": state, "error": error, "delay": delay, "failed": failed}
    connection.execute(query("dispatches_settle"), values)
