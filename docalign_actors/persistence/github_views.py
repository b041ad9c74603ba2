"""What an operator reads of the GitHub App, and asks for."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar
from uuid import UUID

from msgspec import Struct

from docalign_actors.github.views import CheckView, InstallationView, LastFixView, PausedView
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query

S = TypeVar("S", bound=Struct)


class GitHubViews:
    """The questions. Each is one transaction and may be asked from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def installations(self, most: int) -> list[InstallationView]:
        return self._rows(InstallationView, "github_seen_installations", most=most)

    def failing_checks(self, now: datetime, most: int) -> list[CheckView]:
        """The longest first."""
        return self._rows(CheckView, "github_failing_checks", now=now, most=most)

    def pauses(self, most: int) -> list[PausedView]:
        """What people have paused, newest first."""
        return self._rows(PausedView, "github_all_pauses", most=most)

    def fixes(self, most: int) -> list[LastFixView]:
        """The last ones that were asked for."""
        return self._rows(LastFixView, "github_last_fixes", most=most)

    def try_again(self, repo: UUID, number: int, sha: str) -> bool:
        """Whether there was something to try."""
        return self._done("github_try_again", repo=repo, number=number, sha=sha)

    def carry_out_again(self, position: int) -> bool:
        """Whether there was a delivery that had failed."""
        return self._done("github_carry_out_again", position=position)

    def _done(self, name: str, **values: object) -> bool:
        return self._database.run(lambda c: c.execute(query(name), values).fetchone()) is not None

    def _rows(self, kind: type[S], name: str, **values: object) -> list[S]:
        def unit(connection: Connection) -> list[S]:
            return connection.cursor(row_factory=struct_row(kind)).execute(query(name), values).fetchall()

        return self._database.run(unit)
