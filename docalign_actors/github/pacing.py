"""Decides when the next write of an installation may be sent. Pure: the time is passed in, in seconds.

GitHub allows 80 writes a minute and 500 an hour that make content, at least a second apart, one at a time. One actor sends
all writes of an installation, so it is the only one that has to know.
"""

from __future__ import annotations

from msgspec import Struct

_MINUTE, _PER_MINUTE = 60.0, 80
_HOUR, _PER_HOUR = 3_600.0, 500


class Pace(Struct, frozen=True):
    """When writes were sent within the last hour, newest last."""

    sent: tuple[float, ...] = ()

    def after_write(self, now: float) -> Pace:
        return Pace((*(t for t in self.sent if t > now - _HOUR), now))

    def wait(self, now: float, interval: float) -> float:
        """Seconds until the next write may be sent; 0 for now."""
        if not self.sent:
            return 0.0
        waits = [self.sent[-1] + interval - now]
        for window, most in ((_MINUTE, _PER_MINUTE), (_HOUR, _PER_HOUR)):
            if len(self.sent) >= most:
                waits.append(self.sent[-most] + window - now)
        return max(0.0, *waits)
