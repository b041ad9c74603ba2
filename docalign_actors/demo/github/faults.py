"""Faults on demand: what goes wrong, with which requests, and how often."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
PRIMARY = "API rate limit exceeded for installation ID 1."


@dataclass
class Fault:
    """kind   before: an error instead of the effect; after: the effect, then the error; hang, hang_after: no answer at all;
    secondary, primary: a limit; missing: 404; stale: the answer of the moment at which the fault was made
    times     how many requests it hits; None for all until it is lifted"""

    kind: str
    method: str = ".*"
    path: str = ".*"
    times: int | None = 1
    status: int = 502
    retry_after: int | None = None
    reset_in: int = 3600
    seq: int = 0
    hits: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    def matches(self, method: str, path: str) -> bool:
        if self.times is not None and self.hits >= self.times:
            return False
        return bool(re.fullmatch(self.method, method) and re.search(self.path, path))

    def lift(self) -> None:
        self.times = self.hits
        self.released.set()


class Faults:
    """Which faults there are just now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        with self._lock:
            self._all.append(fault)
        return fault

    def of(self, method: str, path: str) -> Fault | None:
        """The fault that this request meets, if any."""
        with self._lock:
            for fault in self._all:
                if fault.matches(method, path):
                    fault.hits += 1
                    return fault
        return None

    def lift_all(self) -> None:
        with self._lock:
            for fault in self._all:
                fault.lift()
            self._all.clear()
