"""A spine whose scans are stepped by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docalign_actors.persistence.database import Database
from docalign_actors.scans import waiting_room
from docalign_actors.scans.assembly import ScanNumbers
from tests.referrals.waiting import (
    QUICK,
)
from tests.support.spine import Spine, SteppedProcesses


@pytest.fixture
def processes() -> SteppedProcesses:
    return SteppedProcesses()


@pytest.fixture
def no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests wait for comes by message: nobody looks of their own accord."""
    monkeypatch.setattr(waiting_room, "_NET", 3_600.0)


@pytest.fixture
def make_spine(database: Database, processes: SteppedProcesses) -> Iterator[Callable[..., Spine]]:
    made: list[Spine] = []

    def make(**numbers: Any) -> Spine:
        made.append(Spine(database, processes, ScanNumbers(**{"rules": QUICK, **numbers})))
        return made[-1]

    yield make
    for spine in made:
        spine.stop()


@pytest.fixture
def spine(make_spine: Callable[..., Spine]) -> Spine:
    return make_spine()
