"""The description of the API, made of the table of routes and of the types themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from docalign_actors import __version__
from docalign_actors.errors import DatabaseError, DocAlignError
from docalign_actors.http import errors, problems
from docalign_actors.http.routing import Gives, Operation

_ALWAYS = (errors.BadRequestError, errors.WrongHostError, errors.AddressTooLongError, DatabaseError, errors.BusyError)
_WITH_TOKEN = (errors.NotSignedInError, errors.NotAllowedError)
_WITH_BODY = (errors.BadBodyError, errors.TooLargeError, errors.WrongMediaTypeError, errors.SlowRequestError)
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
_PROBLEM = "#/components/schemas/Problem"


def document(operations: Iterable[Operation], server: str = "/") -> dict[str, Any]:
    """The whole document, OpenAPI 3.1."""
    operations = tuple(operations)
    types = _types(operations)
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    known = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        shown = paths.setdefault(_PARAMETER.sub(r"{\1}", operation.path), {})
        shown[operation.method.lower()] = _operation(operation, known, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "DocAlign Actors",
            "version": __version__,
            "description": "Keeps a repository's documentation true. Errors are problem documents (RFC 9457); lists come a "
            "page at a time, the next one by `cursor`; reads carry an ETag.",
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


def _types(operations: Iterable[Operation]) -> list[Any]:
    found: dict[str, Any] = {repr(problems.Problem): problems.Problem}
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


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    schemas = {key: {"type": "string", "format": "uuid"} for key in ("id", "subscription")}
    return [
        {"name": name, "in": "path", "required": True, "schema": schemas.get(name, {"type": "string"})}
        for name in _PARAMETER.findall(operation.path)
    ]


def _in_query(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    schema = components.get(operation.query.__name__, {})
    return [
        {"name": name, "in": "query", "required": False, "schema": one}
        for name, one in schema.get("properties", {}).items()
    ]


def _in_header(operation: Operation) -> list[dict[str, Any]]:
    """The headers that mean something to this operation."""
    found = ["X-Request-Id"]
    if operation.method == "GET" and any(gives.media == "application/json" for gives in operation.gives):
        found.append("If-None-Match")
    if any(gives.media == "text/event-stream" for gives in operation.gives):
        found.append("Last-Event-ID")
    if operation.name == "requestScan":
        found.append("X-Delivery-Id")
    return [{"name": name, "in": "header", "required": False, "schema": {"type": "string"}} for name in found]


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
