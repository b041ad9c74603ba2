"""The watcher: takes what is due, a batch at a time, has it looked at by a few threads, and writes down what came of it.

Everything is in the table. A repository stays due until what followed from the look is committed: so a kill loses nothing,
and what is asked for a second time after it is the run that is there already.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from loguru import logger
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.scans.events import RepoChanged
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.circuit import State
from docalign_actors.watch.deciding import Due, Wait, first_step, plan
from docalign_actors.watch.events import CircuitMoved
from docalign_actors.watch.lookers import LookerParts, Lookers, NotDone
from docalign_actors.watch.messages import Gather, LookAround
from docalign_actors.watch.ports import Settled, WatchStore

NAME = "watcher"
_NET = 60.0
"""Seconds after which it looks around although nothing is known to be due."""
_PAUSE = 5.0
"""Seconds after something could not be done, through no fault of a repository."""
_LEAST = 0.05
_SET_ANEW = 60.0
"""Seconds by which the clock was set, or the machine slept, from which on what was planned is looked through again."""


class WatcherParts(Struct, frozen=True):
    """What the actor works with. `window`: seconds over which is spread what became due while nobody looked."""

    store: WatchStore
    looking: LookerParts
    clock: Clock
    events: EventStream
    window: float = 300.0


class WatcherActor(Actor):
    """One of them."""

    def __init__(self, parts: WatcherParts) -> None:
        super().__init__()
        self._parts = parts
        self._store = parts.store
        self._under_way: set[RepoId] = set()
        self._lookers: Lookers | None = None
        self._lead = 0.0

    def started(self) -> None:
        self._spread()
        self._lookers = Lookers(self._parts.looking, lambda: self.context.tell_self(Gather()))
        self.context.tell_self(LookAround())

    def stopping(self) -> None:
        if self._lookers is not None:
            self._lookers.end()
        if self.context.draining:
            self._parts.looking.heads.close()

    def receive(self, message: object) -> None:
        match message:
            case LookAround():
                self._look_around()
            case Gather() if self._lookers is not None:
                self._gather(self._lookers.take())

    def _spread(self) -> None:
        self._lead = self._lead_of_the_clock()
        spread = self._store.spread(self._parts.clock.now(), self._parts.looking.numbers, self._parts.window)
        if spread:
            logger.info(
                "{} repositories were long due, or planned by another rule or clock: spread over {:.0f} s",
                spread,
                self._parts.window,
            )

    def _lead_of_the_clock(self) -> float:
        """By how much the time of day is ahead of the time that has passed. It changes when somebody sets the clock."""
        return self._parts.clock.now().timestamp() - self._parts.clock.monotonic()

    def _look_around(self) -> None:
        if self.context.draining or self._lookers is None:
            return
        if abs(self._lead_of_the_clock() - self._lead) > _SET_ANEW:
            self._spread()
        # Two for each thread: none waits for the next batch, and what is taken is soon done.
        room = 2 * self._parts.looking.number - len(self._under_way)
        if room > self._parts.looking.number // 2:
            now = self._parts.clock.now()
            barred = [self._begin(due) for due in self._store.due(now, self._under_way, room)]
            self._settle([one for one in barred if one is not None])
        self._set_timer()

    def _begin(self, due: Due) -> Settled | None:
        """Hands it to the lookers; or, if its circuit bars it, gives when it is due again."""
        now, numbers = self._parts.clock.now(), self._parts.looking.numbers
        step = first_step(due, now, numbers)
        if isinstance(step, Wait):
            return Settled(due=due, plan=plan(due, step, now, numbers, reached=False))
        if due.circuit.state is not State.CLOSED:
            self._say([self._store.let_through(due.repo_id, now)])
        self._under_way.add(due.repo_id)
        if self._lookers is not None:
            self._lookers.give(due, step)
        return None

    def _gather(self, done: Sequence[Settled | NotDone]) -> None:
        self._settle([one for one in done if isinstance(one, Settled)])
        for one in done:
            self._under_way.discard(one.due.repo_id)
        if any(isinstance(one, NotDone) for one in done):
            self.context.after(_PAUSE, LookAround(), key="look")
        else:
            self._look_around()

    def _settle(self, results: Sequence[Settled]) -> None:
        if results:
            self.context.check()
            self._say(self._store.settle(results, self._parts.clock.now()))

    def _say(self, moved: Sequence[CircuitMoved | None]) -> None:
        say_moved(self._parts.events, moved)

    def _set_timer(self) -> None:
        due = self._store.next_due(self._under_way)
        wait = _NET if due is None else (due - self._parts.clock.now()) / timedelta(seconds=1)
        self.context.after(min(_NET, max(_LEAST, wait)), LookAround(), key="look")


def say_moved(events: EventStream, moved: Sequence[CircuitMoved | None]) -> None:
    """Tells of circuits that moved; it is written down already."""
    for one in moved:
        if one is not None:
            level = "INFO" if one.after == "closed" else "WARNING"
            logger.log(level, "the circuit of repository {} is {}: {}", one.repo_id, one.after, one.cause)
            events.publish(one)
            events.publish(RepoChanged(one.repo_id))
