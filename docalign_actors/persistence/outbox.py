"""The outbox in PostgreSQL: letters are put into it in the transaction that gives rise to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from docalign_actors.outbound.model import Letter, LetterFigures, LetterView
from docalign_actors.outbound.ports import Outcome
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


Keeper = Callable[[Connection, Sequence[Outcome], datetime], None]
"""Writes down, in the same transaction, what became of letters of one kind."""


class PostgresOutbox:
    """What `outbound.ports.Outbox` asks for, and what is shown of it."""

    def __init__(self, database: Database, keepers: Mapping[str, Keeper] | None = None) -> None:
        """`keepers` by the kind of letter: who has to know what became of them."""
        self._database = database
        self._keepers = keepers or {}

    def due(self, now: datetime, busy: Collection[str], limit: int, *, failing: bool = False) -> list[Letter]:
        values = {"now": now, "busy": list(busy), "limit": limit}
        statement = query("outbox_due_failing" if failing else "outbox_due")

        def unit(connection: Connection) -> list[Letter]:
            connection.execute(query("server_by_index"))
            return connection.cursor(row_factory=struct_row(Letter)).execute(statement, values).fetchall()

        return self._database.run(unit)

    def next_due(self, busy: Collection[str], *, failing: bool = False) -> datetime | None:
        statement = query("outbox_next_failing" if failing else "outbox_next")
        row = self._database.run(lambda c: c.execute(statement, {"busy": list(busy)}).fetchone())
        return row[0] if row is not None else None

    def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        def unit(connection: Connection) -> None:
            connection.execute(query("server_by_index"))
            written = _write(connection, outcomes, now)
            for kind, keeper in self._keepers.items():
                own = [one for one in outcomes if one.letter.kind == kind and one.letter.id in written]
                if own:
                    keeper(connection, own, now)

        self._database.run(unit)

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


def _write(connection: Connection, outcomes: Sequence[Outcome], now: datetime) -> set[UUID]:
    """Those that were still waiting: of another, whoever it was for has gone meanwhile."""
    values = {
        "ids": [one.letter.id for one in outcomes], "statuses": [one.status for one in outcomes],
        "attempts": [one.attempts for one in outcomes], "errors": [one.error[:1000] for one in outcomes],
        "dues": [one.due for one in outcomes], "now": now,
    }  # fmt: skip
    return {row[0] for row in connection.execute(query("outbox_settle"), values).fetchall()}
