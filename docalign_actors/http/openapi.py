"""The description of the API, made of the table of routes and of the types themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from docalign_actors import __version__
from docalign_actors.errors import DatabaseError, DocAlignError
from docalign_actors.http import errors, problems
from docalign_actors.http.codeq import BASE, Line
from docalign_actors.http.routing import Gives, Operation
from docalign_actors.http.schemas_codeq import (
    CleanupRequest,
    HeartbeatRequest,
    NackRequest,
    RenewRequest,
    WireError,
)
from docalign_actors.persistence.tokens import WORKER_SCOPES

_ALWAYS = (
    errors.BadRequestError, errors.WrongHostError, errors.AddressTooLongError, errors.HeadTooLargeError, DatabaseError,
    errors.BusyError,
)  # fmt: skip
_WITH_TOKEN = (errors.NotSignedInError, errors.NotAllowedError)
_WITH_BODY = (errors.BadBodyError, errors.TooLargeError, errors.WrongMediaTypeError, errors.SlowRequestError)
_WIRE_ERRORS = {
    "400": "The request is malformed.", "401": "There is no token, or none that is taken.",
    "403": "The token does not allow it, or `not-owner`.", "404": "There is no such thing for this tenant.",
    "409": "`not-in-progress`, or `not-failed`.", "413": "The body is too large.", "503": "Ask again in a moment.",
}  # fmt: skip
_OPTIONAL = (HeartbeatRequest, NackRequest, RenewRequest, CleanupRequest)
"""Bodies that may be left out."""
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
_PROBLEM = "#/components/schemas/Problem"


def document(operations: Iterable[Operation], lines: Iterable[Line] = (), server: str = "/") -> dict[str, Any]:
    """The whole document, OpenAPI 3.1. `lines` are those of the task queue, if there is one."""
    operations, lines = tuple(operations), tuple(lines)
    types = _types((*operations, *lines))
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    known = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        shown = paths.setdefault(_PARAMETER.sub(r"{\1}", operation.path), {})
        shown[operation.method.lower()] = _operation(operation, known, components)
    for line in lines:
        shown = paths.setdefault(BASE + _PARAMETER.sub(r"{\1}", line.path), {})
        shown[line.method.lower()] = _line(line, known, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "DocAlign Actors",
            "version": __version__,
            "description": "Keeps a repository's documentation true. Errors are problem documents (RFC 9457); lists come a "
            "page at a time, the next one by `cursor`; reads carry an ETag. The task queue (/v1/codeq) has a wire of its own: "
            'errors are `{"error": text}`.',
        },
        "servers": [{"url": server}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "A token of `docalign token create`."},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "docalign",
                    "description": "What the pages use; over https it is called __Host-docalign. Requests that change "
                    "something also need the header X-CSRF-Token.",
                },
            },
        },
    }


def _types(operations: Iterable[Operation | Line]) -> list[Any]:
    found: dict[str, Any] = {repr(kind): kind for kind in (problems.Problem, WireError)}
    for operation in operations:
        for kind in (operation.takes, operation.query, *(gives.body for gives in operation.gives)):
            if kind is not None:
                found[repr(kind)] = kind
    return list(found.values())


def _operation(operation: Operation, known: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [*_in_path(operation), *_in_query(operation, components), *_in_header(operation)],
        "responses": _responses(operation, known),
        "security": [{"bearer": []}, {"session": []}] if operation.role is not None else [],
    }
    if operation.role is not None:
        shown["description"] = f"Needs the role {operation.role.value}."
    if operation.takes is not None:
        shown["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": known[repr(operation.takes)]}},
        }
    return shown


def _line(line: Line, known: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """One line of the task queue's wire."""
    wrong = {"content": {"application/json": {"schema": known[repr(WireError)]}}}
    shown: dict[str, Any] = {
        "operationId": line.name,
        "summary": line.summary,
        "description": f"Needs the scope {line.needs}."
        if ":" in line.needs
        else f"Needs a role that may {line.needs}.",
        "tags": ["task queue"],
        "parameters": [*_in_path(line), *_in_query(line, components), *_in_header(line)],
        "responses": {
            **{str(gives.status): _given(gives, known) for gives in line.gives},
            **{status: {"description": text, **wrong} for status, text in _WIRE_ERRORS.items()},
        },
        "security": [{"bearer": []}],
    }
    if line.takes is not None:
        content = {"application/json": {"schema": known[repr(line.takes)]}}
        shown["requestBody"] = {"required": line.takes not in _OPTIONAL, "content": content}
    return shown


def _in_path(operation: Operation | Line) -> list[dict[str, Any]]:
    schemas = {key: {"type": "string", "format": "uuid"} for key in ("id", "subscription")}
    return [
        {"name": name, "in": "path", "required": True, "schema": schemas.get(name, {"type": "string"})}
        for name in _PARAMETER.findall(operation.path)
    ]


def _in_query(operation: Operation | Line, components: dict[str, Any]) -> list[dict[str, Any]]:
    schema = components.get(operation.query.__name__, {})
    return [
        {"name": name, "in": "query", "required": False, "schema": one}
        for name, one in schema.get("properties", {}).items()
    ]


def _in_header(operation: Operation | Line) -> list[dict[str, Any]]:
    """The headers that mean something to this operation."""
    found = ["X-Request-Id"]
    if isinstance(operation, Line):
        return [*map(_header, (*found, *(["X-Worker-Id"] if operation.needs in WORKER_SCOPES else [])))]
    if operation.method == "GET" and any(gives.media == "application/json" for gives in operation.gives):
        found.append("If-None-Match")
    if any(gives.media == "text/event-stream" for gives in operation.gives):
        found.append("Last-Event-ID")
    if operation.name == "requestScan":
        found.append("X-Delivery-Id")
    return [_header(name) for name in found]


def _header(name: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "schema": {"type": "string"}}


def _responses(operation: Operation, known: dict[str, Any]) -> dict[str, Any]:
    found = {str(gives.status): _given(gives, known) for gives in operation.gives}
    if operation.method == "GET" and any(gives.media == "application/json" for gives in operation.gives):
        found["304"] = {"description": "The client has it already."}
    for status, kinds in sorted(_by_status(_errors(operation)).items()):
        if str(status) not in found:
            text = " ".join(f"{kind.code}: {_sentence(kind)}" for kind in kinds)
            found[str(status)] = {
                "description": text,
                "content": {problems.MEDIA_TYPE: {"schema": {"$ref": _PROBLEM}}},
            }
    return found


def _given(gives: Gives, known: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {"description": gives.text}
    if gives.body is not None:
        shown["content"] = {gives.media: {"schema": known[repr(gives.body)]}}
    elif gives.status == 200:
        shown["content"] = {gives.media: {"schema": {"type": "string"}}}
    return shown


def _errors(operation: Operation) -> list[type[DocAlignError]]:
    return [
        *_ALWAYS,
        *(_WITH_TOKEN if operation.role is not None else ()),
        *(_WITH_BODY if operation.takes is not None else ()),
        *operation.errors,
    ]


def _by_status(kinds: Iterable[type[DocAlignError]]) -> dict[int, list[type[DocAlignError]]]:
    found: dict[int, list[type[DocAlignError]]] = {}
    for kind in kinds:
        of_status = found.setdefault(problems.status_of(kind), [])
        if kind not in of_status:
            of_status.append(kind)
    return found


def _sentence(kind: type[DocAlignError]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
