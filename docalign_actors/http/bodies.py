"""Reads what clients send, within bounds, and says which field is wrong."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request

from docalign_actors.http.errors import (
    BadBodyError,
    BadRequestError,
    SlowRequestError,
    TooLargeError,
    WrongMediaTypeError,
)
from docalign_actors.http.heads import header
from docalign_actors.http.services import HttpSettings

_LONGEST_REASON = 300


async def read_body(request: Request, kind: Any, settings: HttpSettings) -> Any:
    """The body as this type."""
    return parse(await read_json(request, settings.body_limit, settings.body_seconds), kind)


async def read_json(request: Request, limit: int, seconds: float) -> bytes:
    """A body of JSON, to the byte."""
    scope = request.scope
    media, _, parameters = (header(scope, b"content-type") or "").partition(";")
    if media.strip().lower() != "application/json" or (parameters and not _is_utf8(parameters)):
        raise WrongMediaTypeError
    if (header(scope, b"content-encoding") or "identity").lower() != "identity":
        raise WrongMediaTypeError("Compressed bodies are not taken.")
    return await read_raw(request, limit, seconds)


async def read_raw(request: Request, limit: int, seconds: float) -> bytes:
    """A body as it comes. It is counted on the way: a client may say nothing of its length, or lie."""
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError:
        raise SlowRequestError from None


def parse(raw: bytes, kind: Any) -> Any:
    """JSON as this type. Says what is wrong, and where."""
    try:
        return _decoder(kind).decode(raw)
    except msgspec.ValidationError as error:
        raise BadBodyError(f"{str(error)[:_LONGEST_REASON]}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadRequestError("The body is not valid JSON.") from None
    except RecursionError:
        raise BadRequestError("The body is nested too deeply.") from None


def read_query(request: Request, kind: type[Struct]) -> Any:
    """The parameters in the address, each at most once."""
    if not request.scope["query_string"]:
        return _default(kind)
    given = request.query_params.multi_items()
    values = dict(given)
    if len(values) != len(given):
        raise BadRequestError("A parameter is given twice.")
    if any("\0" in text for text in values.values()):
        raise BadRequestError("A parameter holds a NUL character.")
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequestError(f"{str(error)[:_LONGEST_REASON]}.") from None


@cache
def _default(kind: type[Struct]) -> Struct:
    return kind()


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


async def _read(request: Request, limit: int) -> bytes:
    told = header(request.scope, b"content-length") or "0"
    if told.isdecimal() and int(told[:20]) > limit:
        raise TooLargeError(f"The body may have {limit:,} bytes.")
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise TooLargeError(f"The body may have {limit:,} bytes.")
        parts.append(part)
    return b"".join(parts)


def _is_utf8(parameters: str) -> bool:
    name, _, value = parameters.strip().partition("=")
    return not name or (name.strip().lower() == "charset" and value.strip(' "').lower() in ("utf-8", "utf8"))
