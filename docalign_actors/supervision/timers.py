"""All timers of the system on one thread: a heap of what is due when."""

import heapq
import itertools
import threading
from collections.abc import Callable

from loguru import logger

from docalign_actors.clock import Clock


class Timer:
    """One thing to be done later. `cancelled` may be set at any time; it is looked at when the time has come."""

    __slots__ = ("action", "cancelled", "due", "key")

    def __init__(self, due: float, action: Callable[[], None], key: str) -> None:
        self.due = due
        self.action = action
        self.cancelled = False
        self.key = key
        """What its owner calls it."""


class Timers:
    """Runs each action when it is due, on its own thread. Actions must be quick: they put a message somewhere."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._heap: list[tuple[float, int, Timer]] = []
        self._numbers = itertools.count()
        self._cancelled = 0
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="timers", daemon=True)
        self._thread.start()

    def after(self, seconds: float, action: Callable[[], None], key: str = "") -> Timer:
        """Do it once, so many seconds from now."""
        timer = Timer(self._clock.monotonic() + max(seconds, 0.0), action, key)
        with self._condition:
            first = not self._heap or timer.due < self._heap[0][0]
            heapq.heappush(self._heap, (timer.due, next(self._numbers), timer))
            if first:
                self._condition.notify()
        return timer

    def cancel(self, timer: Timer) -> None:
        """Do not do it. The heap forgets it when it would have been due, or when most of the heap is cancelled."""
        timer.cancelled = True
        with self._condition:
            self._cancelled += 1
            if self._cancelled > 100 and self._cancelled > len(self._heap) // 2:
                self._heap = [entry for entry in self._heap if not entry[2].cancelled]
                heapq.heapify(self._heap)
                self._cancelled = 0

    def wake(self) -> None:
        """Look at the clock now: it was moved by hand."""
        with self._condition:
            self._condition.notify()

    def stop(self) -> None:
        """Nothing is done any more."""
        with self._condition:
            self._stopped = True
            self._heap.clear()
            self._condition.notify()

    def turn(self, timeout: float) -> bool:
        """Whether the thread does what is due, within so many seconds."""
        rung = threading.Event()
        self.after(0.0, rung.set)
        return rung.wait(timeout)

    def __len__(self) -> int:
        with self._condition:
            return sum(not timer.cancelled for _, _, timer in self._heap)

    def _run(self) -> None:
        while True:
            with self._condition:
                timer = self._next()
                if self._stopped:
                    return
            if timer is not None and not timer.cancelled:
                try:
                    timer.action()
                except BaseException:
                    # The thread serves everybody: no action may end it.
                    logger.opt(exception=True).error("a timer failed")

    def _next(self) -> Timer | None:
        """Waits until something is due, or something changed."""
        if not self._heap:
            self._condition.wait()
            return None
        wait = self._heap[0][0] - self._clock.monotonic()
        if wait > 0:
            self._condition.wait(wait)
            return None
        return heapq.heappop(self._heap)[2]
