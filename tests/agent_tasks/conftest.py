"""One database for all tests here, emptied for each: a fresh one would take longer than the tests themselves."""

from __future__ import annotations

from tests.support.database import emptied, shared_database

__all__ = ["shared_database"]
EMPTY = "TRUNCATE agent_tasks, agent_task_results, agent_task_artifacts, agent_subscriptions, outbox, outbox_lanes, tokens CASCADE"
database = emptied(EMPTY)
