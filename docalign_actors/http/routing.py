"""Routes as data: one table says what each takes, gives, and who may use it. The application and its description are both
made of it, so they cannot differ."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import msgspec
from loguru import logger
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from docalign_actors.errors import DatabaseError, DocAlignError
from docalign_actors.http import problems
from docalign_actors.http.auth import Principal
from docalign_actors.http.bodies import read_body, read_query
from docalign_actors.http.conditional import etag_of, matches
from docalign_actors.http.context import Context
from docalign_actors.http.csrf import SAFE_METHODS, check_forgery
from docalign_actors.http.heads import header
from docalign_actors.persistence.tokens import Role

JSON = "application/json"
_encoder = msgspec.json.Encoder(uuid_format="canonical")


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """This route takes no parameters."""


class Call(Struct, frozen=True):
    """One request, as a handler sees it: checked, decoded, and from somebody who may."""

    context: Context
    request: Request
    trace: str
    principal: Principal | None
    query: Any
    body: Any

    @property
    def user(self) -> str:
        return self.principal.name if self.principal is not None else ""

    def id(self, unknown: type[DocAlignError]) -> UUID:
        """The id in the path. What is no id is the id of nothing."""
        try:
            return msgspec.convert(self.request.path_params["id"], UUID)
        except msgspec.ValidationError:
            raise unknown from None


class Answer(Struct, frozen=True):
    """What a handler gives back."""

    body: Any
    status: int = 200
    headers: dict[str, str] = {}


Handler = Callable[[Call], Awaitable[Answer | Response]]


class Gives(Struct, frozen=True):
    """One way in which a route answers."""

    status: int
    text: str
    body: Any = None
    media: str = JSON


class Operation(Struct, frozen=True, kw_only=True):
    """One method of one address."""

    method: str
    path: str
    name: str
    summary: str
    handler: Handler
    gives: tuple[Gives, ...]
    role: Role | None = Role.VIEWER
    """Who may; None for everybody."""
    takes: Any = None
    """The type of the body."""
    query: type[Struct] = NoQuery
    errors: tuple[type[DocAlignError], ...] = ()
    """What can go wrong beyond what can go wrong everywhere."""


def routes_of(operations: tuple[Operation, ...], context: Context) -> list[Route]:
    """One route an address, with all its methods, so that a wrong method is told which ones there are."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [
        Route(path, Endpoint(methods, context), methods=list(methods), name=path) for path, methods in by_path.items()
    ]


class Endpoint:
    """An address. Plain ASGI: it is called for every request."""

    def __init__(self, methods: dict[str, Operation], context: Context) -> None:
        self._methods = {**({"HEAD": methods["GET"]} if "GET" in methods else {}), **methods}
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        operation = self._methods[request.method]
        trace: str = scope["state"]["trace"]
        try:
            answer = await operation.handler(await self._call(operation, request, trace))
            response = answer if isinstance(answer, Response) else _encode(request, answer)
        except DocAlignError as error:
            if isinstance(error, DatabaseError):
                logger.warning("{} {}: {}", request.method, scope["path"][:200], error)
            response = problems.respond(error, trace)
        except ClientDisconnect:
            return  # nobody is there to be answered
        await response(scope, receive, send)

    async def _call(self, operation: Operation, request: Request, trace: str) -> Call:
        """First who asks, then what: strangers are not told what is wrong with their bodies."""
        principal = None
        if operation.role is not None:
            principal = await self._context.gate.require(request, operation.role)
            if principal.session and request.method not in SAFE_METHODS:
                check_forgery(request, principal.session)
        query = read_query(request, operation.query)
        body = None
        if operation.takes is not None:
            body = await read_body(request, operation.takes, self._context.services.settings)
        return Call(self._context, request, trace, principal, query, body)


def _encode(request: Request, answer: Answer) -> Response:
    if answer.body is None:
        return Response(status_code=answer.status, headers=answer.headers)
    body = _encoder.encode(answer.body)
    headers = dict(answer.headers)
    if request.method in ("GET", "HEAD") and answer.status == 200:
        headers["ETag"] = etag_of(body)
        if matches(header(request.scope, b"if-none-match"), headers["ETag"]):
            return Response(status_code=304, headers=headers)
    return Response(body, answer.status, headers, JSON)
