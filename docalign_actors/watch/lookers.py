"""The few threads that look at repositories: a look may take as long as git's time-out, so no actor does it itself."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

from loguru import logger
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.circuit import Failed, Origin, Worked
from docalign_actors.watch.deciding import Due, Head, Look, Numbers, Step, plan, wanted
from docalign_actors.watch.events import HeadLooked, ScanAsked
from docalign_actors.watch.ports import Asking, Heads, Settled

_MOST_ERROR = 1_000


class NotDone(Struct, frozen=True):
    """Nothing came of it, through no fault of the repository: it stays due."""

    due: Due


class LookerParts(Struct, frozen=True):
    """What the threads work with. `number`: how many there are."""

    heads: Heads
    ask: Asking
    clock: Clock
    events: EventStream
    numbers: Numbers
    number: int = 16


class Lookers:
    """Daemon threads around one queue. Results gather until they are taken; `tell` is called when the first has come."""

    def __init__(self, parts: LookerParts, tell: Callable[[], None]) -> None:
        self._parts = parts
        self._tell = tell
        self._waiting: queue.SimpleQueue[tuple[Due, Step] | None] = queue.SimpleQueue()
        self._done: deque[Settled | NotDone] = deque()
        self._told = False
        for number in range(parts.number):
            threading.Thread(target=self._work, name=f"looker-{number}", daemon=True).start()

    def give(self, due: Due, step: Step) -> None:
        self._waiting.put((due, step))

    def take(self) -> list[Settled | NotDone]:
        # First the flag: who brings something from now on tells again, and at the worst there is nothing.
        self._told = False
        taken: list[Settled | NotDone] = []
        while self._done:
            taken.append(self._done.popleft())
        return taken

    def end(self) -> None:
        """What waits is dropped; each thread ends after the look that it is at."""
        while not self._waiting.empty():
            self._waiting.get()
        for _ in range(self._parts.number):
            self._waiting.put(None)

    def _work(self) -> None:
        while (given := self._waiting.get()) is not None:
            due, step = given
            try:
                done: Settled | NotDone = self._look(due, step)
            except Exception as error:
                logger.warning("repository {} is looked at again later: {}", due.repo_id, error)
                done = NotDone(due)
            self._done.append(done)
            if not self._told:
                self._told = True
                self._tell()

    def _look(self, due: Due, step: Step) -> Settled:
        parts, now = self._parts, self._parts.clock.now()
        looked: Failed | Worked | None = None
        head: Head | None = None
        if isinstance(step, Look):
            began = parts.clock.monotonic()
            try:
                head = parts.heads.look(due.repo_id, due.url, due.scanned_head, tuple(due.followed))
                looked = Worked(Origin.LOOK)
            except DocAlignError as error:
                looked = Failed(Origin.LOOK, error.code, str(error)[:_MOST_ERROR])
            self._say_looked(due, head, now, parts.clock.monotonic() - began)
        reached = not isinstance(looked, Failed)
        if reached:
            self._ask_for(due, head, now)
        planned = plan(due, step, now, parts.numbers, reached=reached)
        return Settled(due=due, plan=planned, looked=looked, looked_at=now if looked else None, head=head)

    def _ask_for(self, due: Due, head: Head | None, now: datetime) -> None:
        """The run is committed when this returns: what is written down after it may be lost, and is then done again."""
        scan = wanted(due, head, now, self._parts.numbers)
        if scan is None:
            return
        run = self._parts.ask(due, scan)
        logger.info("{} {} of repository {} is run {}: {}", scan.kind, scan.type.value, due.repo_id, run, scan.why)
        self._parts.events.publish(ScanAsked(due.repo_id, run, scan.kind, scan.why))

    def _say_looked(self, due: Due, head: Head | None, now: datetime, seconds: float) -> None:
        known = due.seen_head or due.scanned_head
        outcome = "failed" if head is None else "same" if head.sha == known else "moved"
        late = max(0.0, (now - due.due_at) / timedelta(seconds=1))
        self._parts.events.publish(HeadLooked(due.repo_id, outcome, seconds, late))
