"""What is written down for subscribers in the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from docalign_actors.persistence.database import Connection
from docalign_actors.persistence.sql import query


def score_before(connection: Connection, repo: UUID) -> int | None:
    """A repository's health before a scan is written. Whoever wants to subscribe waits until that is done."""
    row = connection.execute(query("journal_before"), {"repo": repo}).fetchone()
    return row[0] if row is not None else None


def note_scan(
    connection: Connection, run: UUID, repo: UUID, facts: Mapping[str, Any], health: Mapping[str, Any], before: Iterable[str],
    score: int | None,
) -> None:  # fmt: skip
    """What a scan of a branch changed. `before`: the claims known to be false; `score`: the health, both as they were."""
    values = {
        "repo": repo, "run": run, "branch": facts["branch"], "head": facts["head"], "before": list(before),
        "score_before": score, **health,
    }  # fmt: skip
    connection.execute(query("journal_note_scan"), values)


def note_breaker(
    connection: Connection, repo: UUID, *, opened: bool, failures: int, error: str = "", until: datetime | None = None
) -> None:  # fmt: skip
    """A repository's circuit breaker opened or closed: to be called in the transaction that does so."""
    data = {
        "state": "opened" if opened else "closed", "failures": failures, "error": error[:1000].replace("\0", " "),
        "until": until.isoformat(timespec="seconds") if until is not None else None,
    }  # fmt: skip
    connection.execute(query("journal_note_breaker"), {"repo": repo, "data": Jsonb(data)})
