"""What an actor can do in the world: speak to others, set timers, have children, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docalign_actors.supervision.cell import Cell
from docalign_actors.supervision.errors import AskRefused, Fenced
from docalign_actors.supervision.incarnation import Incarnation
from docalign_actors.supervision.mailbox import Parcel, Reply
from docalign_actors.supervision.policy import Policy
from docalign_actors.telemetry.trace import current_trace

if TYPE_CHECKING:
    from docalign_actors.supervision.actor import Actor


class Context:
    """Belongs to one incarnation. Once that was given up, whatever reaches others raises `Fenced`."""

    def __init__(self, incarnation: Incarnation) -> None:
        self._incarnation = incarnation
        self._directory = incarnation.directory
        self._timer_number = 0
        self.name = incarnation.cell.name

    @property
    def fenced(self) -> bool:
        """Whether this incarnation was given up: it must not write anything any more."""
        return self._incarnation.fenced

    @property
    def draining(self) -> bool:
        """Whether the system is stopping: do not begin what takes long."""
        return self._directory.stopping

    @property
    def trace(self) -> str:
        """The trace id of the message under way."""
        return current_trace()

    def check(self) -> None:
        """Raise `Fenced` if this incarnation was given up: to be called before a write."""
        if self._incarnation.fenced:
            raise Fenced(f"{self.name} was given up; another incarnation has taken its place.")

    def tell(self, name: str, message: object) -> None:
        """Send a message. Never fails: one that cannot be delivered is a dead letter."""
        self.check()
        self._directory.send(name, self._parcel(message), outside=False)

    def ask(self, name: str, message: object, timeout: float) -> object:
        """Send a question and wait for the answer. Not towards a parent, nor around a circle: both would wait for each other."""
        self.check()
        reply = Reply()
        with self._directory.lock:
            self._refuse_deadlock(name)
            self._incarnation.asking = name
        try:
            self._directory.send(name, self._parcel(message, reply), outside=False)
            return reply.wait(timeout, name)
        finally:
            self._incarnation.asking = ""

    def defer(self) -> Reply:
        """Answer the message under way later, with `set` or `fail` of what this returns, from any thread. It can be done for a
        `tell` too, where the answer goes nowhere. If the actor ends before, the asker is told."""
        parcel = self._incarnation.under_way
        if parcel is None or parcel.reply is None:
            return Reply(lambda reply: None)
        parcel.deferred = True
        owed = self._incarnation.deferred
        asker = parcel.reply

        def pass_on(answer: Reply) -> None:
            owed.discard(answer)
            if answer.error is not None:
                asker.fail(answer.error)
            else:
                asker.set(answer.result())

        answer = Reply(pass_on)
        owed.add(answer)
        return answer

    def tell_self(self, message: object, *, trace: str = "") -> None:
        """Send a message to oneself, from any thread. No effect once this incarnation has ended or was given up."""
        self._directory.deliver(self._incarnation, self._parcel(message, trace=trace))

    def after(self, seconds: float, message: object, key: str = "") -> None:
        """Send a message to oneself later. A timer of the same key is replaced; without a key each stands for itself."""
        if self._incarnation.ending:
            return
        if key:
            self.cancel_timer(key)
        else:
            self._timer_number += 1
            key = f"\0{self._timer_number}"
        parcel = self._parcel(message)

        def ring() -> None:
            parcel.sent = self._directory.clock.monotonic()
            self._directory.deliver(self._incarnation, parcel)

        timer = self._directory.timers.after(seconds, ring, key)
        parcel.timer = timer
        self._incarnation.timers[key] = timer

    def cancel_timer(self, key: str) -> None:
        """Forget a timer; also one that has rung, if its message still waits in the mailbox."""
        timer = self._incarnation.timers.pop(key, None)
        if timer is not None:
            self._directory.timers.cancel(timer)

    def spawn(self, key: str, make: Callable[[], Actor], policy: Policy | None = None) -> str:
        """Start a child; it is not restarted: however it ends, a `ChildEnded` comes. Returns its name."""
        self.check()
        name = f"{self.name}/{key}"
        self._directory.register(Cell(name, make, policy or Policy(), spawned_by=self._incarnation))
        return name

    def stop_child(self, name: str) -> None:
        """Stop a child after the message that it is at; what waits in its mailbox is dropped."""
        with self._directory.lock:
            child = self._incarnation.cell.children.get(name)
            if child is not None:
                self._directory.stop_now(child)

    def stop(self) -> None:
        """End, in order, after this message. A member of a family comes back with its next message."""
        with self._directory.lock:
            if not self._incarnation.ending:
                self._incarnation.leave()

    def _parcel(self, message: object, reply: Reply | None = None, trace: str = "") -> Parcel:
        return Parcel(message, self._directory.clock.monotonic(), trace or current_trace(), reply)

    def _refuse_deadlock(self, name: str) -> None:
        ancestor: Cell | None = self._incarnation.cell
        while ancestor is not None:
            if ancestor.name == name:
                raise AskRefused(f"{self.name} must not ask {name}: tell it, and take the answer as a message")
            ancestor = ancestor.parent
        asked = name
        while asked and (cell := self._directory.cells.get(asked)) is not None and cell.current is not None:
            asked = cell.current.asking
            if asked == self.name:
                raise AskRefused(f"{self.name} must not ask {name}, which waits for an answer of {self.name}")
