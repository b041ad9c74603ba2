"""What this component tells the stream of telemetry."""

from __future__ import annotations

from typing import ClassVar

from docalign_actors.telemetry.events import Event


class LetterSettled(Event, frozen=True, tag="outbound.settled"):
    """An attempt to deliver a letter ended, and the database knows. status: delivered, dead, or waiting for the next one."""

    kept: ClassVar[bool] = False
    kind: str
    lane: str
    status: str
    seconds: float = 0.0
    """Since the letter was written."""
