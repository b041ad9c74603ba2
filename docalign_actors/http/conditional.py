"""ETags: a client that has the newest state already is told so, and sent nothing."""

from __future__ import annotations

import hashlib


def etag_of(body: bytes) -> str:
    """A strong tag: it changes whenever the body does."""
    return f'"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def matches(header: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this tag (RFC 9110: by weak comparison)."""
    if header is None:
        return False
    named = [one.strip() for one in header.split(",")]
    return "*" in named or any(one.removeprefix("W/") == tag for one in named)
