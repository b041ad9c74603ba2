"""One database for all tests here, emptied for each: a fresh one would take longer than the tests themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docalign_actors.persistence.database import Database
from tests.support.database import create_database, drop_database

EMPTY = "TRUNCATE agent_tasks, agent_task_results, agent_task_artifacts, agent_subscriptions, outbox, outbox_lanes, tokens CASCADE"


@pytest.fixture(scope="package")
def shared_database() -> Iterator[Database]:
    url = create_database()
    with Database(url) as database:
        yield database
    drop_database(url)


@pytest.fixture
def database(shared_database: Database) -> Database:
    with shared_database.transaction() as connection:
        connection.execute(EMPTY)
    return shared_database
