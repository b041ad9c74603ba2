"""The store over a real database, with a clock that is moved by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from docalign_actors.agent_tasks.admission import TaskRequest, admit
from docalign_actors.agent_tasks.messages import Abandon, Claim, Create, Heartbeat, Nack, Op, Requeue, Submit
from docalign_actors.agent_tasks.model import Status, Task, TaskId
from docalign_actors.ids import new_id
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.database import Database

FIXED = Backoff(Curve.FIXED, 5.0)


class Queue:
    """What producers and workers ask, one at a time."""

    def __init__(self, database: Database, backoff: Backoff = FIXED) -> None:
        self.database = database
        self.store = PostgresTaskStore(database, backoff)
        self.now = datetime(2030, 1, 1, 12, tzinfo=UTC)
        self.last: Any = None

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def do(self, op: Op, *, notify: bool = False) -> Any:
        self.last = self.store.perform([op], self.now, notify=notify)
        return self.last.answers[0]

    def create(self, command: str = "X", tenant: str = "", notify: bool = False, **fields: Any) -> Task:
        request = msgspec.convert({"command": command, **fields}, TaskRequest)
        request = msgspec.structs.replace(request, payload=msgspec.Raw(b"{}"))
        answer = self.do(Create(admit(request, TaskId(new_id()), tenant, self.now)), notify=notify)
        assert isinstance(answer, Task)
        return answer

    def claim(
        self, *commands: str, worker: str = "w", tenant: str = "", count: int = 1, lease: float = 60.0
    ) -> list[Task]:
        found: list[Task] = self.do(Claim(tenant, worker, commands, lease, count))
        return found

    def heartbeat(self, task: Task, worker: str = "w", extend: float = 60.0) -> Any:
        return self.do(Heartbeat(task.tenant_id, task.id, worker, extend))

    def nack(self, task: Task, worker: str = "w", delay: int = 0, reason: str = "no") -> Any:
        return self.do(Nack(task.tenant_id, task.id, worker, delay, reason, 0.5))

    def abandon(self, task: Task, worker: str = "w") -> Any:
        return self.do(Abandon(task.tenant_id, task.id, worker))

    def submit(self, task: Task, worker: str = "w", *, error: str = "", submission: UUID | None = None) -> Any:
        status = Status.FAILED if error else Status.COMPLETED
        result = None if error else '{"ok": true}'
        return self.do(Submit(task.tenant_id, task.id, worker, submission or new_id(), status, result, error))

    def requeue(self, task: Task) -> Any:
        return self.do(Requeue(task.tenant_id, task.id))

    def row(self, task: Task) -> Task:
        from docalign_actors.persistence.database import struct_row
        from docalign_actors.persistence.sql import query

        with self.database.transaction() as connection:
            values = {"task": task.id, "tenant": task.tenant_id}
            found = connection.cursor(row_factory=struct_row(Task)).execute(query("tasks_find"), values).fetchone()
            assert found is not None
            return found

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.transaction() as connection:
            return connection.execute(statement.encode(), values).fetchall()
