"""Which repositories are registered."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from docalign_actors.clock import Clock, SystemClock
from docalign_actors.ids import new_id
from docalign_actors.persistence.circuits import reset
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import query
from docalign_actors.scans.addresses import Address
from docalign_actors.scans.model import RepoId, RunId


class Registered(Struct, frozen=True):
    """A registered repository; `created`: it was not there before."""

    id: RepoId
    created: bool


class OpenRun(Struct, frozen=True):
    """A run that was open when its repository was removed."""

    id: RunId
    type: str


class Removed(Struct, frozen=True):
    """What a removal ended at once, and what it asked to stop."""

    cancelled: tuple[OpenRun, ...]
    stopping: tuple[OpenRun, ...]


class RepoStore:
    """Registers and removes repositories."""

    def __init__(
        self,
        database: Database,
        forget: Callable[[UUID, bool], None] = lambda repo, running: None,
        clock: Clock | None = None,
    ) -> None:
        """`forget`: removes what lies outside the database; it is told whether a scan was still running."""
        self._database = database
        self._forget = forget
        self._clock = clock or SystemClock()

    def register(self, address: Address) -> Registered:
        """Registers an address; one that is registered already keeps its id, and its circuit is closed."""
        own = new_id()
        values = {
            "id": own,
            "host": "git",
            "url": address.url,
            "name": address.name,
            "organisation": address.organisation,
        }

        def unit(connection: Connection) -> UUID:
            for _ in range(3):  # it may be removed between the two statements
                connection.execute(query("repos_insert"), values)
                row = connection.execute(query("repos_by_url"), {"url": address.url}).fetchone()
                if row is not None:
                    break
            else:
                raise AssertionError("an address is registered and removed all the time")
            found: UUID = row[0]
            if found != own:
                reset(connection, RepoId(found), "it was registered again", self._clock.now())
            return found

        found = self._database.run(unit)
        return Registered(RepoId(found), found == own)

    def remove(self, repo: RepoId) -> Removed | None:
        """Removes a repository with all that is open in it, in one transaction. None if there is none."""

        def unit(connection: Connection) -> Removed | None:
            values = {"id": repo}
            if connection.execute(query("repos_remove"), values).fetchone() is None:
                return None
            cancelled = connection.execute(query("repos_cancel_queued"), values).fetchall()
            stopping = connection.execute(query("repos_stop_running"), values).fetchall()
            return Removed(_runs(cancelled), _runs(stopping))

        removed = self._database.run(unit)
        if removed is not None:
            self._forget(repo, bool(removed.stopping))
        return removed


def _runs(rows: list[tuple[object, ...]]) -> tuple[OpenRun, ...]:
    return tuple(OpenRun(RunId(run), kind) for run, kind in rows)  # type: ignore[arg-type]
