"""A clock that only a test moves."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class ManualClock:
    """Stands still until `advance`; whoever waits for a time registers with `on_advance`."""

    def __init__(self, start: datetime = datetime(2024, 1, 1, tzinfo=UTC)) -> None:
        self._lock = threading.Lock()
        self._start = start
        self._elapsed = 0.0
        self._set_by = timedelta()
        self._listeners: list[Callable[[], None]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed) + self._set_by

    def monotonic(self) -> float:
        return 1_000.0 + self._elapsed

    def on_advance(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def set_by(self, seconds: float) -> None:
        """Somebody sets the time of day; no time passes."""
        self._set_by += timedelta(seconds=seconds)
        self.advance(0.0)

    def advance(self, seconds: float) -> None:
        with self._lock:
            self._elapsed += seconds
        for listener in self._listeners:
            listener()
