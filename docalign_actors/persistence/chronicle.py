"""The journal and the subscriptions in PostgreSQL, as the chroniclers see them. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.applications.letters import Delivery, Fed
from docalign_actors.applications.model import Branch, Claim, Entry, Note, Subscription, SubscriptionId
from docalign_actors.applications.ports import Done, Plan, Written
from docalign_actors.applications.telling import Known
from docalign_actors.outbound.ports import Outcome
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.outbox import put_letters
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId

_ENTRIES = 200
"""Of the journal, looked at in one step."""
_HOLDINGS = 500
"""Of what a subscription has been promised, looked at in one step of a snapshot."""


class PostgresChronicle:
    """What `applications.ports.Chronicle` asks for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def repos_with_work(self, low: int, limit: int) -> list[RepoId]:
        values = {"low": low, "limit": limit}
        rows = self._database.run(lambda c: c.execute(query("journal_repos_with_work"), values).fetchall())
        return [RepoId(row[0]) for row in rows]

    def next_note(self, repo: RepoId) -> Note | None:
        def unit(connection: Connection) -> Note | None:
            cursor = connection.cursor(row_factory=struct_row(Note))
            return cursor.execute(query("journal_next_note"), {"repo": repo}).fetchone()

        return self._database.run(unit)

    def branches(self, repo: RepoId) -> list[Branch]:
        def unit(connection: Connection) -> list[Branch]:
            cursor = connection.cursor(row_factory=struct_row(Branch))
            return cursor.execute(query("journal_branches_of"), {"repo": repo}).fetchall()

        return self._database.run(unit)

    def write(self, note: Note, written: Sequence[Written]) -> bool:
        def unit(connection: Connection) -> bool:
            if connection.execute(query("journal_take_note"), {"note": note.position}).fetchone() is None:
                return False
            for one in written:
                if not _advance(connection, note, one):
                    connection.rollback()  # somebody subscribed to another branch, or ended the last subscription
                    return False
            return True

        return self._database.run(unit)

    def hungry(self, repo: RepoId, low: int, limit: int) -> list[tuple[Subscription, Branch]]:
        values = {"repo": repo, "low": low, "limit": limit}

        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query("journal_hungry"), values).fetchall()

        return [_subscription(row) for row in self._database.run(unit)]

    def feed(self, subscriptions: Sequence[SubscriptionId], plan: Plan, now: datetime) -> Done:
        if not subscriptions:
            return Done()

        def unit(connection: Connection) -> Done:
            rows = (
                connection.cursor(row_factory=dict_row)
                .execute(query("journal_lock"), {"ids": list(subscriptions)})
                .fetchall()
            )
            seen: dict[tuple[str, int], list[Entry]] = {}
            fed: list[tuple[Subscription, Fed]] = []
            for row in rows:
                subscription, branch = _subscription(row)
                made = plan(subscription, _known(connection, subscription, branch, seen))
                if made.deliveries or _moved(subscription, made):
                    fed.append((subscription, made))
            _write(connection, fed, now)
            return Done(sum(len(made.deliveries) for _, made in fed), len(fed))

        # Not run again when the connection is lost: what was decided may be written already. It is decided anew.
        return self._database.run(unit, retry=False)

    def start_anew(self, subscription: SubscriptionId) -> None:
        self._database.run(lambda c: c.execute(query("journal_start_anew"), {"id": subscription}))


def keep_outcomes(connection: Connection, outcomes: Sequence[Outcome], now: datetime) -> None:
    """What became of deliveries, in the transaction in which the outbox learns of it."""
    arrived = [one for one in outcomes if one.status == "delivered"]
    if arrived:
        ids = [one.letter.id for one in arrived]
        connection.execute(
            query("journal_delivered"), {"ids": ids, "attempts": [one.attempts for one in arrived], "now": now}
        )
        connection.execute(query("journal_forget_letters"), {"ids": ids})
    for status, name in (("waiting", "journal_tried"), ("dead", "journal_dead")):
        some = [one for one in outcomes if one.status == status]
        if some:
            values = {
                "ids": [one.letter.id for one in some], "attempts": [one.attempts for one in some], "now": now,
                "errors": [one.error[:1000] for one in some], "answers": [one.answer[:2000] for one in some],
            }  # fmt: skip
            connection.execute(query(name), values)


def _advance(connection: Connection, note: Note, one: Written) -> bool:
    branch, entries = one.branch, one.entries
    values: dict[str, Any] = {
        "repo": note.repo_id, "branch": branch.name, "commit": one.commit, "before": branch.commit,
        "position": branch.position, "count": len(entries),
    }  # fmt: skip
    if connection.execute(query("journal_advance"), values).fetchone() is None:
        return False
    if entries:
        names = ("kind", "name", "previous_name", "mode", "blob", "size", "is_binary", "commit")
        columns: dict[str, Any] = {name: [getattr(entry, name) for entry in entries] for name in names}
        columns["data"] = [Jsonb(entry.data) for entry in entries]
        connection.execute(query("journal_insert"), {**values, **columns, "at": note.at})
    if one.lost:
        connection.execute(query("journal_lost"), values)
    return True


