"""What agents decided, kept for later scans."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from psycopg.types.json import Jsonb

from docalign_actors.persistence.database import Connection, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RunId
from docalign_actors.scans.referrals import RememberedVerdict

_MOST = 2_000


def read_verdicts(connection: Connection, repo: UUID, after: datetime) -> list[RememberedVerdict]:
    """Those of a repository that are not too old, the newest of them."""
    values = {"repo": repo, "after": after, "limit": _MOST}
    cursor = connection.cursor(row_factory=struct_row(RememberedVerdict))
    return cursor.execute(query("verdicts_of"), values).fetchall()


def keep_verdicts(
    connection: Connection, run: RunId, repo: UUID, verdicts: Sequence[RememberedVerdict], remembered: int
) -> None:  # fmt: skip
    """In the transaction that ends a run."""
    if verdicts:
        # A claim that several documents make in the same words has one verdict.
        rows = {one.claim_key: msgspec.to_builtins(one) for one in verdicts}
        connection.execute(query("verdicts_keep"), {"repo": repo, "verdicts": Jsonb([*rows.values()])})
    if remembered:
        connection.execute(query("verdicts_count"), {"run": run, "remembered": remembered})
