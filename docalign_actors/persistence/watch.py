"""Schedules and circuits in PostgreSQL: what `watch.ports.WatchStore` asks for, and what people see and set of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from docalign_actors.errors import UnknownRepositoryError
from docalign_actors.persistence.circuits import apply, circuit_of, let_one_through, reset
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId
from docalign_actors.watch.circuit import Asked, CameToNothing, Failed, Happening, Origin, Rules, Worked
from docalign_actors.watch.deciding import Due, Numbers
from docalign_actors.watch.events import CircuitMoved
from docalign_actors.watch.ports import Figures, Settled
from docalign_actors.watch.recurrence import Never, Recurrence, next_time, parse, period, phase_of, words
from docalign_actors.watch.views import CircuitMoveView, CircuitView, ScheduleView, TroubledView, WatchLine

_HISTORY = 50
_LONG = 0.2
"""The share of the window after which what is due is long due."""


class PostgresWatchStore:
    """`github`: whether the GitHub App runs, and looks at the heads of its own repositories."""

    def __init__(self, database: Database, numbers: Numbers, rules: Rules, *, github: bool = False) -> None:
        self._database = database
        self._numbers = numbers
        self._rules = rules
        self._github = github

    # For the actors

    def spread(self, now: datetime, numbers: Numbers, window: float) -> int:
        pause = timedelta(seconds=self._rules.pause)
        values = {
            "now": now, "long_ago": now - timedelta(seconds=window * _LONG), "window": timedelta(seconds=window),
            "checks": not isinstance(numbers.check, Never), "fulls": not isinstance(numbers.full, Never), "pause": pause,
            "github": self._github,
        }  # fmt: skip

        def unit(connection: Connection) -> int:
            own = [rule for (rule,) in connection.execute(query("watch_rules")).fetchall()]
            lengths = [_length(parse(rule)) for rule in own]
            rules = {
                "rules": ["", *own], "check_periods": [_length(numbers.check), *lengths],
                "full_periods": [_length(numbers.full), *lengths],
            }  # fmt: skip
            connection.execute(query("circuits_shorten"), {"latest": now + pause})
            return connection.execute(query("watch_spread"), {**values, **rules}).rowcount

        return self._database.run(unit)

    def due(self, now: datetime, under_way: Collection[RepoId], most: int) -> list[Due]:
        rows = self._rows("watch_due", now=now, under_way=list(under_way), most=most, github=self._github)
        return [_due(row) for row in rows]

    def next_due(self, under_way: Collection[RepoId]) -> datetime | None:
        rows = self._rows("watch_next_due", under_way=list(under_way))
        found: datetime | None = rows[0]["min"]
        return found

    def let_through(self, repo: RepoId, now: datetime) -> CircuitMoved | None:
        return self._database.run(lambda c: let_one_through(c, repo, self._rules, now))

    def settle(self, results: Sequence[Settled], now: datetime) -> list[CircuitMoved]:
        looked = [(one.due.repo_id, one.looked) for one in results if one.looked is not None and _counts(one)]

        def unit(connection: Connection) -> list[CircuitMoved]:
            moved = apply(connection, looked, self._rules, now) if looked else []
            connection.execute(query("watch_settle"), _columns(results))
            return moved

        return self._database.run(unit)

    def count_scans(self, now: datetime, most: int) -> tuple[int, list[CircuitMoved]]:
        def unit(connection: Connection) -> tuple[int, list[CircuitMoved]]:
            rows = connection.execute(query("circuits_inbox"), {"most": most}).fetchall()
            if not rows:
                return 0, []
            # The repositories first: who removes one holds it, and then waits for what is in here of it.
            connection.execute(query("watch_lock_repos"), {"repos": sorted({row[1] for row in rows})})
            taken = connection.execute(query("circuits_counted"), {"ids": [row[0] for row in rows]}).fetchall()
            mine = {row[0] for row in taken}
            happened = [
                (RepoId(repo), _happening(kind, code, error)) for i, repo, kind, code, error in rows if i in mine
            ]
            return len(rows), apply(connection, happened, self._rules, now)

        return self._database.run(unit)

    def figures(self, now: datetime) -> Figures:
        def unit(connection: Connection) -> Figures:
            cursor = connection.cursor(row_factory=struct_row(Figures))
            return cursor.execute(query("watch_figures"), {"now": now}).fetchall()[0]

        return self._database.run(unit)

    # For people

    def schedule(self, repo: UUID) -> ScheduleView:
        rows = self._rows("watch_schedule", repo=repo, github=self._github)
        if not rows:
            raise UnknownRepositoryError
        row, numbers = rows[0], self._numbers
        return ScheduleView(
            repo_id=repo, check=row["check_rule"] or words(numbers.check), full=row["full_rule"] or words(numbers.full),
            own_check=bool(row["check_rule"]), own_full=bool(row["full_rule"]), elsewhere=row["elsewhere"],
            next_check_at=row["check_at"], next_full_at=row["full_at"], last_look_at=row["looked_at"],
            last_head=row["head_sha"], last_branch=row["branch"], last_error=row["look_error"],
        )  # fmt: skip

    def set_schedule(self, repo: UUID, check: str | None, full: str | None, now: datetime) -> None:
        """Sets rules in words; "" gives a rule back to the service's, None leaves it as it is."""
        phase = phase_of(repo)
        own_check, own_full = _own(check), _own(full)
        values = {
            "repo": repo, "check_rule": None if check is None else words(own_check) if own_check else "",
            "full_rule": None if full is None else words(own_full) if own_full else "",
            "check_at": next_time(own_check or self._numbers.check, now, phase),
            "full_at": next_time(own_full or self._numbers.full, now, phase),
        }  # fmt: skip
        if not self._database.run(lambda c: c.execute(query("watch_set_rules"), values).rowcount):
            raise UnknownRepositoryError

    def lines(self, repos: Sequence[UUID]) -> dict[UUID, WatchLine]:
        """Those of these repositories that are watched or in trouble."""
        numbers = self._numbers
        found = [
            WatchLine(
                repo_id=row["repo_id"], check=row["check_rule"] or words(numbers.check),
                full=row["full_rule"] or words(numbers.full), due_at=row["due_at"], circuit=row["circuit"],
            )
            for row in self._rows("watch_lines", repos=list(repos))
        ]  # fmt: skip
        return {line.repo_id: line for line in found}

    def circuit(self, repo: UUID) -> CircuitView:
        def unit(connection: Connection) -> CircuitView:
            cursor = connection.cursor(row_factory=dict_row)
            if cursor.execute(query("watch_registered"), {"repo": repo}).fetchone() is None:
                raise UnknownRepositoryError
            row = cursor.execute(query("circuits_one"), {"repo": repo}).fetchone()
            moves = connection.cursor(row_factory=struct_row(CircuitMoveView))
            history = moves.execute(query("circuits_history"), {"repo": repo, "most": _HISTORY}).fetchall()
            return _circuit_view(repo, row or {}, history, self._rules)

        return self._database.run(unit)

    def reset_circuit(self, repo: UUID, cause: str, now: datetime) -> CircuitMoved | None:
        return self._database.run(lambda c: reset(c, RepoId(repo), cause, now))

    def troubled(self, most: int) -> list[TroubledView]:
        """The circuits that are not closed, the newest first."""

        def unit(connection: Connection) -> list[TroubledView]:
            cursor = connection.cursor(row_factory=struct_row(TroubledView))
            return cursor.execute(query("circuits_not_closed"), {"most": most}).fetchall()

        return self._database.run(unit)

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(name), values).fetchall()

        return self._database.run(unit)


