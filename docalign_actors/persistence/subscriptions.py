"""Who wants to be told of work, in PostgreSQL; in transactions that are under way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from msgspec.structs import asdict

from docalign_actors.agent_tasks import notices
from docalign_actors.agent_tasks.notices import Subscription
from docalign_actors.ids import new_id
from docalign_actors.outbound.model import Letter
from docalign_actors.persistence.database import Connection, struct_row
from docalign_actors.persistence.sql import query

_MOST = 200
"""Postponed notices in one sweep; the rest follow in the next."""


def subscribe(connection: Connection, wanted: Subscription) -> None:
    values = {**asdict(wanted), "event_types": list(wanted.event_types)}
    connection.execute(query("tasks_subscribe"), values)


def renew(connection: Connection, subscription: UUID, tenant: str, ttl: int, now: datetime) -> Subscription | None:
    values = {"id": subscription, "tenant": tenant, "ttl": ttl, "now": now}
    return connection.cursor(row_factory=struct_row(Subscription)).execute(query("tasks_renew"), values).fetchone()


def tell_of_work(
    connection: Connection, ready: Mapping[tuple[str, str], int], now: datetime
) -> tuple[list[Letter], list[datetime]]:
    """Letters to those who may hear of it now, and when those who may not are to hear of it."""
    letters: list[Letter] = []
    moments: list[datetime] = []
    for tenant in {tenant for tenant, _ in ready}:
        cursor = connection.cursor(row_factory=struct_row(Subscription))
        found = cursor.execute(query("tasks_subscriptions"), {"tenant": tenant, "now": now}).fetchall()
        known = {one.id: one for one in found}
        for command, depth in [(c, n) for (t, c), n in ready.items() if t == tenant]:
            for one in notices.chosen(list(known.values()), command, now):
                if one.may_hear(now):
                    letters.append(notices.availability(one, command, depth, new_id(), now))
                    known[one.id] = notices.told(one, command, now)
                else:
                    known[one.id] = notices.postponed(one, command)
        changed = [known[one.id] for one in found if known[one.id] != one]
        _write(connection, changed)
        moments += [one.pending_at for one in changed if one.pending_at is not None]
    return letters, moments


def tell_of_postponed(connection: Connection, now: datetime) -> list[Letter]:
    """Letters to those whose interval has passed, if what they were to hear of is there still."""
    letters: list[Letter] = []
    cursor = connection.cursor(row_factory=struct_row(Subscription))
    found = cursor.execute(query("tasks_postponed"), {"now": now, "limit": _MOST}).fetchall()
    changed: list[Subscription] = []
    for one in found:
        left = one
        for command in one.pending if one.expires_at > now else ():
            depth = _depth(connection, one.tenant_id, command)
            if depth:
                letters.append(notices.availability(one, command, depth, new_id(), now))
                left = notices.told(left, command, now)
                break
            left = notices.forgotten(left, command)
        changed.append(left if one.expires_at > now else notices.silenced(one))
    _write(connection, changed)
    return letters


def _depth(connection: Connection, tenant: str, command: str) -> int:
    row = connection.execute(query("tasks_depth"), {"tenant": tenant, "command": command}).fetchone()
    return int(row[0]) if row is not None else 0


def _write(connection: Connection, changed: list[Subscription]) -> None:
    for one in changed:
        values = {"id": one.id, "last": one.last_notified_at, "pending": list(one.pending), "due": one.pending_at}
        connection.execute(query("tasks_notified"), values)
