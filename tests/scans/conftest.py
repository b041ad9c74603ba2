from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from docalign_actors.persistence.database import Database
from docalign_actors.scans.assembly import ScanNumbers
from tests.support.spine import Spine, SteppedProcesses


@pytest.fixture
def processes() -> SteppedProcesses:
    return SteppedProcesses()


@pytest.fixture
def make_spine(database: Database, processes: SteppedProcesses) -> Iterator[Callable[..., Spine]]:
    """Starts the actors; they are stopped after the test."""
    made: list[Spine] = []

    def make(numbers: ScanNumbers | None = None) -> Spine:
        made.append(Spine(database, processes, numbers))
        return made[-1]

    yield make
    for spine in made:
        spine.stop()


@pytest.fixture
def spine(make_spine: Callable[..., Spine]) -> Spine:
    return make_spine()
