"""What is not reported in a repository, and what of it is paused: shown, added, taken back."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from docalign_actors.github.deciding import Suppress
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.github_commands import suppress
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.views import PauseView, SuppressionView

MOST = 500
_SOMEBODY = "somebody"


class SuppressionStore:
    """Every method is one transaction and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holding(self, repo: UUID, now: datetime) -> list[SuppressionView]:
        """Those that hold, newest first."""

        def unit(connection: Connection) -> list[SuppressionView]:
            cursor = connection.cursor(row_factory=struct_row(SuppressionView))
            return cursor.execute(query("suppressions_list"), {"repo": repo, "now": now, "limit": MOST}).fetchall()

        return self._database.run(unit)

    def add(self, repo: UUID, author: str, wanted: Suppress) -> SuppressionView | None:
        """One that is there already gets the new reason and end. None if there is no such repository. Open pull requests that it
        touches are looked at again."""

        def unit(connection: Connection) -> SuppressionView | None:
            if connection.execute(query("repos_exists"), {"id": repo}).fetchone() is None:
                return None
            known = {"repo": repo, "id": suppress(connection, RepoId(repo), author, wanted)}
            connection.execute(query("suppressions_describe"), known)
            touched = {"repo": repo, "author": author or _SOMEBODY, "scope": wanted.scope, "value": wanted.value}
            connection.execute(query("suppressions_touch"), touched)
            return connection.cursor(row_factory=struct_row(SuppressionView)).execute(
                query("suppressions_one"), known
            ).fetchone()  # fmt: skip

        return self._database.run(unit)

    def remove(self, repo: UUID, suppression: UUID, author: str) -> bool:
        """False if there is none such."""
        values = {"repo": repo, "ids": [suppression], "author": author}

        def unit(connection: Connection) -> bool:
            connection.execute(query("commands_forget_dismissals"), {"ids": [suppression]})
            revoked = bool(connection.execute(query("suppressions_revoke"), values).rowcount)
            if revoked:
                connection.execute(query("suppressions_untouch"), {"repo": repo, "author": author or _SOMEBODY})
            return revoked

        return self._database.run(unit)

    def pauses(self, repo: UUID) -> list[PauseView]:
        """The repository's own first."""

        def unit(connection: Connection) -> list[PauseView]:
            cursor = connection.cursor(row_factory=struct_row(PauseView))
            return cursor.execute(query("suppressions_pauses"), {"repo": repo}).fetchall()

        return self._database.run(unit)

    def resume(self, repo: UUID, number: int, author: str) -> bool:
        """Ends a pause; number 0: the repository's own. What it kept from being checked is looked at. False if there is none."""
        values = {"repo": repo, "number": number, "author": author or _SOMEBODY}

        def unit(connection: Connection) -> bool:
            if not connection.execute(query("commands_release"), values).rowcount:
                return False
            connection.execute(query("suppressions_resume"), values)
            return True

        return self._database.run(unit)
