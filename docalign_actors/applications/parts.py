"""How a file's content is sent: in one piece, in several, or not at all but for an address to fetch it from. Pure."""

from __future__ import annotations

import base64
from typing import Any

from msgspec import Struct

SNIFFED = 8_000
"""Bytes in which a NUL makes a file binary; git looks at as many."""


class Limits(Struct, frozen=True):
    """Bytes. inline: in one delivery; chunked: a binary file of at most this size comes in several."""

    inline: int = 65_536
    chunked: int = 1_048_576


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:SNIFFED]


def must_sniff(size: int, limits: Limits) -> bool:
    """Whether only a look at the file tells in how many pieces it goes."""
    return limits.inline < size <= limits.chunked


def pieces(size: int, binary: bool, limits: Limits) -> int:
    """In how many deliveries a file goes; 0 if it has to be fetched."""
    if size <= limits.inline:
        return 1
    if not binary or size > limits.chunked:
        return 0
    return -(-size // limits.inline)


def content(data: bytes, chunk: int, chunks: int, content_id: str, limits: Limits) -> dict[str, Any]:
    """One piece of a file, as it stands in an event."""
    if chunks == 1:
        text = None if is_binary(data) else _decoded(data)
        if text is not None:
            return {"encoding": "utf-8", "text": text}
    start = (chunk - 1) * limits.inline
    piece = data if chunks == 1 else data[start : start + limits.inline]
    return {
        "encoding": "base64", "id": content_id, "chunk": chunk, "chunks": chunks,
        "data": base64.b64encode(piece).decode(),
    }  # fmt: skip


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
