"""What is written down for subscribers in the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

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
