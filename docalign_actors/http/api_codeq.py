"""The task queue for producers and workers: create, claim, heartbeat, abandon, nack, result, subscribe."""

from __future__ import annotations

import base64
import binascii
import random
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote
from uuid import UUID

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from docalign_actors.agent_tasks.admission import TaskRequest, admit, checked_command, checked_url
from docalign_actors.agent_tasks.errors import BadTaskError, NotAllowedTaskError, TaskError
from docalign_actors.agent_tasks.messages import (
    Abandon,
    Claim,
    Content,
    Create,
    Heartbeat,
    Nack,
    Renew,
    Submit,
    Subscribe,
)
from docalign_actors.agent_tasks.model import (
    MOST_CLAIMED,
    MOST_CREATED,
    Artifact,
    Record,
    Status,
    Task,
    TaskId,
    WireTask,
    moment,
    to_wire,
)
from docalign_actors.agent_tasks.notices import (
    LONGEST_TTL,
    Subscription,
    SubscriptionRequest,
    checked_mode,
    checked_subscription,
)
from docalign_actors.agent_tasks.outcomes import Requeued, clean
from docalign_actors.http.bearers import PRODUCE
from docalign_actors.http.codeq import BASE, Exchange, Line, say
from docalign_actors.http.heads import header
from docalign_actors.http.routing import Gives
from docalign_actors.http.schemas_codeq import (
    Abandoned,
    ArtifactRequest,
    Beat,
    ClaimedTasks,
    ClaimRequest,
    HeartbeatRequest,
    Nacked,
    NackRequest,
    RenewRequest,
    ResultBatch,
    ResultOutcome,
    ResultOutcomes,
    ResultRequest,
    SubscriptionAnswer,
    TaskBatch,
    TaskOutcome,
    TaskOutcomes,
)
from docalign_actors.ids import new_id

_LONGEST_WAIT = 30
_MOST_ARTIFACTS = 20
_LONGEST_NAME = 200


# Producers


async def create(call: Exchange) -> Response:
    op = _creation(call, await call.body(TaskRequest))
    return say(to_wire(await call.answer(call.ask(op))), 202)


async def create_batch(call: Exchange) -> Response:
    wanted = (await call.body(TaskBatch)).tasks
    if not wanted:
        raise BadTaskError("invalid body: 'tasks' is required and may not be empty")
    if len(wanted) > MOST_CREATED:
        raise BadTaskError(f"batch size exceeds maximum of {MOST_CREATED}")
    asked: list[Any] = []
    for one in wanted:
        try:
            asked.append(call.ask(_creation(call, one)))
        except TaskError as error:
            asked.append(error)
    results: list[TaskOutcome] = []
    for reply in asked:
        try:
            if isinstance(reply, TaskError):
                raise reply
            results.append(TaskOutcome(to_wire(await call.answer(reply))))
        except TaskError as error:
            results.append(TaskOutcome(error=str(error)))
    return say(TaskOutcomes(results))


def _creation(call: Exchange, wanted: TaskRequest) -> Create:
    return Create(admit(wanted, TaskId(new_id()), call.tenant, call.context.services.clock.now(), call.trace))


# Workers


async def claim(call: Exchange) -> Response:
    wanted = await call.body(ClaimRequest)
    wait = min(max(wanted.wait_seconds, 0), _LONGEST_WAIT)
    tasks = await _claimed(call, wanted, 1, wait)
    return say(to_wire(tasks[0])) if tasks else Response(status_code=204)


async def claim_batch(call: Exchange) -> Response:
    wanted = await call.body(ClaimRequest)
    if wanted.count < 1:
        raise BadTaskError("invalid body: 'count' must be at least 1")
    if wanted.count > MOST_CLAIMED:
        raise BadTaskError(f"count exceeds maximum of {MOST_CLAIMED}")
    tasks = await _claimed(call, wanted, wanted.count, 0)
    return say(ClaimedTasks([to_wire(task) for task in tasks])) if tasks else Response(status_code=204)


async def _claimed(call: Exchange, wanted: ClaimRequest, count: int, wait: int) -> list[Task]:
    commands = _commands(call, wanted.commands or [])
    lease = _lease(call, wanted.lease_seconds)
    op = Claim(call.tenant, call.worker, commands, lease, count)
    found: list[Task] | None = await call.answer(call.ask(op))
    if not found and wait:
        until = call.context.services.clock.now() + timedelta(seconds=wait)
        found = await call.wait(call.ask(replace(op, until=until)), wait, partial(_give_back, call))
    return found or []


def _give_back(call: Exchange, tasks: list[Task]) -> None:
    """They were claimed for somebody who is not there any more."""
    for task in tasks:
        call.ask(Abandon(call.tenant, task.id, call.worker, unseen=True))


