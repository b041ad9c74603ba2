"""Every message of the watcher."""

from __future__ import annotations

from msgspec import Struct


class LookAround(Struct, frozen=True, tag="watch.look_around"):
    """Is anything due?"""


class Gather(Struct, frozen=True, tag="watch.gather"):
    """To itself: write down what the lookers have brought."""


class CountScans(Struct, frozen=True, tag="circuits.count_scans"):
    """Scans have ended or were asked for: count what concerns circuits."""
