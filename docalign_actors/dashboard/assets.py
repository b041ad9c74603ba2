"""The files that the pages bring along: read once, named by what is in them, so that a browser may keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from msgspec import Struct

TYPES = {
    "app.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


class Asset(Struct, frozen=True):
    """A file with its media type and the mark of this very version."""

    data: bytes
    type: str
    mark: str


@cache
def asset(name: str) -> Asset | None:
    """A file of ours; None for any other name, whatever it looks like."""
    if name not in TYPES:
        return None
    data = (files("docalign_actors.dashboard") / "static" / name).read_bytes()
    return Asset(data, TYPES[name], hashlib.sha256(data).hexdigest()[:16])


def url(name: str) -> str:
    """Its address. It changes with the file."""
    found = asset(name)
    if found is None:
        raise KeyError(name)
    return f"/static/{name}?v={found.mark}"
