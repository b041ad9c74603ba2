"""Applications and their subscriptions in PostgreSQL: who they are and what they ask for. Every method is one transaction."""

from __future__ import annotations

import secrets
import threading
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row

from docalign_actors.applications.admission import Wanted
from docalign_actors.applications.errors import (
    ApplicationExistsError,
    SubscriptionExistsError,
    UnknownApplicationError,
    UnknownSubscriptionError,
)
from docalign_actors.applications.keys import Generation
from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.clock import Clock
from docalign_actors.errors import StateConflictError, UnknownRepositoryError
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.persistence.tokens import Role, hash_of
from docalign_actors.scans.model import RepoId

_REMEMBERED = 5.0
"""Seconds for which a secret's generation is not looked up again."""
_MOST_REMEMBERED = 5_000


class ApplicationStore:
    """Onboards applications, and does with subscriptions what their owners ask for."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._generations: dict[AppId, tuple[Generation, float]] = {}

    # Applications

    def add(self, name: str, url: str, by: str = "") -> tuple[AppId, str]:
        """A new application and its token, which nobody sees again."""
        app = AppId(new_id())
        token, made = _new_token(name, app, self._clock.now())

        def unit(connection: Connection) -> None:
            connection.execute(query("tokens_insert"), made)
            values = {"id": app, "name": name, "url": url, "token": made["id"], "by": by[:100], "now": made["now"]}
            connection.execute(query("apps_insert"), values)

        with self._database.transaction() as connection:
            try:
                unit(connection)
            except UniqueViolation:
                connection.rollback()
                raise ApplicationExistsError(f"There is an application called {name!r}.") from None
        return app, token

    def find(self, name: str) -> AppId:
        row = self._database.run(lambda c: c.execute(query("apps_find"), {"name": name}).fetchone())
        if row is None:
            raise UnknownApplicationError(f"There is no application called {name!r}.")
        return AppId(row[0])

    def remove(self, app: AppId) -> UUID:
        """Removes an application with everything that belongs to it; gives the id of its token, which is gone."""
        row = self._database.run(lambda c: c.execute(query("apps_remove"), {"id": app}).fetchone(), retry=False)
        if row is None:
            raise UnknownApplicationError
        token: UUID = row[0]
        return token

    def move(self, app: AppId, url: str) -> None:
        """Gives an application another address; what waits for it goes there, too."""
        values = {"id": app, "url": url, "now": self._clock.now()}

        def unit(connection: Connection) -> None:
            connection.execute(query("apps_hold_subscriptions"), values)
            if connection.execute(query("apps_move"), values).fetchone() is None:
                raise UnknownApplicationError
            connection.execute(query("apps_move_letters"), values)
            connection.execute(query("apps_move_lanes"), values)

        self._database.run(unit)

    def rotate_token(self, app: AppId) -> tuple[str, UUID]:
        """A new token, and the id of the one that it replaces, which is gone."""

        def unit(connection: Connection) -> tuple[str, UUID]:
            row = connection.execute(query("apps_lock"), {"id": app}).fetchone()
            if row is None:
                raise UnknownApplicationError
            token, made = _new_token(row[1], app, self._clock.now())
            connection.execute(query("tokens_insert"), made)
            connection.execute(query("apps_set_token"), {"id": app, "token": made["id"]})
            connection.execute(query("apps_delete_token"), {"token": row[0]})
            return token, row[0]

        return self._database.run(unit, retry=False)

    def rotate_secret(self, app: AppId) -> int:
        """The number of the new secret."""
        values = {"id": app, "now": self._clock.now()}
        row = self._database.run(lambda c: c.execute(query("apps_rotate_secret"), values).fetchone(), retry=False)
        if row is None:
            raise UnknownApplicationError
        with self._lock:
            self._generations.pop(app, None)
        return int(row[0])

    def generation(self, app: AppId) -> Generation | None:
        """What `applications.keys.Generations` asks for. It is asked for each delivery, so the answer is kept for moments."""
        now = self._clock.monotonic()
        with self._lock:
            kept = self._generations.get(app)
            if kept is not None and now < kept[1]:
                return kept[0]

        def unit(connection: Connection) -> Generation | None:
            cursor = connection.cursor(row_factory=struct_row(Generation))
            return cursor.execute(query("apps_generation"), {"id": app}).fetchone()

        found = self._database.run(unit)
        if found is not None:
            with self._lock:
                if len(self._generations) >= _MOST_REMEMBERED:
                    self._generations.clear()
                self._generations[app] = (found, now + _REMEMBERED)
        return found

    # Subscriptions

    def subscribe(self, app: AppId, repo: RepoId, wanted: Wanted) -> SubscriptionId:
        """It begins with a snapshot of what the last scan saw, or waits for the first one."""
        made = SubscriptionId(new_id())

        def unit(connection: Connection) -> None:
            if connection.execute(query("apps_lock"), {"id": app}).fetchone() is None:
                raise UnknownApplicationError
            row = connection.cursor(row_factory=dict_row).execute(query("apps_repo"), {"repo": repo}).fetchone()
            if row is None:
                raise UnknownRepositoryError
            seen = wanted.branch in ("", row["default_branch"]) and row["known"]
            commit = row["head_sha"] if seen else None
            connection.execute(query("apps_watch"), {"repo": repo, "branch": wanted.branch, "commit": commit})
            values = {
                "id": made, "app": app, "repo": repo, "branch": wanted.branch, "paths": list(wanted.paths),
                "events": list(wanted.events), "now": self._clock.now(),
            }  # fmt: skip
            connection.execute(query("apps_subscribe"), values)

        with self._database.transaction() as connection:
            try:
                unit(connection)
            except UniqueViolation:
                connection.rollback()
                raise SubscriptionExistsError from None
        return made

    def unsubscribe(self, app: AppId, subscription: SubscriptionId) -> RepoId:
        values = {"id": subscription, "app": app}
        row = self._database.run(lambda c: c.execute(query("apps_unsubscribe"), values).fetchone(), retry=False)
        if row is None:
            raise UnknownSubscriptionError
        return RepoId(row[0])

    def pause(self, app: AppId, subscription: SubscriptionId) -> RepoId:
        """Nothing is sent until it is resumed; what happens meanwhile is kept in the journal. One that has failed stays so."""

        def unit(connection: Connection) -> RepoId:
            row = _locked(connection, app, subscription)
            if row["status"] == "failed":
                raise StateConflictError(
                    "This subscription has failed: nothing is sent anyway.", hint="Resume it, or remove it."
                )
            connection.execute(query("apps_pause"), {"id": subscription})
            self._hold(connection, row["lane"], held=True)
            return RepoId(row["repo_id"])

        return self._database.run(unit)

    def resume(self, app: AppId, subscription: SubscriptionId) -> RepoId:
        """It goes on where it stopped: what was given up is the first that is sent."""

        def unit(connection: Connection) -> RepoId:
            row = _locked(connection, app, subscription)
            connection.execute(query("apps_resume"), {"id": subscription})
            connection.execute(query("apps_revive_letters"), {"lane": row["lane"]})
            connection.execute(query("apps_revive_deliveries"), {"id": subscription})
            self._hold(connection, row["lane"], held=False)
            return RepoId(row["repo_id"])

        return self._database.run(unit)

    def resync(self, app: AppId, subscription: SubscriptionId) -> RepoId:
        """It begins anew with a snapshot, as if it had never been told anything. What waits is dropped."""

        def unit(connection: Connection) -> RepoId:
            row = _locked(connection, app, subscription)
            connection.execute(query("apps_drop_letters"), {"lane": row["lane"]})
            connection.execute(query("apps_empty_lane"), {"lane": row["lane"]})
            connection.execute(query("apps_drop_deliveries"), {"id": subscription, "now": self._clock.now()})
            connection.execute(query("apps_forget_holdings"), {"id": subscription})
            connection.execute(query("apps_start_anew"), {"id": subscription})
            return RepoId(row["repo_id"])

        return self._database.run(unit)

    def _hold(self, connection: Connection, lane: str, *, held: bool) -> None:
        connection.execute(query("apps_hold_lane"), {"lane": lane, "held": held, "now": self._clock.now()})


def _locked(connection: Connection, app: AppId, subscription: SubscriptionId) -> dict[str, Any]:
    values = {"id": subscription, "app": app}
    row = connection.cursor(row_factory=dict_row).execute(query("apps_lock_subscription"), values).fetchone()
    if row is None:
        raise UnknownSubscriptionError
    return row


def _new_token(name: str, app: AppId, now: datetime) -> tuple[str, dict[str, Any]]:
    """A token that sees what belongs to this application, and nothing else."""
    token = f"docalign_{Role.SUBSCRIBER.letter}_{secrets.token_urlsafe(32)}"
    values: dict[str, Any] = {
        "id": new_id(), "name": name, "role": Role.SUBSCRIBER.value, "hash": hash_of(token), "one_time": False, "now": now,
        "expires_at": None, "scopes": [], "event_types": ["*"], "tenant": str(app),
    }  # fmt: skip
    return token, values
