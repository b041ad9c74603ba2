"""What people and clients read of the database: one statement a question, and every list a page at a time.

A page ends with the key of its last row; the next one begins after it. So a list that grows at its other end while
somebody reads it neither repeats nor leaves out a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.github.views import DeliveryView
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.scans.health import HealthPoint, trend
from docalign_actors.scans.views import (
    ClaimView,
    EventView,
    FindingView,
    HealthPointView,
    HealthView,
    IncidentView,
    RepoView,
    RunView,
)

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

BIGGEST = 2**63 - 1
_HEALTH_POINTS = 200
_END_OF_TIME = datetime(9999, 12, 31, tzinfo=UTC)
_LAST_ID = UUID(int=2**128 - 1)


class Slice(Struct, Generic[T], frozen=True):
    """A page of a list. `after` is the key of its last row where there is more, None where there is not."""

    items: list[T]
    after: tuple[Any, ...] | None = None


class _FindingRow(Struct, frozen=True):
    position: int
    is_new: bool
    finding: dict[str, Any]


class _Status(Struct, frozen=True):
    status: str


class Views:
    """The questions. Each is one transaction and may be asked from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def trouble(self) -> list[str]:
        """Nothing, if the database answers; otherwise it raises."""
        self._database.run(lambda c: c.execute(query("views_ping")))
        return []

    def repos(self, limit: int, after: tuple[datetime, UUID] | None = None) -> Slice[RepoView]:
        """Newest first."""
        at, last = after or (_END_OF_TIME, _LAST_ID)
        rows = self._rows(RepoView, "repos", at=at, id=last, limit=limit + 1)
        return _cut(rows, limit, lambda r: (r.created_at, r.id))

    def repo(self, repo: UUID) -> RepoView | None:
        return self._one(RepoView, "repo", id=repo)

    def runs(
        self, limit: int, before: int | None = None, *, repo: UUID | None = None, status: str | None = None
    ) -> Slice[RunView]:
        """Newest first; of one repository, or in one status, or both."""
        place = BIGGEST if before is None else before
        rows = self._rows(RunView, "runs", before=place, repo=repo, status=status, limit=limit + 1)
        return _cut(rows, limit, lambda r: (r.position,))

    def run(self, run: UUID) -> RunView | None:
        return self._one(RunView, "run", id=run)

    def run_status(self, run: UUID) -> str | None:
        found = self._one(_Status, "run_status", id=run)
        return found.status if found is not None else None

    def findings(self, run: UUID, limit: int, after: int = 0) -> Slice[FindingView]:
        """In the order of the report."""
        rows = self._rows(_FindingRow, "findings", run=run, after=after, limit=limit + 1)
        cut = _cut(rows, limit, lambda r: (r.position,))
        return Slice([_finding(row) for row in cut.items], cut.after)

    def events(self, run: UUID, after: int = 0, limit: int = 200) -> list[EventView]:
        return self._rows(EventView, "events", run=run, after=after, limit=limit)

    def claims(
        self, repo: UUID, limit: int, after: tuple[str, int, str] | None = None, *, verdict: str | None = None
    ) -> Slice[ClaimView]:
        """In the order of the documents; with one verdict, or all."""
        file, line, fingerprint = after or ("", 0, "")
        place = {"file": file, "line": line, "fingerprint": fingerprint}
        rows = self._rows(ClaimView, "claims", repo=repo, verdict=verdict, limit=limit + 1, **place)
        return _cut(rows, limit, lambda r: (r.file, r.line, r.fingerprint))

    def health(self, repo: UUID) -> HealthView:
        """Now, the trend, and the last points, newest first."""
        points = self._rows(HealthPointView, "health", repo=repo, limit=_HEALTH_POINTS)
        known = [HealthPoint(p.at.isoformat(), p.score, p.total, p.verified, p.drifted) for p in points]
        return HealthView(repo_id=repo, score=points[0].score if points else None, trend=trend(known), history=points)

    def incidents(self, limit: int, before: int | None = None) -> Slice[IncidentView]:
        """Newest first."""
        rows = self._rows(IncidentView, "incidents", before=BIGGEST if before is None else before, limit=limit + 1)
        return _cut(rows, limit, lambda r: (r.id,))

    def webhook_trouble(self, limit: int, before: int) -> Slice[DeliveryView]:
        """Newest first."""
        return _cut(
            self._rows(DeliveryView, "webhook_trouble", before=before, limit=limit + 1), limit, lambda r: (r.position,)
        )

    def _rows(self, kind: type[S], name: str, **values: object) -> list[S]:
        def unit(connection: Connection) -> list[S]:
            cursor = connection.cursor(row_factory=struct_row(kind))
            return cursor.execute(query(f"views_{name}"), values, prepare=False).fetchall()

        return self._database.run(unit)

    def _one(self, kind: type[S], name: str, **values: object) -> S | None:
        rows = self._rows(kind, name, **values)
        return rows[0] if rows else None


def _cut(rows: Sequence[T], limit: int, key: Callable[[T], tuple[Any, ...]]) -> Slice[T]:
    """One row more than the page holds was asked for, to learn whether there is a next page."""
    items = list(rows[:limit])
    return Slice(items, key(items[-1]) if len(rows) > limit else None)


def _finding(row: _FindingRow) -> FindingView:
    """The place of a finding is that of its first mention."""
    first = (row.finding.get("mentions") or [{}])[0]
    place = {key: first.get(key, 0 if key != "file" else "") for key in ("file", "line", "column")}
    return msgspec.convert({**place, **row.finding, "new": row.is_new}, FindingView)
