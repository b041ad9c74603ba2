"""The outbound actor: takes letters out of the outbox and has them carried to their addresses.

At least once: a letter is marked when it has arrived, so one that was under way when the process ended goes again; its
id is in a header. In order: the next letter of a lane leaves when the one before it has arrived or was given up.
Lanes whose last attempt failed have carriers of their own, so that receivers who hang hold up nobody who answers.
"""

from __future__ import annotations

import random
import threading
from datetime import datetime, timedelta

from docalign_actors.clock import Clock
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.outbound.events import LetterSettled
from docalign_actors.outbound.messages import Post, Sent, Settle, Tidy
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival, Manners, Outbox, Outcome, Sender
from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream

NAME = "outbound"
CARRIERS = {False: 24, True: 8}
"""Letters under way at once: in lanes that work, and in those that fail."""
_NET = 60.0
_LEAST = 0.02
_TIDY = 3600.0
_KEPT = timedelta(days=7)
_PIECE = 1_000

BACKOFF = Backoff(Curve.EQUAL_JITTER, 2.0, 900.0)


class OutboundActor(Actor):
    """One of them. Helpers, a thread each, do what takes time."""

    def __init__(
        self, outbox: Outbox, sender: Sender, clock: Clock, *, attempts: int, backoff: Backoff, manners: Manners,
        events: EventStream,
    ) -> None:  # fmt: skip
        super().__init__()
        self._outbox = outbox
        self._sender = sender
        self._clock = clock
        self._attempts = attempts
        self._backoff = backoff
        self._manners = manners
        self._events = events
        self._busy: dict[str, bool] = {}
        """Lanes with a letter under way; whether it is carried by those who serve failing lanes."""
        self._ended: list[Sent] = []

    def started(self) -> None:
        self.context.tell_self(Post())
        self.context.after(_TIDY, Tidy(), key="tidy")

    def receive(self, message: object) -> None:
        match message:
            case Post():
                self._serve()
            case Sent():
                # Whoever else comes back while this waits in the mailbox shares its transaction.
                self._ended.append(message)
                if len(self._ended) == 1:
                    self.context.tell_self(Settle())
            case Settle():
                self._settle()
                self._serve()
            case Tidy():
                gone = self._outbox.forget(self._clock.now() - _KEPT, _PIECE)
                self.context.after(1.0 if gone == _PIECE else _TIDY, Tidy(), key="tidy")

    def _serve(self) -> None:
        now = self._clock.now()
        due: list[datetime] = []
        for failing, most in CARRIERS.items():
            free = most - sum(pool == failing for pool in self._busy.values())
            if free <= 0:
                continue  # the next one that comes back looks again
            for letter in self._outbox.due(now, self._busy, free, failing=failing):
                self._busy[letter.lane] = failing
                threading.Thread(target=self._carry, args=(letter,), name=f"outbound-{letter.id}", daemon=True).start()
                free -= 1
            next_due = self._outbox.next_due(self._busy, failing=failing) if free else None
            if next_due is not None:
                due.append(next_due)
        wait = min([_NET, *((at - now).total_seconds() for at in due)])
        self.context.after(max(_LEAST, wait), Post(), key="post")

    def _carry(self, letter: Letter) -> None:
        """In a thread of its own."""
        try:
            arrival = self._sender.send(letter, self._clock.now())
        except Exception as error:  # a mistake of ours: counted as a failed attempt, so that it ends
            arrival = Arrival(f"{type(error).__name__}: {error}"[:500])
        self.context.tell_self(Sent(letter, arrival))

    def _settle(self) -> None:
        ended, self._ended = self._ended, []
        now = self._clock.now()
        outcomes = [self._outcome(one.letter, one.arrival, now) for one in ended]
        if outcomes:
            self._outbox.settle(outcomes, now)
        for one in outcomes:
            letter = one.letter
            self._busy.pop(letter.lane, None)
            seconds = (now - letter.created_at).total_seconds()
            self._events.publish(LetterSettled(letter.kind, letter.lane, one.status, seconds))

    def _outcome(self, letter: Letter, arrival: Arrival, now: datetime) -> Outcome:
        attempts = letter.attempts + 1
        manner = self._manners.get(letter.kind)
        most, backoff = (manner.attempts, manner.backoff) if manner is not None else (self._attempts, self._backoff)
        if not arrival.error:
            return Outcome(letter, "delivered", attempts)
        if arrival.hopeless or attempts >= most:
            return Outcome(letter, "dead", attempts, arrival.error, arrival.answer)
        delay = backoff.delay(attempts, random.random())  # noqa: S311 - spreads the load, guards nothing
        due = now + timedelta(seconds=delay)
        return Outcome(letter, "waiting", attempts, arrival.error, arrival.answer, due)


def assemble(
    system: ActorSystem, outbox: Outbox, sender: Sender, clock: Clock, *, attempts: int = 8, backoff: Backoff = BACKOFF,
    manners: Manners | None = None, events: EventStream | None = None,
) -> None:  # fmt: skip
    """Registers the actor. It is to be there before those who put letters into the outbox."""
    told = events or EventStream()
    system.supervise(
        NAME,
        lambda: OutboundActor(
            outbox, sender, clock, attempts=attempts, backoff=backoff, manners=manners or {}, events=told
        ),
        Policy(intensity=10, rest=30.0),
    )