def _subscription(row: dict[str, Any]) -> tuple[Subscription, Branch]:
    branch = Branch(row["branch"], row["branch_commit"], row["branch_position"], row["branch_floor"])
    return msgspec.convert({**row, "paths": tuple(row["paths"]), "events": tuple(row["events"])}, Subscription), branch


def _known(
    connection: Connection, subscription: Subscription, branch: Branch, seen: dict[tuple[str, int], list[Entry]]
) -> Known:  # fmt: skip
    if subscription.phase == "new":
        return Known(branch=branch)
    if subscription.phase == "following":
        key = (branch.name, subscription.position)
        if key not in seen:
            seen[key] = _entries(connection, subscription)
        return Known(branch=branch, entries=seen[key], promised=_promised(connection, subscription, seen[key]))
    sort = "file" if subscription.phase == "files" else "claim"
    values = {"id": subscription.id, "sort": sort, "cursor": subscription.cursor, "limit": _HOLDINGS + 1}
    rows = connection.execute(query("journal_promised_after"), values).fetchall()
    promised = {(row[0], row[1]): row[2] for row in rows[:_HOLDINGS]}
    known = Known(branch=branch, promised=promised, all_promised=len(rows) <= _HOLDINGS)
    if sort == "file":
        return known
    claims: list[Claim] = []
    if subscription.branch in ("", subscription.default_branch):
        values = {"repo": subscription.repo_id, "cursor": subscription.cursor, "limit": _HOLDINGS + 1}
        claims = (
            connection.cursor(row_factory=struct_row(Claim)).execute(query("journal_open_claims"), values).fetchall()
        )
    all_claims = len(claims) <= _HOLDINGS
    return msgspec.structs.replace(known, claims=claims[:_HOLDINGS], all_claims=all_claims)


def _entries(connection: Connection, subscription: Subscription) -> list[Entry]:
    values = {
        "repo": subscription.repo_id, "branch": subscription.branch, "position": subscription.position, "limit": _ENTRIES,
    }  # fmt: skip
    return connection.cursor(row_factory=struct_row(Entry)).execute(query("journal_entries"), values).fetchall()


def _promised(
    connection: Connection, subscription: Subscription, entries: Sequence[Entry]
) -> dict[tuple[str, str], str | None]:
    names = {("claim" if entry.kind.startswith("claim.") else "file", entry.name) for entry in entries if entry.name}
    names |= {("file", entry.previous_name) for entry in entries if entry.previous_name}
    if not names:
        return {}
    asked = sorted(names)
    values = {"id": subscription.id, "sorts": [sort for sort, _ in asked], "names": [name for _, name in asked]}
    rows = connection.execute(query("journal_promised"), values).fetchall()
    return {(row[0], row[1]): row[2] for row in rows}


def _moved(subscription: Subscription, made: Fed) -> bool:
    step = made.step
    return (step.phase, step.commit, step.cursor, step.position) != (
        subscription.phase, subscription.commit, subscription.cursor, subscription.position,
    )  # fmt: skip


def _write(connection: Connection, fed: Sequence[tuple[Subscription, Fed]], now: datetime) -> None:
    if not fed:
        return
    made = [delivery for _, one in fed for delivery in one.deliveries]
    promised = [(sub.id, *key, version) for sub, one in fed for key, version in one.step.promises.items()]
    forgotten = [(sub.id, *key) for sub, one in fed for key in one.step.forgotten]
    if forgotten:
        connection.execute(
            query("journal_forget"), dict(zip(("ids", "sorts", "names"), _turned(forgotten), strict=True))
        )
    if promised:
        names = ("ids", "sorts", "names", "promised")
        connection.execute(query("journal_promise"), dict(zip(names, _turned(promised), strict=True)))
    if made:
        columns = [name for name in Delivery.__struct_fields__ if name not in ("lane", "url")]
        rows: dict[str, Any] = {name: [getattr(one, name) for one in made] for name in columns}
        connection.execute(query("journal_deliveries"), {**rows, "now": now})
        put_letters(connection, [one.letter(now) for one in made], now)
    connection.execute(
        query("journal_stand"),
        {
            "ids": [sub.id for sub, _ in fed], "phases": [one.step.phase for _, one in fed],
            "commits": [one.step.commit for _, one in fed], "cursors": [one.step.cursor for _, one in fed],
            "positions": [one.step.position for _, one in fed],
            "sequences": [sub.sequence + len(one.deliveries) for sub, one in fed], "now": now,
        },
    )  # fmt: skip


def _turned(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
