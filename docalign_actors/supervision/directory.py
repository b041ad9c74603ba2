"""Name → actor. The only way by which a message gets into a mailbox.

Looking a name up and putting the message into the mailbox happen under one lock, and so does an actor's decision to give its
thread back: a message can never land in a mailbox that nobody will read any more.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pykka

from docalign_actors.clock import Clock
from docalign_actors.supervision.cell import Cell, Family
from docalign_actors.supervision.errors import ActorEnded, NameTaken, NotAccepting, UnknownActor
from docalign_actors.supervision.mailbox import Control, Parcel
from docalign_actors.supervision.timers import Timers
from docalign_actors.telemetry.events import DeadLetter
from docalign_actors.telemetry.stream import EventStream

if TYPE_CHECKING:
    from docalign_actors.supervision.incarnation import Incarnation

UNKNOWN = "no such actor"
FULL = "mailbox full"
STOPPING = "stopping"
ENDED = "the actor ended"
FAILED = "the actor failed"
ASKER_GONE = "the asker had gone"
QUARANTINED = "quarantined"


class DeadLetters:
    """Messages that nobody handled: how many, why, and the last hundred."""

    def __init__(self, events: EventStream) -> None:
        self._events = events
        self._lock = threading.Lock()
        self.count = 0
        self.reasons: Counter[str] = Counter()
        self.last: deque[DeadLetter] = deque(maxlen=100)

    def add(self, name: str, parcel: Parcel, reason: str) -> None:
        letter = DeadLetter(name, parcel.kind, reason, parcel.trace)
        with self._lock:
            self.count += 1
            self.reasons[reason] += 1
            self.last.append(letter)
        self._events.publish(letter)


class Directory:
    """All the addresses, under one lock; what every part of the kit has in common."""

    def __init__(self, events: EventStream, clock: Clock, timers: Timers) -> None:
        self.events = events
        self.clock = clock
        self.timers = timers
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        """Told whenever an address went."""
        self.cells: dict[str, Cell] = {}
        self.families: dict[str, Family] = {}
        self.order: list[Cell | Family] = []
        """As they were registered."""
        self.abandoned: list[Incarnation] = []
        """Given up, their threads not back yet."""
        self.supervisor_thread: threading.Thread | None = None
        self.dead_letters = DeadLetters(events)
        self.stopping = False
        self.report: Callable[[object], None] = lambda message: None
        """Tells the supervisor."""

    def register(self, cell: Cell) -> None:
        """Give the cell its name, and have it started."""
        with self.lock:
            if cell.name in self.cells:
                raise NameTaken(f"there is an actor named {cell.name} already")
            self.cells[cell.name] = cell
            if cell.parent is not None:
                cell.parent.children[cell.name] = cell
            else:
                self.order.append(cell)
            self._wake(cell)

    def register_family(self, family: Family) -> None:
        with self.lock:
            if family.prefix in self.families:
                raise NameTaken(f"there is a family named {family.prefix} already")
            self.families[family.prefix] = family
            self.order.append(family)

    def send(self, name: str, parcel: Parcel, *, outside: bool) -> None:
        """Put a message into a mailbox. From `outside` a refusal is raised; an actor's own send never fails: what cannot be
        delivered is a dead letter."""
        with self.lock:
            reason = STOPPING if outside and self.stopping else self._place(name, parcel)
        if reason is None:
            return
        if outside and reason in (STOPPING, FULL):
            raise _refusal(name, reason)
        self.dead(name, [parcel], reason)

    def deliver(self, incarnation: Incarnation, parcel: Parcel) -> None:
        """Put a message into the mailbox of this very incarnation, or nowhere."""
        with self.lock:
            cell = incarnation.cell
            if cell.current is incarnation and cell.ref is not None and cell.ref.is_alive():
                cell.ref.tell(parcel)

    def dead(self, name: str, parcels: Iterable[Parcel], reason: str) -> None:
        """Nobody will handle these: count them, and tell those who wait for an answer."""
        for parcel in parcels:
            if parcel.control:
                continue
            self.dead_letters.add(name, parcel, reason)
            if parcel.reply is not None:
                parcel.reply.fail(_refusal(name, reason))

    def request_stop(self, cell: Cell) -> None:
        """Let it handle what waits, then stop it for good. Under the lock."""
        if cell.closing:
            return
        cell.closing = True
        parcel = Parcel(Control.STOP, self.clock.monotonic())
        if cell.ref is not None:
            cell.ref.tell(parcel)
        else:
            cell.pending.append(parcel)
            self.report(Start(cell))

    def stop_now(self, cell: Cell) -> None:
        """Stop it after the message under way; what waits becomes dead letters. Under the lock."""
        cell.closing = True
        if cell.current is not None:
            cell.current.leave()

    def _place(self, name: str, parcel: Parcel) -> str | None:
        cell = self.cells.get(name) or self._virtual(name)
        if cell is None:
            return UNKNOWN
        if cell.closing:
            return STOPPING
        if cell.state == "stopped":
            return ENDED
        if cell.depth() >= cell.policy.mailbox:
            return FULL
        if cell.ref is None:
            cell.pending.append(parcel)
            self._wake(cell)
            return None
        if cell.family is not None and cell.name in cell.family.live:
            cell.family.live.move_to_end(cell.name)
        try:
            cell.ref.tell(parcel)
        except pykka.ActorDeadError:
            # It died in a way that the kit did not see; the sweep will, and the next incarnation gets the message.
            cell.ref = None
            cell.pending.append(parcel)
        return None

    def _wake(self, cell: Cell) -> None:
        if cell.state == "asleep":
            cell.state = "starting"
            self.report(Start(cell))

    def _virtual(self, name: str) -> Cell | None:
        prefix, _, key = name.rpartition("/")
        family = self.families.get(prefix)
        if family is None or family.closed or not key:
            return None
        cell = Cell(name, lambda: family.make(key), family.policy, family=family)
        self.cells[name] = family.members[name] = cell
        return cell

    def remove(self, cell: Cell) -> None:
        """The address is gone. Under the lock."""
        cell.state = "stopped"
        if self.cells.get(cell.name) is cell:
            del self.cells[cell.name]
        if cell.family is not None:
            cell.family.members.pop(cell.name, None)
        if cell.parent is not None:
            cell.parent.children.pop(cell.name, None)
        self.changed.notify_all()


class Start:
    """To the supervisor: this address needs an incarnation."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell


class Ended:
    """To the supervisor: this incarnation is over; `error` is empty if in order."""

    __slots__ = ("error", "incarnation")

    def __init__(self, incarnation: Any, error: str) -> None:
        self.incarnation: Incarnation = incarnation
        self.error = error


def _refusal(name: str, reason: str) -> Exception:
    if reason == FULL:
        return NotAccepting(f"{name} has as many messages waiting as it may have.")
    if reason == STOPPING:
        return NotAccepting(f"{name} is stopping.")
    if reason == UNKNOWN:
        return UnknownActor(f"There is no actor named {name}.")
    return ActorEnded(f"{name} gave no answer: {reason}.")
