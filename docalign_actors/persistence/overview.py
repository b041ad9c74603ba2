"""What the pages read beyond the API's own views: everything at a glance, one statement a question, however long the list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query
from docalign_actors.scans.views import FindingView, RepoView, RunView

S = TypeVar("S", bound=Struct)

SCORES = 12
"""Points of a repository's line in a list."""


class Figures(Struct, frozen=True):
    """repos: registered; drifted: false claims in all of them; waiting: runs."""

    repos: int
    drifted: int
    waiting: int


class _Scores(Struct, frozen=True):
    repo_id: UUID
    scores: list[int | None]


class _Name(Struct, frozen=True):
    id: UUID
    name: str


class _Drifted(Struct, frozen=True):
    id: str
    rule: str
    kind: str
    severity: str
    confidence: float
    file: str
    line: int
    claim: str
    message: str
    mentions: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    fix: dict[str, Any] | None


class OverviewViews:
    """The questions. Each is one transaction and may be asked from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def figures(self) -> Figures:
        return self._rows(Figures, "figures")[0]

    def repos(self, limit: int) -> list[RepoView]:
        """Those that most need somebody to look."""
        return self._rows(RepoView, "repos", limit=limit)

    def waiting(self, limit: int) -> list[RunView]:
        """The longest waiting first."""
        return self._rows(RunView, "waiting", limit=limit)

    def scores(self, repos: Iterable[UUID]) -> Mapping[UUID, list[int | None]]:
        """The last scores of each, oldest first; repositories without any are left out."""
        rows = self._rows(_Scores, "scores", repos=list(repos), limit=SCORES)
        return {row.repo_id: row.scores for row in rows}

    def names(self, repos: Iterable[UUID]) -> Mapping[str, str]:
        """Names by id."""
        return {str(row.id): row.name for row in self._rows(_Name, "names", repos=list(repos))}

    def drifted(self, repo: UUID, limit: int) -> list[FindingView]:
        """The false claims of a default branch, the worst first."""
        return [_finding(row) for row in self._rows(_Drifted, "drifted", repo=repo, limit=limit)]

    def _rows(self, kind: type[S], name: str, **values: object) -> list[S]:
        def unit(connection: Connection) -> list[S]:
            cursor = connection.cursor(row_factory=struct_row(kind))
            return cursor.execute(query(f"overview_{name}"), values).fetchall()

        return self._database.run(unit)


def _finding(row: _Drifted) -> FindingView:
    column = row.mentions[0].get("column", 1) if row.mentions else 1
    return FindingView(**msgspec.structs.asdict(row), column=column, new=False)
