"""What time it is: passed in wherever time matters, so that a test can move it by hand."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The two questions about time: when is it, and how long did it take."""

    def now(self) -> datetime:
        """The time of day, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from some fixed point; never goes back."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
