"""The watcher over a real database and real git repositories; only time is moved by hand, and scans end when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.database import Database
from tests.watch.lookout import Lookout


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
