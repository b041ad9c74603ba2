"""Messages to the outbound actor."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct


class Post(Struct, frozen=True, tag="outbound.post"):
    """There may be something to send."""


class Sent(Struct, frozen=True, tag="outbound.sent"):
    """From a helper's thread: a delivery came to an end; `error` is empty if it arrived."""

    letter: UUID
    lane: str
    attempts: int
    error: str
    hopeless: bool = False
    at: datetime | None = None
