"""What scans ask of the task queue besides what everybody does: new tasks announced, unwanted ones withdrawn, results checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from docalign_actors.agent_tasks import outcomes
from docalign_actors.agent_tasks.errors import TaskError
from docalign_actors.agent_tasks.messages import Submit
from docalign_actors.agent_tasks.model import Task
from docalign_actors.persistence.database import Connection, struct_row
from docalign_actors.persistence.sql import query

_MOST = 500


def announce(connection: Connection) -> list[tuple[str, str, int]]:
    """How many tasks scans have made since the last time, by tenant and command."""
    return connection.execute(query("tasks_announce"), {"limit": _MOST}).fetchall()


def withdraw(connection: Connection, now: datetime) -> list[Task]:
    """Ends the open tasks of scans that have gone on without them."""
    cursor = connection.cursor(row_factory=struct_row(Task))
    return cursor.execute(query("tasks_withdraw"), {"now": now, "limit": _MOST}).fetchall()


def unfit(connection: Connection, ops: Sequence[Submit], now: datetime) -> dict[int, TaskError]:
    """Results of scans' tasks that say nothing which could be used: they are refused, and the lease stays."""
    ids = [op.task for op in ops if op.result is not None]
    if not ids:
        return {}
    cursor = connection.cursor(row_factory=struct_row(Task))
    tasks = {task.id: task for task in cursor.execute(query("tasks_asked_by_scans"), {"ids": ids}).fetchall()}
    found: dict[int, TaskError] = {}
    for number, op in enumerate(ops):
        task = tasks.get(op.task)
        if task is None or op.result is None or task.tenant_id != op.tenant or task.status.final:
            continue
        error = outcomes.refusal(task, op.worker, now) or outcomes.unfit(task, op.result)
        if error is not None:
            found[number] = error
    return found
