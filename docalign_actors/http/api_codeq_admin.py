"""The task queue for readers and admins: tasks, results, figures, dead letters."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from starlette.responses import Response

from docalign_actors.agent_tasks.admission import rfc3339
from docalign_actors.agent_tasks.errors import BadTaskError, TaskError
from docalign_actors.agent_tasks.messages import Await, Requeue
from docalign_actors.agent_tasks.model import Status, moment, to_wire
from docalign_actors.http.codeq import READ, Exchange, Line, MissingError, say
from docalign_actors.persistence.agent_task_views import QueueStats

_LONGEST_WAIT = 60
_MOST = 10_000
_PAGE = 200


class CleanupRequest(Struct, frozen=True):
    limit: int = 0
    before: str = ""


async def show(call: Exchange) -> Response:
    found = await call.context.desk.run(call.tasks.views.find, call.tenant, call.id("not found"))
    if found is None:
        raise MissingError("not found")
    return say(to_wire(found))


async def result(call: Exchange) -> Response:
    task = call.id("task not found")
    wait = min(max(_number(call, "waitSeconds", 0), 0), _LONGEST_WAIT)
    if wait:
        until = call.context.services.clock.now() + timedelta(seconds=wait)
        try:
            found = await call.wait(call.ask(Await(call.tenant, task, until)), wait)
        except TaskError:
            raise MissingError("task not found") from None
    else:
        found = await call.context.desk.run(call.tasks.views.result, call.tenant, task)
        if found is None:
            raise MissingError("task not found")
    if found is None or found[1] is None:
        raise MissingError("result not found")
    return say({"task": to_wire(found[0]), "result": found[1]})


async def artifact(call: Exchange) -> Response:
    name = call.request.path_params["name"]
    found = None
    if "\0" not in name:
        found = await call.context.desk.run(call.tasks.views.content, call.tenant, call.id(), name)
    if found is None:
        raise MissingError("artifact not found")
    # What a worker sent is nothing that a browser should show as ours.
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(found[1], media_type=found[0], headers=headers)


async def queues(call: Exchange) -> Response:
    found = await call.context.desk.run(call.tasks.views.queues, call.tenant)
    return say({one.command: _figures(one) for one in found})


async def queue(call: Exchange) -> Response:
    command = _command(call)
    found = await call.context.desk.run(call.tasks.views.queues, call.tenant, command)
    return say({"command": command, **_figures(found[0] if found else QueueStats(command))})


def _figures(stats: QueueStats) -> dict[str, Any]:
    return {"ready": stats.ready, "delayed": stats.delayed, "inProgress": stats.in_progress, "dlq": stats.dlq}


async def purge(call: Exchange) -> Response:
    deleted = await call.context.desk.run(call.tasks.views.purge, call.tenant, _command(call), _MOST)
    return say({"deleted": deleted})


async def cleanup(call: Exchange) -> Response:
    wanted = await call.body(CleanupRequest, optional=True)
    limit = min(wanted.limit, _MOST) if wanted.limit > 0 else 1_000
    before: datetime = rfc3339(wanted.before, "before") if wanted.before else call.context.services.clock.now()
    deleted = await call.context.desk.run(call.tasks.views.cleanup, call.tenant, before, limit)
    return say({"deleted": deleted, "before": moment(before), "limit": limit})


async def tasks(call: Exchange) -> Response:
    """Newest first; `next` is the `before` of the next page."""
    try:
        status = Status(call.request.query_params.get("status", ""))
    except ValueError:
        raise BadTaskError("invalid 'status' (PENDING, IN_PROGRESS, COMPLETED or FAILED)") from None
    before = _number(call, "before", 2**62)
    limit = min(max(_number(call, "limit", 50), 1), _PAGE)
    found = await call.context.desk.run(call.tasks.views.tasks, call.tenant, status, before, limit)
    body: dict[str, Any] = {"tasks": [to_wire(task) for task in found]}
    if len(found) == limit:
        body["next"] = found[-1].position
    return say(body)


async def requeue(call: Exchange) -> Response:
    return say(to_wire(await call.answer(call.ask(Requeue(call.tenant, call.id())))))


async def letters(call: Exchange) -> Response:
    """Callbacks that were given up."""
    found = await call.context.desk.run(call.tasks.outbox.dead_letters, call.tenant, _PAGE)
    return say({"webhooks": found})


async def replay(call: Exchange) -> Response:
    now = call.context.services.clock.now()
    if not await call.context.desk.run(call.tasks.outbox.replay, call.tenant, call.id(), now):
        raise MissingError("not-found")
    call.tasks.post()
    return say({"status": "requeued"})


def _command(call: Exchange) -> str:
    command: str = call.request.path_params["command"].strip()
    if not command or "\0" in command:
        raise BadTaskError("command is required")
    return command


def _number(call: Exchange, name: str, default: int) -> int:
    text = call.request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else default


LINES = (
    Line("GET", "/tasks/{id}", READ, show),
    Line("GET", "/tasks/{id}/result", READ, result),
    Line("GET", "/tasks/{id}/artifacts/{name}", READ, artifact),
    Line("POST", "/tasks/{id}/requeue", "codeq:admin", requeue),
    Line("GET", "/admin/queues", "codeq:admin", queues),
    Line("GET", "/admin/queues/{command}", "codeq:admin", queue),
    Line("DELETE", "/admin/queues/{command}/dlq", "codeq:admin", purge),
    Line("GET", "/admin/tasks", "codeq:admin", tasks),
    Line("POST", "/admin/tasks/cleanup", "codeq:admin", cleanup),
    Line("GET", "/admin/webhooks", "codeq:admin", letters),
    Line("POST", "/admin/webhooks/{id}/replay", "codeq:admin", replay),
)
