"""The real application on a real PostgreSQL and a real actor system; only the ingest actor is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.database import Database
from tests.http.house import House
from tests.support.database import create_database, drop_database
from tests.support.repository import Repository

EMPTY = "DELETE FROM applications; DELETE FROM repos; DELETE FROM tokens; DELETE FROM actor_incidents; DELETE FROM deliveries; DELETE FROM rate_counters"


@pytest.fixture(scope="package")
def shared_database() -> Iterator[Database]:
    """One database for all tests here: a fresh one for each would take longer than the tests themselves."""
    url = create_database()
    with Database(url) as database:
        yield database
    drop_database(url)


@pytest.fixture
def database(shared_database: Database) -> Database:
    """The shared database, emptied."""
    with shared_database.transaction() as connection:
        connection.execute(EMPTY)
    return shared_database


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database) as opened:
        yield opened


@pytest.fixture
def git_folder(repository: Callable[[dict[str, str | bytes]], Repository]) -> Path:
    """The path of a git repository."""
    return repository({"README.md": "# Title\n"}).root
