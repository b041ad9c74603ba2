"""How long to wait before the next attempt. Pure: chance is passed in."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Curve(Enum):
    """How the delay grows with the attempts."""

    FIXED = "fixed"
    LINEAR = "linear"
    EXPONENTIAL = "exponential"
    EQUAL_JITTER = "exp_equal_jitter"
    FULL_JITTER = "exp_full_jitter"


class Backoff(Struct, frozen=True):
    """`base` seconds after the first attempt, never more than `most`."""

    curve: Curve = Curve.FULL_JITTER
    base: float = 5.0
    most: float = 900.0

    def delay(self, attempt: int, chance: float) -> float:
        """Seconds after the n-th attempt, counted from 1. `chance` is from 0 to 1; without jitter it does not matter."""
        attempt = max(1, attempt)
        if self.curve is Curve.FIXED:
            return min(self.base, self.most)
        if self.curve is Curve.LINEAR:
            return min(self.base * attempt, self.most)
        # The exponent is bounded: beyond it every delay is the longest anyway, and 2.0 ** n would overflow.
        grown = min(self.base * 2.0 ** min(attempt - 1, 64), self.most)
        match self.curve:
            case Curve.EQUAL_JITTER:
                return grown / 2 + grown / 2 * chance
            case Curve.FULL_JITTER:
                return grown * chance
        return grown
