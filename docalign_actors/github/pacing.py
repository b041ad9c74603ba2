"""Decides when the next write of an installation may be sent. Pure: the time is passed in, in seconds.

GitHub allows 80 writes a minute and 500 an hour that make content, at least a second apart, one at a time. One actor sends
all writes of an installation, so it is the only one that has to know.
"""

from __future__ import annotations

from msgspec import Struct

_MINUTE, _HOUR = 60.0, 3_600.0


class WriteLimits(Struct, frozen=True):
    """What one installation may write: seconds between two writes, writes a minute and an hour; 0 for as many as one likes."""

    interval: float = 1.0
    per_minute: int = 80
    per_hour: int = 500


class Pace(Struct, frozen=True):
    """When writes were sent within the last hour, newest last."""

    sent: tuple[float, ...] = ()

    def after_write(self, now: float) -> Pace:
        return Pace((*(t for t in self.sent if t > now - _HOUR), now))

    def wait(self, now: float, limits: WriteLimits) -> float:
        """Seconds until the next write may be sent; 0 for now."""
        if not self.sent:
            return 0.0
        waits = [self.sent[-1] + limits.interval - now]
        for window, most in ((_MINUTE, limits.per_minute), (_HOUR, limits.per_hour)):
            if 0 < most <= len(self.sent):
                waits.append(self.sent[-most] + window - now)
        return max(0.0, *waits)
