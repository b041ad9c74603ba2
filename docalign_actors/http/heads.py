"""The headers of a request, read once. Every request asks for half a dozen of them."""

from __future__ import annotations

from starlette.types import Scope

_KEY = "docalign.headers"


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header, by its name in small letters; the first one where it is given twice."""
    found: dict[bytes, bytes] | None = scope.get(_KEY)
    if found is None:
        found = dict(reversed(scope["headers"]))
        scope[_KEY] = found
    value = found.get(name)
    return None if value is None else value.decode("latin-1")
