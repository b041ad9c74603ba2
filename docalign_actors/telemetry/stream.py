"""The stream of events: synchronous, cheap, and never a danger to the one who publishes."""

import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime

import msgspec
from loguru import logger

from docalign_actors.clock import Clock, SystemClock

Callback = Callable[[msgspec.Struct], None]

KEPT = 1_000


class Recorded(msgspec.Struct, frozen=True):
    """An event with its time and its place in the stream."""

    number: int
    at: datetime
    event: msgspec.Struct


class EventStream:
    """Hands each event to every subscriber, in the thread of the publisher; remembers the last 1,000 for pages."""

    def __init__(self, *, clock: Clock | None = None, keep: int = KEPT) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._callbacks: tuple[tuple[Callback, tuple[type, ...]], ...] = ()
        self._ring: deque[Recorded] = deque(maxlen=keep)
        self._number = 0
        self.errors = 0
        """How often a subscriber failed."""

    def publish(self, event: msgspec.Struct) -> None:
        """Tell everybody. A subscriber that fails is counted and logged; the publisher never learns of it."""
        if getattr(event, "kept", True):
            with self._lock:
                self._number += 1
                self._ring.append(Recorded(self._number, self._clock.now(), event))
        for callback, kinds in self._callbacks:
            if kinds and not isinstance(event, kinds):
                continue
            try:
                callback(event)
            except Exception:
                self.errors += 1
                logger.opt(exception=True).warning("a subscriber failed on {}", type(event).__name__)

    def subscribe(self, callback: Callback, *kinds: type) -> Callable[[], None]:
        """Call `callback` with every event from now on (only with those of `kinds`, if any are named); returns what ends it."""
        entry = (callback, kinds)
        with self._lock:
            self._callbacks = (*self._callbacks, entry)

        def unsubscribe() -> None:
            with self._lock:
                self._callbacks = tuple(each for each in self._callbacks if each is not entry)

        return unsubscribe

    def recent(self, *, after: int = 0) -> list[Recorded]:
        """The kept events, oldest first; only those numbered above `after`."""
        with self._lock:
            return [recorded for recorded in self._ring if recorded.number > after]
