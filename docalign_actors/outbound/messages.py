"""Messages to the outbound actor."""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival


class Post(Struct, frozen=True, tag="outbound.post"):
    """There may be something to send."""


class Sent(Struct, frozen=True, tag="outbound.sent"):
    """From a helper's thread: a delivery came to an end."""

    letter: Letter
    arrival: Arrival


class Settle(Struct, frozen=True, tag="outbound.settle"):
    """To itself: write down what came of the deliveries that have ended."""


class Tidy(Struct, frozen=True, tag="outbound.tidy"):
    """To itself: forget letters that ended long ago."""