def _commands(call: Exchange, wanted: list[str]) -> tuple[str, ...]:
    """Those that it asks for and may have; where it asks for none, those that it may have, or any."""
    if len(wanted) > 100:
        raise BadTaskError("invalid body: at most 100 commands")
    if not wanted:
        return () if "*" in _allowed(call) else _allowed(call)
    _check_allowed(call, wanted)
    return tuple(dict.fromkeys(checked_command(command) for command in wanted))


def _allowed(call: Exchange) -> tuple[str, ...]:
    """The commands whose tasks it may have. A token that names none may have none, not any."""
    if not call.principal.event_types:
        raise NotAllowedTaskError("missing eventTypes: the token names no command")
    return call.principal.event_types


def _check_allowed(call: Exchange, commands: Iterable[str]) -> None:
    allowed = _allowed(call)
    if "*" not in allowed and not set(commands) <= set(allowed):
        raise NotAllowedTaskError("event type not allowed")


def _lease(call: Exchange, seconds: int) -> float:
    return min(float(seconds), call.tasks.longest_lease) if seconds > 0 else call.tasks.lease


async def heartbeat(call: Exchange) -> Response:
    wanted = await call.body(HeartbeatRequest, optional=True)
    op = Heartbeat(call.tenant, call.id(), call.worker, _lease(call, wanted.extend_seconds))
    await call.answer(call.ask(op))
    return say(Beat())


async def abandon(call: Exchange) -> Response:
    after = await call.answer(call.ask(Abandon(call.tenant, call.id(), call.worker)))
    return say(Abandoned("requeued" if isinstance(after, Requeued) else "dlq"))


async def nack(call: Exchange) -> Response:
    wanted = await call.body(NackRequest, optional=True)
    chance = random.random()  # noqa: S311 - spreads the load, guards nothing
    op = Nack(call.tenant, call.id(), call.worker, wanted.delay_seconds, wanted.reason, chance)
    after = await call.answer(call.ask(op))
    if isinstance(after, Requeued):
        return say(Nacked("requeued", after.delay))
    return say(Nacked("dlq", 0))


async def submit(call: Exchange) -> Response:
    task = call.id("task not found")
    wanted = await call.body(ResultRequest)
    try:
        return say(await call.answer(call.ask(_submission(call, task, wanted))))
    except TaskError as error:
        raise _as_result_error(error) from None


async def submit_batch(call: Exchange) -> Response:
    wanted = (await call.body(ResultBatch)).results
    if not wanted:
        raise BadTaskError("invalid body: 'results' is required and may not be empty")
    if len(wanted) > MOST_CREATED:
        raise BadTaskError(f"batch size exceeds maximum of {MOST_CREATED}")
    asked: list[Any] = []
    for one in wanted:
        try:
            asked.append(call.ask(_submission(call, _task_id(one.task_id), one)))
        except TaskError as error:
            asked.append(error)
    results: list[ResultOutcome] = []
    for one, reply in zip(wanted, asked, strict=True):
        try:
            if isinstance(reply, TaskError):
                raise reply
            results.append(ResultOutcome(one.task_id, await call.answer(reply)))
        except TaskError as error:
            results.append(ResultOutcome(one.task_id, error=str(_as_result_error(error))))
    return say(ResultOutcomes(results))


def _as_result_error(error: TaskError) -> TaskError:
    """Results name a missing task in words of their own."""
    if error.status != 404:
        return error
    return type(error)("task not found")


def _task_id(text: str) -> TaskId:
    try:
        return TaskId(msgspec.convert(text, UUID))
    except msgspec.ValidationError:
        raise BadTaskError("task not found") from None


def _submission(call: Exchange, task: TaskId, wanted: ResultRequest) -> Submit:
    error, result = clean(wanted.error), None
    match wanted.status:
        case "COMPLETED":
            raw = bytes(wanted.result)
            if raw == b"null":
                raise BadTaskError("result required when status=COMPLETED")
            result, error = raw.decode(), ""
        case "FAILED":
            if not error:
                raise BadTaskError("error required when status=FAILED")
        case _:
            raise BadTaskError("invalid status")
    kept, contents = _artifacts(call, task, wanted.artifacts or [])
    status = Status(wanted.status)
    return Submit(call.tenant, task, call.worker, new_id(), status, result, error, kept, contents)


