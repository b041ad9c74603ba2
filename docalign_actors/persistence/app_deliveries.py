"""Applications, subscriptions and the log of deliveries, for those who look at them; and deliveries that are sent again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct
from psycopg.rows import dict_row

from docalign_actors.applications.errors import UnknownDeliveryError
from docalign_actors.applications.model import LETTER, AppId, tenant_of
from docalign_actors.applications.views import AppDeliveryView, AppView, SubscriptionView
from docalign_actors.clock import Clock
from docalign_actors.errors import StateConflictError
from docalign_actors.outbound.model import Letter
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.outbox import put_letters
from docalign_actors.persistence.sql import query
from docalign_actors.persistence.views import BIGGEST, Slice
from docalign_actors.scans.model import RepoId

S = TypeVar("S", bound=Struct)
MOST_REPLAYED = 1_000
_LAST = UUID(int=2**128 - 1)


class Content(Struct, frozen=True):
    """Where the content of a delivery is to be had."""

    repo_id: RepoId
    blob: str
    name: str


class Figures(Struct, frozen=True):
    """Subscriptions by status; deliveries that wait; what is not in the journal yet."""

    active: int = 0
    paused: int = 0
    failed: int = 0
    waiting: int = 0
    notes: int = 0


class DeliveryLog:
    """What is known of deliveries. Each method is one transaction and may be called from any thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def apps(self, limit: int, after: str = "") -> Slice[AppView]:
        """In the order of their names."""
        return _cut(self._rows(AppView, "list", after=after, limit=limit + 1), limit, lambda one: (one.name,))

    def app(self, app: UUID) -> AppView | None:
        return next(iter(self._rows(AppView, "one", id=app)), None)

    def subscriptions(self, app: UUID, limit: int, before: UUID | None = None) -> Slice[SubscriptionView]:
        """Newest first."""
        rows = self._rows(SubscriptionView, "subscriptions", app=app, before=before or _LAST, limit=limit + 1)
        return _cut(rows, limit, lambda one: (one.id,))

    def subscription(self, app: UUID, subscription: UUID) -> SubscriptionView | None:
        return next(iter(self._rows(SubscriptionView, "subscription", app=app, id=subscription)), None)

    def deliveries(
        self, limit: int, before: int | None = None, *, app: UUID | None = None, subscription: UUID | None = None,
        status: str | None = None,
    ) -> Slice[AppDeliveryView]:  # fmt: skip
        """Newest first."""
        place = BIGGEST if before is None else before
        chosen = {"app": app, "subscription": subscription, "status": status}
        rows = self._rows(AppDeliveryView, "deliveries", before=place, limit=limit + 1, **chosen)
        return _cut(rows, limit, lambda one: (one.position,))

    def delivery(self, delivery: UUID, app: UUID | None = None) -> AppDeliveryView | None:
        return next(iter(self._rows(AppDeliveryView, "delivery", id=delivery, app=app)), None)

    def content(self, delivery: UUID, app: UUID | None = None) -> Content | None:
        return next(iter(self._rows(Content, "content", id=delivery, app=app)), None)

    def figures(self) -> Figures:
        return self._rows(Figures, "figures")[0]

    def replay(self, delivery: UUID, app: UUID | None = None) -> RepoId:
        """Sends a delivery that has arrived once more, under its own id, behind what waits. One that was given up goes again
        when its subscription is resumed: it has to arrive before whatever follows it."""

        def unit(connection: Connection) -> RepoId:
            values = {"id": delivery, "app": app}
            row = connection.cursor(row_factory=dict_row).execute(query("apps_lock_delivery"), values).fetchone()
            if row is None:
                raise UnknownDeliveryError
            if row["status"] == "dead":
                raise StateConflictError(
                    "This delivery was given up, and nothing is sent past it.",
                    hint="Resume its subscription: it is the first to go.",
                )
            if row["status"] != "delivered":
                raise StateConflictError(
                    f"This delivery is {row['status']}.", hint="One that waits is sent anyway; a resync sends all."
                )
            self._send_again(connection, [row])
            return RepoId(row["repo_id"])

        return self._database.run(unit, retry=False)

    def replay_since(self, app: UUID, subscription: UUID, since: int) -> RepoId:
        """Sends what has arrived again, in its order, from a sequence number on; a thousand at the most."""

        def unit(connection: Connection) -> RepoId:
            values = {"app": app, "subscription": subscription, "since": since, "limit": MOST_REPLAYED + 1}
            rows = connection.cursor(row_factory=dict_row).execute(query("apps_lock_since"), values).fetchall()
            if not rows:
                raise StateConflictError(
                    "Nothing that has arrived since is kept.", hint="A resync sends everything again."
                )
            if len(rows) > MOST_REPLAYED:
                raise StateConflictError(
                    f"More than {MOST_REPLAYED:,} deliveries have arrived since.",
                    hint="A resync sends everything again.",
                )
            self._send_again(connection, rows)
            return RepoId(rows[0]["repo_id"])

        return self._database.run(unit, retry=False)

    def _send_again(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        if rows[0]["subscription_status"] == "failed":
            raise StateConflictError("Its subscription has failed.", hint="Resume the subscription first.")
        now = self._clock.now()
        connection.execute(query("apps_replay"), {"ids": [row["id"] for row in rows]})
        letters = [
            Letter(row["id"], row["lane"], tenant_of(AppId(row["app_id"])), LETTER, row["url"], row["body"], now)
            for row in rows
        ]
        put_letters(connection, letters, now)

    def _rows(self, kind: type[S], name: str, **values: object) -> list[S]:
        def unit(connection: Connection) -> list[S]:
            cursor = connection.cursor(row_factory=struct_row(kind))
            return cursor.execute(query(f"apps_{name}"), values, prepare=False).fetchall()

        return self._database.run(unit)


def _cut(rows: Sequence[S], limit: int, key: Callable[[S], tuple[Any, ...]]) -> Slice[S]:
    items = list(rows[:limit])
    return Slice(items, key(items[-1]) if len(rows) > limit else None)
