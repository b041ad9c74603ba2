"""Cursors: where the next page of a list begins. Opaque to clients; whatever they send instead is refused."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from docalign_actors.http.errors import BadRequestError

Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A place in a list that is numbered."""
SmallNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Place = tuple[str, SmallNumber, str]
"""A place in the documents: file, line, and the claim there."""
_LONGEST = 6_000
"""Characters: the longest key is a file's path."""


def encode(kind: str, key: tuple[Any, ...]) -> str:
    """The cursor of a list of this kind."""
    return base64.urlsafe_b64encode(msgspec.json.encode((kind, *key))).decode().rstrip("=")


def decode(kind: str, text: str, shape: Any) -> Any:
    """The key in a cursor. Raises if it is not one that this service made for a list of this kind."""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        if b"\\u0000" in raw:  # no text in the database holds one
            raise ValueError
        marked, *key = msgspec.json.decode(raw, type=list[Any])
        if marked != kind:
            raise ValueError
        return msgspec.convert(tuple(key), shape)
    except (ValueError, UnicodeError, binascii.Error, msgspec.MsgspecError, RecursionError):
        raise BadRequestError("This is no cursor of this list.", hint="Use `next_cursor` of a page as it is.") from None
