"""Runs that wait for agents: what is kept for them, their tasks, and what came of these. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.scans.messages import Referral
from docalign_actors.scans.model import RunId
from docalign_actors.scans.referrals import AgentRules, Answer, Kept, Parked, Resumed, Unasked, Waited

_MOST = 200
_PRIORITY = 5
"""Of 0 to 9: somebody waits for the answer."""


class PostgresWaits:
    """What `scans.ports.WaitStore` asks for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def answered(self, now: datetime) -> list[Unasked]:
        values = {"now": now, "limit": _MOST}
        return self._database.run(
            lambda c: c.cursor(row_factory=struct_row(Unasked)).execute(query("waits_answered"), values).fetchall()
        )

    def answers(self, run: RunId) -> list[Answer]:
        return self._database.run(lambda c: list(read_answers(c, run)))

    def release(self, run: RunId) -> bool:
        def unit(connection: Connection) -> bool:
            if connection.execute(query("waits_lock"), {"run": run}).fetchone() is None:
                return False
            connection.execute(query("waits_release"), {"run": run})
            return True

        return self._database.run(unit)

    def refer_more(
        self, run: RunId, referrals: Sequence[Referral], ids: Sequence[UUID], now: datetime, rules: AgentRules
    ) -> bool:
        def unit(connection: Connection) -> bool:
            if connection.execute(query("waits_lock"), {"run": run}).fetchone() is None:
                return False
            if referrals:
                write_tasks(connection, run, referrals, ids, now, rules)
            connection.execute(query("waits_followed"), {"run": run})
            return True

        return self._database.run(unit)

    def progress(self) -> list[Waited]:
        return self._database.run(
            lambda c: c.cursor(row_factory=struct_row(Waited)).execute(query("waits_progress")).fetchall()
        )

    def append_waiting_event(self, run: RunId, data: Mapping[str, Any]) -> int:
        values = {"run": run, "data": Jsonb(dict(data))}
        row = self._database.run(lambda c: c.execute(query("waits_append_event"), values).fetchone())
        return row[0] if row is not None else 0


def park(connection: Connection, run: RunId, parked: Parked, until: datetime, rules: AgentRules) -> None:
    """In the transaction that makes the run wait."""
    kept = msgspec.json.encode(parked.kept).decode()
    values = {"run": run, "kept": kept, "since": parked.since, "until": until, "dispatch": rules.dispatch}
    connection.execute(query("waits_park"), values)
    connection.execute(query("waits_mark_stage"), {"run": run})
    write_tasks(connection, run, parked.referrals, parked.ids, parked.since, rules)


def write_tasks(
    connection: Connection, run: RunId, referrals: Sequence[Referral], ids: Sequence[UUID], now: datetime, rules: AgentRules
) -> None:  # fmt: skip
    """Tasks like anybody's, and whose they are. What agents have answered already is not asked again."""
    known = _remembered(connection, referrals, now, rules)
    again = [(known[one.question], one.claim_id) for one in referrals if one.question in known]
    if again:
        values = {"run": run, "tasks": [task for task, _ in again], "claims": [claim for _, claim in again]}
        connection.execute(query("waits_link_remembered"), values)
    asked = [(one, task) for one, task in zip(referrals, ids, strict=True) if one.question not in known]
    if asked:
        _write_asked(connection, run, [one for one, _ in asked], [task for _, task in asked], now, rules)


def _remembered(
    connection: Connection, referrals: Sequence[Referral], now: datetime, rules: AgentRules
) -> Mapping[str, UUID]:
    questions = list(dict.fromkeys(one.question for one in referrals if one.question))
    if not questions or not rules.remember:
        return {}
    values = {"questions": questions, "tenant": rules.tenant, "after": now - timedelta(days=rules.remember)}
    return dict(connection.execute(query("waits_remembered"), values).fetchall())


def _write_asked(
    connection: Connection, run: RunId, referrals: Sequence[Referral], ids: Sequence[UUID], now: datetime, rules: AgentRules
) -> None:  # fmt: skip
    number = len(referrals)
    values: dict[str, Any] = {
        "id": list(ids),
        "tenant_id": [rules.tenant] * number,
        "command": [one.command for one in referrals],
        "payload": [one.payload for one in referrals],
        "priority": [_PRIORITY] * number,
        "webhook": [""] * number,
        "max_attempts": [rules.attempts] * number,
        "idempotency_key": [None] * number,
        "visible_at": [None] * number,
        "trace": [""] * number,
        "created_at": [now] * number,
    }
    connection.execute(query("tasks_create"), values)
    claims = [one.claim_id for one in referrals]
    questions = [one.question for one in referrals]
    connection.execute(query("waits_link"), {"run": run, "tasks": list(ids), "claims": claims, "questions": questions})


def take_up(connection: Connection, run: RunId) -> Resumed | None:
    """In the transaction in which a run starts: what it goes on with, None for one that begins."""
    row = (
        connection.cursor(row_factory=dict_row)
        .execute(query("waits_take_up"), {"run": run})
        .fetchone()
    )  # fmt: skip
    if row is None:
        return None
    kept = msgspec.json.decode(row["kept"], type=Kept)
    return Resumed(kept, tuple(read_answers(connection, run)), row["notice"])


def read_answers(connection: Connection, run: RunId) -> list[Answer]:
    """What became of the tasks of a run."""
    return connection.cursor(row_factory=struct_row(Answer)).execute(query("waits_answers"), {"run": run}).fetchall()


def write_outcome(connection: Connection, run: RunId, notice: str, tokens: int) -> None:
    """What the answers came to, in the transaction that ends the run."""
    if notice:
        connection.execute(query("waits_settle"), {"run": run, "notice": notice})
    if tokens:
        connection.execute(query("waits_count_tokens"), {"run": run, "tokens": tokens})
