"""The rate limiter: knows how much of today's allowances is used. The database has the same numbers; this is the fast copy."""

from __future__ import annotations

from docalign_actors.clock import Clock
from docalign_actors.scans.limits import Counter, Limits, reserve
from docalign_actors.scans.messages import Refusals, Reserve, Unreserve
from docalign_actors.scans.ports import ScanStore
from docalign_actors.supervision.actor import Actor


class RateLimiterActor(Actor):
    """Answers whether demands may be counted, and counts those that may."""

    def __init__(self, store: ScanStore, limits: Limits, clock: Clock) -> None:
        super().__init__()
        self._store = store
        self._limits = limits
        self._clock = clock
        self._used: dict[Counter, int] = {}
        self._day = clock.now().date()

    def started(self) -> None:
        self._day = self._clock.now().date()
        self._used = dict(self._store.counters(self._day))

    def receive(self, message: object) -> Refusals | None:
        match message:
            case Reserve(demands=demands):
                if self._clock.now().date() != self._day:
                    self.started()
                answers, added = reserve(demands, self._used, self._limits)
                for counter, number in added.items():
                    self._used[counter] = self._used.get(counter, 0) + number
                return answers
            case Unreserve(demands=demands):
                for counter in (c for demand in demands for c in demand):
                    self._used[counter] = max(0, self._used.get(counter, 0) - 1)
        return None
