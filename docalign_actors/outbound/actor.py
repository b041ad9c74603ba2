"""The outbound actor: takes letters out of the outbox and has them carried to their addresses.

At least once: a letter is marked when it has arrived, so one that was under way when the process ended goes again; its
id is in a header. In order: the next letter of a lane leaves when the one before it has arrived or was given up.
"""

from __future__ import annotations

import random
import threading
from datetime import timedelta

from docalign_actors.clock import Clock
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.outbound.messages import Post, Sent, Tidy
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival, Outbox, Sender
from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem

NAME = "outbound"
_CARRIERS = 8
"""Letters under way at once."""
_NET = 60.0
_LEAST = 0.02
_TIDY = 3600.0
_KEPT = timedelta(days=7)
_PIECE = 1_000

BACKOFF = Backoff(Curve.EQUAL_JITTER, 2.0, 900.0)


class OutboundActor(Actor):
    """One of them. Helpers, a thread each, do what takes time."""

    def __init__(self, outbox: Outbox, sender: Sender, clock: Clock, *, attempts: int, backoff: Backoff) -> None:
        super().__init__()
        self._outbox = outbox
        self._sender = sender
        self._clock = clock
        self._attempts = attempts
        self._backoff = backoff
        self._busy: set[str] = set()

    def started(self) -> None:
        self.context.tell_self(Post())
        self.context.after(_TIDY, Tidy(), key="tidy")

    def receive(self, message: object) -> None:
        match message:
            case Post():
                self._serve()
            case Sent(letter=letter, arrival=arrival):
                self._settle(letter, arrival)
                self._busy.discard(letter.lane)
                self._serve()
            case Tidy():
                gone = self._outbox.forget(self._clock.now() - _KEPT, _PIECE)
                self.context.after(1.0 if gone == _PIECE else _TIDY, Tidy(), key="tidy")

    def _serve(self) -> None:
        free = _CARRIERS - len(self._busy)
        if free <= 0:
            return  # the next one that comes back looks again
        now = self._clock.now()
        for letter in self._outbox.due(now, self._busy, free):
            self._busy.add(letter.lane)
            threading.Thread(target=self._carry, args=(letter,), name=f"outbound-{letter.id}", daemon=True).start()
        due = self._outbox.next_due(self._busy)
        wait = _NET if due is None else min(_NET, (due - now).total_seconds())
        self.context.after(max(_LEAST, wait), Post(), key="post")

    def _carry(self, letter: Letter) -> None:
        """In a thread of its own."""
        try:
            arrival = self._sender.send(letter, self._clock.now())
        except Exception as error:  # a mistake of ours: counted as a failed attempt, so that it ends
            arrival = Arrival(f"{type(error).__name__}: {error}"[:500])
        self.context.tell_self(Sent(letter, arrival))

    def _settle(self, letter: Letter, arrival: Arrival) -> None:
        now, attempts = self._clock.now(), letter.attempts + 1
        if not arrival.error:
            self._outbox.delivered(letter.id, attempts, now)
        elif arrival.hopeless or attempts >= self._attempts:
            self._outbox.give_up(letter.id, attempts, arrival.error, now)
        else:
            delay = self._backoff.delay(attempts, random.random())  # noqa: S311 - spreads the load, guards nothing
            self._outbox.retry(letter.id, attempts, arrival.error, now + timedelta(seconds=delay))


def assemble(
    system: ActorSystem, outbox: Outbox, sender: Sender, clock: Clock, *, attempts: int = 8, backoff: Backoff = BACKOFF
) -> None:
    """Registers the actor. It is to be there before those who put letters into the outbox."""
    system.supervise(
        NAME,
        lambda: OutboundActor(outbox, sender, clock, attempts=attempts, backoff=backoff),
        Policy(intensity=10, rest=30.0),
    )