def _artifacts(
    call: Exchange, task: TaskId, given: list[ArtifactRequest]
) -> tuple[tuple[Artifact, ...], tuple[Content, ...]]:
    if len(given) > _MOST_ARTIFACTS:
        raise BadTaskError(f"at most {_MOST_ARTIFACTS} artifacts")
    kept: list[Artifact] = []
    contents: list[Content] = []
    for one in given:
        if not 0 < len(one.name) <= _LONGEST_NAME or not one.name.isprintable():
            raise BadTaskError(f"invalid artifact name (1 to {_LONGEST_NAME} printable characters)")
        if one.url:
            kept.append(Artifact(one.name, checked_url(one.url, "artifact url")))
            continue
        try:
            data = base64.b64decode(one.content_base64, validate=True)
        except (binascii.Error, ValueError):
            raise BadTaskError(f"artifact {one.name} base64 decode: not base64") from None
        kept.append(Artifact(one.name, f"{_here(call)}{BASE}/tasks/{task}/artifacts/{quote(one.name, safe='')}"))
        contents.append(Content(one.name, _media(one.content_type), data))
    return tuple(kept), tuple(contents)


def _here(call: Exchange) -> str:
    """The address of this service, as the operator says or as the client came: its host is one that we go by."""
    public = call.context.services.settings.public_url.rstrip("/")
    return public or f"{call.request.url.scheme}://{header(call.request.scope, b'host')}"


def _media(given: str) -> str:
    """The type an artifact is given out as: always as a download, so the name of the type does no harm."""
    fine = given.isascii() and given.isprintable() and 0 < len(given) <= 100
    return given if fine else "application/octet-stream"


async def subscribe(call: Exchange) -> Response:
    wanted = await call.body(SubscriptionRequest)
    url, types, ttl, interval = checked_subscription(wanted)
    if types == ("*",):
        types = _allowed(call)
    _check_allowed(call, types)
    now = call.context.services.clock.now()
    made = Subscription(
        new_id(), call.tenant, call.worker, url, types, checked_mode(wanted), wanted.group_id, interval, ttl, now,
        now + timedelta(seconds=ttl),
    )  # fmt: skip
    await call.answer(call.ask(Subscribe(made)))
    return say(SubscriptionAnswer(str(made.id), moment(made.expires_at)))


async def renew(call: Exchange) -> Response:
    wanted = await call.body(RenewRequest, optional=True)
    ttl = min(max(wanted.ttl_seconds, 0), LONGEST_TTL)
    found: Subscription = await call.answer(call.ask(Renew(call.tenant, call.id(), ttl)))
    return say(SubscriptionAnswer(str(found.id), moment(found.expires_at)))


_NOTHING = Gives(204, "There is none.")
_TASK = Gives(200, "The task.", WireTask)
_SUBSCRIPTION = Gives(200, "Until when it lasts.", SubscriptionAnswer)

LINES = (
    Line("POST", "/tasks", PRODUCE, create, "createTask", "Puts a task in line.", TaskRequest,
         (Gives(202, "The task; the original one if its idempotency key is known.", WireTask),)),
    Line("POST", "/tasks/claim", "codeq:claim", claim, "claimTask", "Takes the next task, under a lease.", ClaimRequest,
         (_TASK, _NOTHING)),
    Line("POST", "/tasks/{id}/result", "codeq:result", submit, "submitResult", "Says how a task ended.", ResultRequest,
         (Gives(200, "The result.", Record),)),
    Line("POST", "/tasks/batch", PRODUCE, create_batch, "createTasks", "Puts 1 to 100 tasks in line.", TaskBatch,
         (Gives(200, "What became of each.", TaskOutcomes),)),
    Line("POST", "/tasks/batch/results", "codeq:result", submit_batch, "submitResults", "Says how 1 to 100 tasks ended.",
         ResultBatch, (Gives(200, "What became of each.", ResultOutcomes),)),
    Line("POST", "/tasks/claim/batch", "codeq:claim", claim_batch, "claimTasks", "Takes up to 10 tasks, without waiting.",
         ClaimRequest, (Gives(200, "The tasks.", ClaimedTasks), _NOTHING)),
    Line("POST", "/tasks/{id}/heartbeat", "codeq:heartbeat", heartbeat, "extendLease", "Keeps a lease.", HeartbeatRequest,
         (Gives(200, "It lasts.", Beat),)),
    Line("POST", "/tasks/{id}/abandon", "codeq:abandon", abandon, "abandonTask", "Gives a task back at once.", None,
         (Gives(200, "Where it is now.", Abandoned),)),
    Line("POST", "/tasks/{id}/nack", "codeq:nack", nack, "nackTask", "Gives a task back to be tried again later.", NackRequest,
         (Gives(200, "Where it is now.", Nacked),)),
    Line("POST", "/workers/subscriptions", "codeq:subscribe", subscribe, "subscribeWorker", "Asks to be told of work.",
         SubscriptionRequest, (_SUBSCRIPTION,)),
    Line("POST", "/workers/subscriptions/{id}/heartbeat", "codeq:subscribe", renew, "renewWorkerSubscription",
         "Keeps a subscription.", RenewRequest, (_SUBSCRIPTION,)),
)  # fmt: skip
