"""Circuits in PostgreSQL: read under a lock, moved by the pure rules, written with their history in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from docalign_actors.persistence.database import Connection
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId
from docalign_actors.watch.circuit import (
    CLEAN,
    Circuit,
    Happening,
    Origin,
    Reset,
    Rules,
    State,
    after,
    cause_of,
    let_through,
)
from docalign_actors.watch.events import CircuitMoved

_SCHEDULED = "the pause is over"


def apply(
    connection: Connection, happenings: Sequence[tuple[RepoId, Happening]], rules: Rules, now: datetime
) -> list[CircuitMoved]:
    """Moves circuits by what happened, in this order. Repositories that are removed have none."""
    known = _lock(connection, [repo for repo, _ in happenings])
    moved = []
    for repo, happening in happenings:
        before = known.get(repo)
        if before is None:
            continue
        known[repo] = after(before, happening, rules, now)
        moved.append(_write(connection, repo, before, known[repo], cause_of(happening), now))
    return [one for one in moved if one is not None]


def reset(connection: Connection, repo: RepoId, cause: str, now: datetime) -> CircuitMoved | None:
    """Closes a circuit, and has the repository looked at as soon as may be. Nothing happens to one without a failure."""
    known = _lock(connection, [repo])
    if known.get(repo, CLEAN) == CLEAN:
        return None
    connection.execute(query("watch_look_now"), {"repo": repo, "now": now})
    moved = apply(connection, [(repo, Reset(cause))], Rules(), now)
    return moved[0] if moved else None


def let_one_through(connection: Connection, repo: RepoId, rules: Rules, now: datetime) -> CircuitMoved | None:
    before = _lock(connection, [repo]).get(repo, CLEAN)
    return _write(connection, repo, before, let_through(before, rules, now), _SCHEDULED, now)


def circuit_of(row: Mapping[str, Any]) -> Circuit:
    """The circuit in a row; a clean one where the row has none."""
    if row["state"] is None:
        return CLEAN
    return Circuit(
        state=State(row["state"]), failures=row["failures"], origin=Origin(row["origin"]) if row["origin"] else None,
        open_until=row["open_until"], trial_until=row["trial_until"], error_code=row["error_code"], error=row["error"],
    )  # fmt: skip


def _lock(connection: Connection, repos: Sequence[RepoId]) -> dict[RepoId, Circuit]:
    """The circuits of those that are registered. The repositories are held, so that none is removed meanwhile."""
    wanted = {"repos": sorted(set(repos))}
    there = connection.execute(query("watch_lock_repos"), wanted).fetchall()
    rows = connection.cursor(row_factory=dict_row).execute(query("circuits_lock"), wanted).fetchall()
    known = {RepoId(row["repo_id"]): circuit_of(row) for row in rows}
    return {RepoId(row[0]): known.get(RepoId(row[0]), CLEAN) for row in there}


def _write(
    connection: Connection, repo: RepoId, before: Circuit, now_is: Circuit, cause: str, now: datetime
) -> CircuitMoved | None:
    if before == now_is:
        return None
    if now_is == CLEAN:
        connection.execute(query("circuits_forget"), {"repo": repo})
    else:
        values = {
            "repo": repo, "state": now_is.state.value, "failures": now_is.failures,
            "origin": now_is.origin.value if now_is.origin else None, "open_until": now_is.open_until,
            "trial_until": now_is.trial_until, "error_code": now_is.error_code, "error": _clean(now_is.error), "now": now,
        }  # fmt: skip
        connection.execute(query("circuits_write"), values)
    if before.state is now_is.state:
        return None
    # What it recovers from is told with the recovery.
    told = now_is if now_is.failures else before
    noted = {
        "repo": repo, "now": now, "before": before.state.value, "after": now_is.state.value, "cause": cause,
        "failures": told.failures, "error_code": told.error_code, "error": _clean(told.error),
    }  # fmt: skip
    row = connection.execute(query("circuits_note"), noted).fetchone()
    return CircuitMoved(
        row[0] if row else 0, repo, now, before.state.value, now_is.state.value, cause, told.failures, told.error_code,
        told.error,
    )  # fmt: skip


def _clean(text: str) -> str:
    return text[:1_000].replace("\0", "\N{REPLACEMENT CHARACTER}")
