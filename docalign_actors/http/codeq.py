"""The wire of the task queue: addresses under /v1/codeq, errors as `{"error": text}`, bearer tokens with scopes.

The API proper (routing.py) answers with problem documents; this wire is another, older one, kept to the letter so that its
clients work unchanged.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from loguru import logger
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from docalign_actors.agent_tasks.errors import BadTaskError, NotAllowedTaskError, TaskError
from docalign_actors.agent_tasks.messages import Op
from docalign_actors.agent_tasks.model import TaskId
from docalign_actors.errors import DatabaseError, DocAlignError
from docalign_actors.http.auth import Principal
from docalign_actors.http.bearers import PRODUCE, looks_like_jwt
from docalign_actors.http.bodies import read_raw
from docalign_actors.http.context import Context
from docalign_actors.http.errors import NotSignedInError
from docalign_actors.http.heads import header
from docalign_actors.http.nulls import without_nulls
from docalign_actors.http.problems import RETRY_SECONDS, status_of
from docalign_actors.http.routing import Gives, NoQuery
from docalign_actors.http.services import TaskServices
from docalign_actors.persistence.tokens import SCOPES, WORKER_SCOPES, Role

BASE = "/v1/codeq"
READ = "codeq:read"
"""What a role allows, as it does PRODUCE; the other rights are scopes."""
_WORKER = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_encoder = msgspec.json.Encoder(uuid_format="canonical")
_BY_ROLE = {
    Role.ADMIN: SCOPES | {PRODUCE, READ},
    Role.OPERATOR: frozenset({PRODUCE, READ}),
    Role.VIEWER: frozenset({READ}),
    Role.WORKER: WORKER_SCOPES | {READ},
    Role.SUBSCRIBER: frozenset(),
}
S = TypeVar("S", bound=Struct)


class Exchange(Struct, frozen=True):
    """One request, from somebody who may."""

    context: Context
    tasks: TaskServices
    request: Request
    principal: Principal
    trace: str

    @property
    def tenant(self) -> str:
        return self.principal.tenant

    @property
    def worker(self) -> str:
        """Whose lease it is: the token's, and one of several workers who share it if it says which."""
        own = f"{self.principal.name}#{self.principal.token_id.hex[-8:]}"
        given = header(self.request.scope, b"x-worker-id")
        if given is None:
            return own
        if not _WORKER.fullmatch(given):
            raise BadTaskError("invalid X-Worker-Id (1 to 100 letters, digits, '.', '_', ':' or '-')")
        return f"{own}/{given}"

    async def body(self, kind: type[S], *, optional: bool = False) -> S:
        settings = self.context.services.settings
        raw = await read_raw(self.request, settings.body_limit, settings.body_seconds)
        if optional and not raw.strip():
            raw = b"{}"
        try:
            return _read(raw, kind)
        except msgspec.ValidationError as error:
            raise BadTaskError(f"invalid body: {str(error)[:300]}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise BadTaskError("invalid body: not JSON") from None

    def id(self, unknown: str = "not-found") -> TaskId:
        """The id in the path. What is no id is the id of nothing."""
        try:
            return TaskId(msgspec.convert(self.request.path_params["id"], UUID))
        except msgspec.ValidationError:
            raise MissingError(unknown) from None

    def ask(self, op: Op) -> Future[Any]:
        return self.tasks.queue.ask(op)

    async def answer(self, reply: Future[Any]) -> Any:
        return await self.context.bridge.wait(reply, self.context.services.settings.answer_seconds)

    async def wait(self, reply: Future[Any], seconds: float, in_vain: Callable[[Any], None] = lambda _: None) -> Any:
        """The answer within a time; None, and nothing is asked any more, if the client leaves or the service stops.

        `in_vain`: what to do with an answer that came when the client had left.
        """
        longest = seconds + self.context.services.settings.answer_seconds
        answer = asyncio.ensure_future(self.context.bridge.wait(reply, longest))
        others = [
            asyncio.ensure_future(_left(self.request)),
            asyncio.ensure_future(self.context.services.draining.wait()),
        ]
        try:
            await asyncio.wait({answer, *others}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done() and reply.cancel():
                return None
            found = await answer
            if not others[0].done():
                return found
            in_vain(found)
            return None
        finally:
            for other in (answer, *others):
                other.cancel()


class MissingError(TaskError):
    """not-found"""

    code = "DOCALIGN_E404"
    status = 404


Handler = Callable[[Exchange], Awaitable[Response]]


class Line(Struct, frozen=True):
    """One line of the wire: who may, what is done, and what the description says of it."""

    method: str
    path: str
    needs: str
    handler: Handler
    name: str
    summary: str
    takes: type[Struct] | None
    gives: tuple[Gives, ...]
    query: type[Struct] = NoQuery


def say(body: Any, status: int = 200) -> Response:
    return Response(_encoder.encode(body), status, media_type="application/json")


def refuse(error: DocAlignError) -> Response:
    """An error, as this wire says it."""
    if isinstance(error, TaskError):
        return say({"error": str(error)}, error.status)
    status = status_of(error)
    # What the database said may name files and addresses of this machine: it goes to the log.
    text = (type(error).__doc__ or "").strip() if isinstance(error, DatabaseError) else str(error)
    response = say({"error": text}, status)
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="docalign"'
    if status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def lines_to_routes(lines: tuple[Line, ...], context: Context, tasks: TaskServices) -> list[Route]:
    """One route an address, and one for every address that there is not."""
    by_path: dict[str, dict[str, Line]] = {}
    for line in lines:
        by_path.setdefault(BASE + line.path, {})[line.method] = line
    known = [Route(path, _Address(methods, context, tasks)) for path, methods in by_path.items()]
    nowhere = _Address({}, context, tasks)
    return [*known, Route(BASE, nowhere), Route(BASE + "/{rest:path}", nowhere)]


class _Address:
    """Plain ASGI: it is called for every request."""

    def __init__(self, methods: dict[str, Line], context: Context, tasks: TaskServices) -> None:
        self._methods = methods
        self._context = context
        self._tasks = tasks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except DocAlignError as error:
            if isinstance(error, DatabaseError):
                logger.warning("{} {}: {}", request.method, scope["path"][:200], error)
            response = refuse(error)
        except ClientDisconnect:
            return  # nobody is there to be answered
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        principal = await self._principal(request)
        line = self._methods.get(request.method)
        if line is None:
            if not self._methods:
                return say({"error": "not found"}, 404)
            response = say({"error": "method not allowed"}, 405)
            response.headers["Allow"] = ", ".join(self._methods)
            return response
        if not may(principal, line.needs):
            raise NotAllowedTaskError(f"missing scope: the token lacks {line.needs}")
        trace: str = request.scope["state"]["trace"]
        return await line.handler(Exchange(self._context, self._tasks, request, principal, trace))

    async def _principal(self, request: Request) -> Principal:
        """Tokens only: a browser's session is for pages, and a page elsewhere could make use of it."""
        given = header(request.scope, b"authorization")
        if given is None:
            raise NotSignedInError
        bearers = self._tasks.bearers
        if bearers is not None:
            scheme, _, secret = given.partition(" ")
            if scheme.lower() == "bearer" and looks_like_jwt(secret.strip()):
                return await bearers.principal(secret.strip())
        found = await self._context.gate.identify(request)
        if found is None:
            raise NotSignedInError
        return found


def may(principal: Principal, needs: str) -> bool:
    """Whether a token allows that: its role does, and its scopes where it has any."""
    if needs in SCOPES and principal.scopes:
        return needs in principal.scopes
    return needs in _BY_ROLE[principal.role]


def _read(raw: bytes, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        if "got `null`" not in str(error):
            raise
    return msgspec.json.decode(without_nulls(raw, kind), type=kind)


async def _left(request: Request) -> None:
    """Until the client has gone. The body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
