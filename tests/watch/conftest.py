"""The watcher over a real database and real git repositories; only time is moved by hand, and scans end when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.database import Database
from tests.support.database import create_database, drop_database
from tests.watch.lookout import Lookout


@pytest.fixture(scope="package")
def shared_database() -> Iterator[Database]:
    """One database for all tests here: a fresh one for each would take longer than the tests themselves."""
    url = create_database()
    with Database(url) as database:
        yield database
    drop_database(url)


@pytest.fixture
def database(shared_database: Database) -> Database:
    with shared_database.transaction() as connection:
        connection.execute("DELETE FROM repos")
    return shared_database


@pytest.fixture
def make_lookout(database: Database, tmp_path: Path) -> Iterator[Callable[..., Lookout]]:
    made: list[Lookout] = []

    def make(**values: object) -> Lookout:
        made.append(Lookout(database, tmp_path, **values))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for lookout in made:
        lookout.stop()


@pytest.fixture
def lookout(make_lookout: Callable[..., Lookout]) -> Lookout:
    return make_lookout()
