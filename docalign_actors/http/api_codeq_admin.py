"""The task queue for readers and admins: tasks, results, figures, dead letters."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from starlette.responses import Response

from docalign_actors.agent_tasks.admission import rfc3339
from docalign_actors.agent_tasks.errors import BadTaskError, TaskError
from docalign_actors.agent_tasks.messages import Await, Requeue
from docalign_actors.agent_tasks.model import Status, WireTask, moment, to_wire
from docalign_actors.http.codeq import READ, Exchange, Line, MissingError, say
from docalign_actors.http.routing import Gives
from docalign_actors.http.schemas_codeq import (
    Cleaned,
    CleanupRequest,
    Deleted,
    LetterPage,
    QueueFigures,
    Replayed,
    ResultQuery,
    TaskAndResult,
    TaskPage,
    TaskQuery,
)
from docalign_actors.persistence.agent_task_views import QueueStats

_LONGEST_WAIT = 60
_MOST = 10_000
_PAGE = 200


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
    return say(TaskAndResult(to_wire(found[0]), found[1]))


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
    return say([_figures(one) for one in found])


async def queue(call: Exchange) -> Response:
    command = _command(call)
    found = await call.context.desk.run(call.tasks.views.queues, call.tenant, command)
    one = found[0] if found else QueueStats(command)
    return say(_figures(one))


def _figures(stats: QueueStats) -> QueueFigures:
    return QueueFigures(stats.command, stats.ready, stats.delayed, stats.in_progress, stats.dlq)


async def purge(call: Exchange) -> Response:
    deleted = await call.context.desk.run(call.tasks.views.purge, call.tenant, _command(call), _MOST)
    return say(Deleted(deleted))


async def cleanup(call: Exchange) -> Response:
    wanted = await call.body(CleanupRequest, optional=True)
    limit = min(wanted.limit, _MOST) if wanted.limit > 0 else 1_000
    kept = call.context.services.clock.now() - timedelta(days=call.tasks.keep_days)
    before: datetime = rfc3339(wanted.before, "before") if wanted.before else kept
    deleted = await call.context.desk.run(call.tasks.views.cleanup, call.tenant, before, limit)
    return say(Cleaned(deleted, moment(before), limit))


async def tasks(call: Exchange) -> Response:
    """Newest first; `next` is the `before` of the next page."""
    try:
        status = Status(call.request.query_params.get("status", ""))
    except ValueError:
        raise BadTaskError("invalid 'status' (PENDING, IN_PROGRESS, COMPLETED or FAILED)") from None
    before = _number(call, "before", 2**62)
    limit = min(max(_number(call, "limit", 50), 1), _PAGE)
    found = await call.context.desk.run(call.tasks.views.tasks, call.tenant, status, before, limit)
    return say(TaskPage([to_wire(task) for task in found], found[-1].position if len(found) == limit else 0))


async def requeue(call: Exchange) -> Response:
    return say(to_wire(await call.answer(call.ask(Requeue(call.tenant, call.id())))))


async def letters(call: Exchange) -> Response:
    """Callbacks that were given up."""
    found = await call.context.desk.run(call.tasks.outbox.dead_letters, call.tenant, _PAGE)
    return say(LetterPage(found))


async def replay(call: Exchange) -> Response:
    now = call.context.services.clock.now()
    if not await call.context.desk.run(call.tasks.outbox.replay, call.tenant, call.id(), now):
        raise MissingError("not-found")
    call.tasks.post()
    return say(Replayed())


def _command(call: Exchange) -> str:
    command: str = call.request.path_params["command"].strip()
    if not command or "\0" in command:
        raise BadTaskError("command is required")
    return command


def _number(call: Exchange, name: str, default: int) -> int:
    text = call.request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else default


_ADMIN = "codeq:admin"

LINES = (
    Line("GET", "/tasks/{id}", READ, show, "showTask", "One task.", None, (Gives(200, "The task.", WireTask),)),
    Line("GET", "/tasks/{id}/result", READ, result, "showResult", "A task's result; 404 while there is none.", None,
         (Gives(200, "The task and its result.", TaskAndResult),), ResultQuery),
    Line("GET", "/tasks/{id}/artifacts/{name:path}", READ, artifact, "showArtifact", "Something that came with a result.", None,
         (Gives(200, "Its content.", media="application/octet-stream"),)),
    Line("POST", "/tasks/{id}/requeue", _ADMIN, requeue, "requeueTask", "Puts a failed task in line again.", None,
         (Gives(200, "The task.", WireTask),)),
    Line("GET", "/admin/queues", _ADMIN, queues, "listQueues", "How many tasks lie where, by command.", None,
         (Gives(200, "The figures of each command.", list[QueueFigures]),)),
    Line("DELETE", "/admin/queues/{command:path}/dlq", _ADMIN, purge, "purgeDeadLetters", "Forgets a command's dead letters.", None,
         (Gives(200, "How many are gone.", Deleted),)),
    Line("GET", "/admin/queues/{command:path}", _ADMIN, queue, "showQueue", "How many tasks of a command lie where.", None,
         (Gives(200, "The figures.", QueueFigures),)),
    Line("GET", "/admin/tasks", _ADMIN, tasks, "listTasks", "Tasks in one status, newest first.", None,
         (Gives(200, "A page.", TaskPage),), TaskQuery),
    Line("POST", "/admin/tasks/cleanup", _ADMIN, cleanup, "cleanUpTasks", "Forgets tasks that ended long ago.", CleanupRequest,
         (Gives(200, "How many are gone.", Cleaned),)),
    Line("GET", "/admin/webhooks", _ADMIN, letters, "listDeadCallbacks", "Callbacks that were given up.", None,
         (Gives(200, "At most 200.", LetterPage),)),
    Line("POST", "/admin/webhooks/{id}/replay", _ADMIN, replay, "replayCallback", "Sends a dead callback again.", None,
         (Gives(200, "It waits to be sent.", Replayed),)),
)  # fmt: skip
