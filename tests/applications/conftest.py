"""Applications, and receivers that are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.database import Database
from tests.applications.receiver_process import ReceiverProcess
from tests.applications.world import World


@pytest.fixture
def make_world(database: Database, tmp_path: Path) -> Iterator[Callable[..., World]]:
    made: list[World] = []

    def make(**numbers: int) -> World:
        made.append(World(database, tmp_path, **numbers))
        return made[-1]

    yield make
    for world in made:
        world.stop()


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world()


@pytest.fixture(scope="package")
def receivers() -> Iterator[ReceiverProcess]:
    """One process for all tests; each has paths of its own."""
    made = ReceiverProcess()
    yield made
    made.close()


@pytest.fixture
def path(request: pytest.FixtureRequest) -> str:
    """A receiver that no other test has."""
    return str(request.node.name)
