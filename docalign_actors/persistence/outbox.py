"""The outbox in PostgreSQL: letters are put into it in the transaction that gives rise to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from docalign_actors.outbound.model import Letter, LetterFigures, LetterView
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query


def put_letters(connection: Connection, letters: Sequence[Letter], now: datetime) -> int:
    """Writes them down in a transaction that is under way; gives how many."""
    if not letters:
        return 0
    lanes = sorted(Counter(letter.lane for letter in letters).items())
    values = {"now": now, "lanes": [lane for lane, _ in lanes], "counts": [count for _, count in lanes]}
    connection.execute(query("outbox_lanes_up"), values)
    columns = ("id", "lane", "tenant_id", "kind", "url", "body", "trace")
    rows = {name: [getattr(letter, name) for letter in letters] for name in columns}
    connection.execute(query("outbox_put"), {**rows, "now": now})
    return len(letters)


class PostgresOutbox:
    """What `outbound.ports.Outbox` asks for, and what is shown of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, now: datetime, busy: Collection[str], limit: int) -> list[Letter]:
        values = {"now": now, "busy": list(busy), "limit": limit}

        def unit(connection: Connection) -> list[Letter]:
            return connection.cursor(row_factory=struct_row(Letter)).execute(query("outbox_due"), values).fetchall()

        return self._database.run(unit)

    def next_due(self, busy: Collection[str]) -> datetime | None:
        row = self._database.run(lambda c: c.execute(query("outbox_next"), {"busy": list(busy)}).fetchone())
        return row[0] if row is not None else None

    def delivered(self, letter: UUID, attempts: int, now: datetime) -> None:
        self._settle(letter, "delivered", attempts, "", now)

    def give_up(self, letter: UUID, attempts: int, error: str, now: datetime) -> None:
        self._settle(letter, "dead", attempts, error, now)

    def retry(self, letter: UUID, attempts: int, error: str, due: datetime) -> None:
        values = {"id": letter, "attempts": attempts, "error": error, "due": due}
        self._database.run(lambda c: c.execute(query("outbox_retry"), values))

    def replay(self, tenant: str, letter: UUID, now: datetime) -> bool:
        """Puts a dead letter back in its lane; False if there is none."""
        values = {"id": letter, "tenant": tenant, "now": now}
        return self._database.run(lambda c: c.execute(query("outbox_replay"), values).rowcount) > 0

    def dead_letters(self, tenant: str, limit: int) -> list[LetterView]:
        values = {"tenant": tenant, "limit": limit}

        def unit(connection: Connection) -> list[LetterView]:
            cursor = connection.cursor(row_factory=struct_row(LetterView))
            return cursor.execute(query("outbox_dead_letters"), values).fetchall()

        return self._database.run(unit)

    def letters(self, tenant: str, status: str, before: int, limit: int) -> list[LetterView]:
        """`status` is the database's, or `failing` for those that wait because they did not arrive."""
        values = {"tenant": tenant, "status": status, "before": before, "limit": limit}
        wanted = query("outbox_failing" if status == "failing" else "outbox_letters")
        return self._database.run(
            lambda c: c.cursor(row_factory=struct_row(LetterView)).execute(wanted, values).fetchall()
        )

    def figures(self, tenant: str) -> LetterFigures:
        def unit(connection: Connection) -> LetterFigures:
            cursor = connection.cursor(row_factory=struct_row(LetterFigures))
            return cursor.execute(query("outbox_figures"), {"tenant": tenant}).fetchone() or LetterFigures()

        return self._database.run(unit)

    def forget(self, before: datetime, limit: int) -> int:
        values = {"before": before, "limit": limit}
        return self._database.run(lambda c: c.execute(query("outbox_forget"), values).rowcount)

    def _settle(self, letter: UUID, status: str, attempts: int, error: str, now: datetime) -> None:
        values = {"id": letter, "status": status, "attempts": attempts, "error": error, "now": now}
        self._database.run(lambda c: c.execute(query("outbox_settle"), values))
