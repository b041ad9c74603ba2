"""The outbox in PostgreSQL: letters are put into it in the transaction that gives rise to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from docalign_actors.outbound.model import Letter, LetterView
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
            return connection.cursor(row_factory=struct_row(Letter)).execute(statement, values).fetchall()

        return self._database.run(unit)

    def next_due(self, busy: Collection[str], *, failing: bool = False) -> datetime | None:
        statement = query("outbox_next_failing" if failing else "outbox_next")
        row = self._database.run(lambda c: c.execute(statement, {"busy": list(busy)}).fetchone())
        return row[0] if row is not None else None

    def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        def unit(connection: Connection) -> None:
            written = [one for one in outcomes if _write(connection, one, now)]
            for kind, keeper in self._keepers.items():
                own = [one for one in written if one.letter.kind == kind]
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

    def forget(self, before: datetime, limit: int) -> int:
        values = {"before": before, "limit": limit}
        return self._database.run(lambda c: c.execute(query("outbox_forget"), values).rowcount)


def _write(connection: Connection, outcome: Outcome, now: datetime) -> bool:
    """False if the letter does not wait any more: whoever it was for has gone meanwhile."""
    values = {"id": outcome.letter.id, "attempts": outcome.attempts, "error": outcome.error[:1000]}
    if outcome.status == "waiting":
        return bool(connection.execute(query("outbox_retry"), {**values, "due": outcome.due}).rowcount)
    return bool(connection.execute(query("outbox_settle"), {**values, "status": outcome.status, "now": now}).rowcount)
