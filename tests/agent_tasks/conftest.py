from __future__ import annotations

from collections.abc import Iterator

import pytest

from docalign_actors.persistence.database import Database
from tests.agent_tasks.wire import WireHouse


@pytest.fixture
def house(database: Database) -> Iterator[WireHouse]:
    with WireHouse(database) as opened:
        yield opened