def _due(row: Mapping[str, Any]) -> Due:
    return Due(
        repo_id=RepoId(row["repo_id"]), url=row["url"], due_at=row["due_at"], check_at=row["check_at"], full_at=row["full_at"],
        check=parse(row["check_rule"]) if row["check_rule"] else None,
        full=parse(row["full_rule"]) if row["full_rule"] else None,
        seen_head=row["seen_head"], scanned_head=row["scanned_head"], scanned_branch=row["scanned_branch"],
        scanned=row["scanned"], busy=row["busy"], elsewhere=row["elsewhere"], failed_code=row["failed_code"],
        followed=dict(zip(row["followed"] or (), row["told"] or (), strict=True)),
        failed_at=row["failed_at"], circuit=circuit_of(row),
    )  # fmt: skip


def _counts(one: Settled) -> bool:
    """A look that succeeds tells a circuit without a failure nothing new."""
    return isinstance(one.looked, Failed) or one.due.circuit.failures > 0


def _columns(results: Sequence[Settled]) -> dict[str, Any]:
    failed = [one.looked.error if isinstance(one.looked, Failed) else None for one in results]
    return {
        "repos": [one.due.repo_id for one in results],
        "check_rules": [words(one.due.check) if one.due.check else "" for one in results],
        "full_rules": [words(one.due.full) if one.due.full else "" for one in results],
        "check_at": [one.plan.check_at for one in results],
        "full_at": [one.plan.full_at for one in results],
        "checks_were": [one.due.check_at for one in results],
        "fulls_were": [one.due.full_at for one in results],
        "heads": [one.head.sha if one.head else None for one in results],
        "branches": [one.head.branch[:400] if one.head else None for one in results],
        "looked_at": [one.looked_at for one in results],
        "errors": [(error or "") if one.looked else None for one, error in zip(results, failed, strict=True)],
    }


def _happening(kind: str, code: str, error: str) -> Happening:
    match kind:
        case "worked":
            return Worked(Origin.SCAN)
        case "failed":
            return Failed(Origin.SCAN, code, error)
        case "asked":
            return Asked()
    return CameToNothing()


def _own(text: str | None) -> Recurrence | None:
    return parse(text) if text else None


def _length(rule: Recurrence) -> timedelta:
    return timedelta(seconds=period(rule))


def _circuit_view(repo: UUID, row: Mapping[str, Any], history: list[CircuitMoveView], rules: Rules) -> CircuitView:
    return CircuitView(
        repo_id=repo, state=row.get("state", "closed"), failures=row.get("failures", 0), opens_at=rules.failures,
        since=row.get("changed_at"), open_until=row.get("open_until"), error_code=row.get("error_code", ""),
        error=row.get("error", ""), history=history,
    )  # fmt: skip
