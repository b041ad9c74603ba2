from collections.abc import Iterator

import pytest

from tests.supervision.kit import World
from tests.support.clock import ManualClock


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    yield world
    assert world.system.stop(2.0) == []
    assert world.under_lock == []


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def still(clock: ManualClock) -> Iterator[World]:
    """A world in which time passes only by hand."""
    world = World(clock)
    clock.on_advance(world.system.wake)
    yield world
    clock.advance(0)
    world.system.stop(0.0)
    assert world.under_lock == []
