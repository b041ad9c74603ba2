"""The real application on a real PostgreSQL and a real actor system; only the ingest actor is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.database import Database
from tests.http.house import House
from tests.support.repository import Repository


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database) as opened:
        yield opened


@pytest.fixture
def git_folder(repository: Callable[[dict[str, str | bytes]], Repository]) -> Path:
    """The path of a git repository."""
    return repository({"README.md": "# Title\n"}).root
