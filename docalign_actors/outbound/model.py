"""A letter: one thing to be sent to one address."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct


class Letter(Struct, frozen=True):
    """What is to be sent. What goes to one lane goes in order, one after the other."""

    id: UUID
    lane: str
    tenant_id: str
    kind: str
    url: str
    body: str
    created_at: datetime
    attempts: int = 0
    trace: str = ""


class LetterView(Struct, frozen=True):
    """A letter as it is shown to those who look after it."""

    id: UUID
    position: int
    kind: str
    url: str
    status: str
    attempts: int
    last_error: str
    created_at: datetime
    ended_at: datetime | None


class LetterFigures(Struct, frozen=True):
    """How many letters wait (those that have failed and are tried again among them), and were given up."""

    waiting: int = 0
    failing: int = 0
    dead: int = 0
