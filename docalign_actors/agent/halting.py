"""The word that work is to stop: because its lease is lost, or because the agent is. Whoever works says what has to be ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class HaltedError(Exception):
    """The work was stopped: what it would have come to does not matter any more."""


class Halt:
    """Set once. What was registered to be ended is ended at that moment, in the thread that sets it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason = ""
        self._endings: dict[object, Callable[[], None]] = {}
        self._set = threading.Event()

    @property
    def reason(self) -> str:
        return self._reason

    def set(self, reason: str) -> None:
        with self._lock:
            if self._reason:
                return
            self._reason = reason
            endings = list(self._endings.values())
        self._set.set()
        for end in endings:
            end()

    def wait(self, seconds: float) -> bool:
        """Whether it was set within this time."""
        return self._set.wait(seconds)

    def check(self) -> None:
        if self._reason:
            raise HaltedError(self._reason)

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """While this is entered, `end` is called when the word comes; at once if it has come."""
        key = object()
        with self._lock:
            late = bool(self._reason)
            self._endings[key] = end
        if late:
            end()
        try:
            yield
        finally:
            with self._lock:
                del self._endings[key]
