"""Where the pages of the task queue and of the outbox get their views, and what their buttons do."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from docalign_actors.agent_tasks.admission import checked_command
from docalign_actors.agent_tasks.errors import TaskError, UnknownTaskError
from docalign_actors.agent_tasks.messages import Requeue
from docalign_actors.agent_tasks.model import Status, TaskId
from docalign_actors.dashboard.task_views import Letters, Queue, TaskDetail, Tasks
from docalign_actors.errors import StateConflictError, UnknownLetterError, UsageError
from docalign_actors.http import cursors
from docalign_actors.http.context import Context
from docalign_actors.http.services import TaskServices

LISTED = 50
_HISTORY = 200
_PURGED = 10_000
_END = 2**62


class TaskPages:
    """What `TaskReader` and `TaskDesk` ask for: the same services that the wire uses."""

    def __init__(self, context: Context, services: TaskServices) -> None:
        self._context = context
        self._services = services

    async def tasks(self, tenant: str, status: str, after: str) -> Tasks:
        before = _before("tasks", after)

        def read() -> Tasks:
            views = self._services.views
            queues = [Queue(q.command, q.ready, q.delayed, q.in_progress, q.dlq) for q in views.queues(tenant)]
            found = views.tasks(tenant, Status(status), before, LISTED + 1)
            return Tasks(queues=queues, tasks=found[:LISTED], after=_after("tasks", found))

        return await self._context.desk.run(read)

    async def task(self, tenant: str, task: UUID) -> TaskDetail:
        def read() -> TaskDetail:
            found = self._services.views.result(tenant, TaskId(task))
            if found is None:
                raise UnknownTaskError("There is no such task.", hint="The list of tasks shows those that are kept.")
            return TaskDetail(
                task=found[0], result=found[1], history=self._services.views.history(TaskId(task), _HISTORY)
            )

        return await self._context.desk.run(read)

    async def outgoing(self, tenant: str, status: str, after: str) -> Letters:
        before = _before("letters", after)

        def read() -> Letters:
            outbox = self._services.outbox
            found = outbox.letters(tenant, status, before, LISTED + 1)
            return Letters(figures=outbox.figures(tenant), letters=found[:LISTED], after=_after("letters", found))

        return await self._context.desk.run(read)

    async def requeue(self, tenant: str, task: UUID) -> None:
        asked = self._services.queue.ask(Requeue(tenant, TaskId(task)))
        try:
            await self._context.bridge.wait(asked, self._context.services.settings.answer_seconds)
        except UnknownTaskError:
            raise
        except TaskError:
            raise StateConflictError(
                "The task has not failed.", hint="Only a failed task is put back in line."
            ) from None

    async def purge(self, tenant: str, command: str) -> int:
        try:
            checked = checked_command(command)
        except TaskError as error:
            raise UsageError(str(error)) from None
        return await self._context.desk.run(self._services.views.purge, tenant, checked, _PURGED)

    async def replay(self, tenant: str, letter: UUID) -> None:
        now = self._context.services.clock.now()
        if not await self._context.desk.run(self._services.outbox.replay, tenant, letter, now):
            raise UnknownLetterError
        self._services.post()


def _before(kind: str, after: str) -> int:
    return cursors.decode(kind, after, tuple[cursors.Number])[0] if after else _END


def _after(kind: str, found: list[Any]) -> str:
    return cursors.encode(kind, (found[LISTED - 1].position,)) if len(found) > LISTED else ""
