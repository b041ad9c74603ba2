"""What is shown of the task queue, and what its admins do to it. Every method is one transaction."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from docalign_actors.agent_tasks.model import Event, Record, Status, Task, TaskId
from docalign_actors.persistence.agent_task_records import read_record
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query


class QueueStats(Struct, frozen=True):
    """How many tasks of one command lie where."""

    command: str
    ready: int = 0
    delayed: int = 0
    in_progress: int = 0
    dlq: int = 0


class TaskViews:
    """Reads tasks; forgets those that have ended."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, tenant: str, task: TaskId) -> Task | None:
        return self._database.run(lambda c: _find(c, tenant, task))

    def result(self, tenant: str, task: TaskId) -> tuple[Task, Record | None] | None:
        def unit(connection: Connection) -> tuple[Task, Record | None] | None:
            found = _find(connection, tenant, task)
            return (found, read_record(connection, found)) if found is not None else None

        return self._database.run(unit)

    def history(self, task: TaskId, limit: int) -> list[Event]:
        """Of a task that the caller may see."""
        values = {"task": task, "limit": limit}

        def unit(connection: Connection) -> list[Event]:
            return connection.cursor(row_factory=struct_row(Event)).execute(query("tasks_history"), values).fetchall()

        return self._database.run(unit)

    def content(self, tenant: str, task: TaskId, name: str) -> tuple[str, bytes] | None:
        """An artifact that came with its result: type and bytes."""
        values = {"tenant": tenant, "task": task, "name": name}
        row = self._database.run(lambda c: c.execute(query("tasks_content"), values).fetchone())
        return (row[0], bytes(row[1])) if row is not None else None

    def queues(self, tenant: str, command: str | None = None) -> list[QueueStats]:
        def unit(connection: Connection) -> list[QueueStats]:
            cursor = connection.cursor(row_factory=struct_row(QueueStats))
            return cursor.execute(query("tasks_queues"), {"tenant": tenant, "command": command}).fetchall()

        return self._database.run(unit)

    def tasks(self, tenant: str, status: Status, before: int, limit: int) -> list[Task]:
        values = {"tenant": tenant, "status": status.value, "before": before, "limit": limit}

        def unit(connection: Connection) -> list[Task]:
            return connection.cursor(row_factory=struct_row(Task)).execute(query("tasks_list"), values).fetchall()

        return self._database.run(unit)

    def cleanup(self, tenant: str, before: datetime, limit: int) -> int:
        values = {"tenant": tenant, "before": before, "limit": limit}
        return self._database.run(lambda c: c.execute(query("tasks_cleanup"), values).rowcount)

    def purge(self, tenant: str, command: str, limit: int) -> int:
        values = {"tenant": tenant, "command": command, "limit": limit}
        return self._database.run(lambda c: c.execute(query("tasks_purge"), values).rowcount)


def _find(connection: Connection, tenant: str, task: TaskId) -> Task | None:
    values = {"tenant": tenant, "task": task}
    return connection.cursor(row_factory=struct_row(Task)).execute(query("tasks_find"), values).fetchone()
