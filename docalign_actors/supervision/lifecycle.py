"""The lives of actors: how one starts, and what comes after its end. Everything here runs in the supervisor's thread."""

from __future__ import annotations

import threading
import traceback
from collections import deque
from collections.abc import Callable

from loguru import logger

from docalign_actors.supervision import directory as reasons
from docalign_actors.supervision.actor import ChildEnded
from docalign_actors.supervision.cell import Cell
from docalign_actors.supervision.context import Context
from docalign_actors.supervision.directory import Directory, Start
from docalign_actors.supervision.errors import describe
from docalign_actors.supervision.incarnation import Incarnation
from docalign_actors.supervision.mailbox import Inbox, Parcel
from docalign_actors.supervision.places import Places
from docalign_actors.supervision.policy import GiveUp, after_failure
from docalign_actors.telemetry.events import ActorFailed, ActorRestarted, ActorStopped, Escalated, FencedReturned


class Lifecycle:
    """One-for-one: who fails is started again alone, later and later, until it is given up."""

    def __init__(
        self, directory: Directory, places: Places, escalate: Callable[[str, str], None], chance: Callable[[], float]
    ) -> None:
        self._directory = directory
        self._places = places
        self._escalate = escalate
        self._chance = chance

    def start(self, cell: Cell) -> None:
        """Give the address an incarnation, as soon as it can have one."""
        with self._directory.lock:
            if cell.current is not None or cell.state not in ("starting", "restarting"):
                return
            # Asked to stop before it could start: there is nothing that it could still do.
            unwanted = cell.closing and (cell.parent is not None or cell.state == "restarting")
            if not unwanted:
                cell.state = "starting"
                if self._must_wait(cell):
                    return
        if unwanted:
            self._forget(cell, "", revive=False)
        else:
            self._embody(cell)

    def _must_wait(self, cell: Cell) -> bool:
        if cell.children:
            # The children of the incarnation before must be gone, or there would be two of a name.
            cell.when_childless = lambda: self.start(cell)
            return True
        return not self._places.take(cell)

    def _embody(self, cell: Cell) -> None:
        """Make an actor and give it a thread. Whatever goes wrong, its messages wait for the next attempt."""
        incarnation: Incarnation | None = None
        try:
            incarnation = self._make(cell)
            incarnation.actor.launch(incarnation, Context(incarnation))
        except BaseException as error:
            # Most of all the thread limit: no thread, so no actor.
            with self._directory.lock:
                if incarnation is not None:
                    cell.pending.extendleft(reversed(incarnation.inbox.drain()))
                self._detach(cell)
            self._failed(cell, error)

    def _make(self, cell: Cell) -> Incarnation:
        actor = cell.make()
        inbox = actor.actor_inbox
        if not isinstance(inbox, Inbox):
            raise TypeError(f"{type(actor).__name__} is no actor of this kit")
        incarnation = Incarnation(cell, actor, self._directory, inbox)
        with self._directory.lock:
            cell.kind = incarnation.kind
            cell.current = incarnation
            cell.ref = actor.actor_ref
            cell.state = "running"
            while cell.pending:
                cell.ref.tell(cell.pending.popleft())
            if cell.closing and cell.parent is not None:
                # Its parent ended while it was being made.
                incarnation.leave()
        return incarnation

    def _failed(self, cell: Cell, error: BaseException) -> None:
        """It could not even begin to run."""
        stack = "".join(traceback.format_exception(error, limit=-20))
        self._directory.events.publish(ActorFailed(cell.name, cell.kind, "", describe(error), "", stack))
        self.over(cell, describe(error))

    def ended(self, incarnation: Incarnation, error: str) -> None:
        """An incarnation reports its end."""
        if incarnation.thread is not None:
            # It has nothing left to do but to go; waiting for it keeps the number of threads what it is said to be.
            incarnation.thread.join(1.0)
        cell = incarnation.cell
        if cell.current is not incarnation:
            self._returned(incarnation)
            return
        up_since = incarnation.up_since
        up_for = self._directory.clock.monotonic() - up_since if up_since is not None else 0.0
        self.over(cell, error, up_for=up_for)

    def _returned(self, incarnation: Incarnation) -> None:
        with self._directory.lock:
            if incarnation in self._directory.abandoned:
                self._directory.abandoned.remove(incarnation)
        self._directory.events.publish(FencedReturned(incarnation.cell.name, incarnation.kind))

    def over(self, cell: Cell, error: str, *, up_for: float = 0.0) -> None:
        """The address has no incarnation any more: restart it, revive it, or forget it."""
        self._detach(cell)
        if error:
            cell.last_error = error
        if cell.parent is None and error and not cell.closing:
            self._restart(cell, error, up_for)
        else:
            self._forget(cell, error, revive=cell.family is not None and not error)

    def drop_pending(self, cell: Cell, reason: str) -> None:
        """What waits for the next incarnation waits in vain."""
        with self._directory.lock:
            waiting, cell.pending = cell.pending, deque()
        self._directory.dead(cell.name, waiting, reason)

    def _detach(self, cell: Cell) -> None:
        with self._directory.lock:
            cell.current = None
            cell.ref = None
            self._places.leave(cell)

    def _forget(self, cell: Cell, error: str, *, revive: bool) -> None:
        """The address is gone, unless there are messages for it and it is one to `revive`; the parent, if any, is told."""
        with self._directory.lock:
            if revive and any(not parcel.control for parcel in cell.pending):
                cell.state = "starting"
                self._directory.report(Start(cell))
                return
            if cell.children:
                # Who is told of the end of an actor may rely on the end of all below it.
                cell.when_childless = lambda: self._forget(cell, error, revive=revive)
                return
            self._directory.remove(cell)
            self._places.leave(cell)
        self.drop_pending(cell, reasons.ENDED)
        if cell.family is None and not error:
            self._directory.events.publish(ActorStopped(cell.name, cell.kind))
        if cell.spawned_by is not None:
            self._tell_parent(cell.spawned_by, ChildEnded(cell.name, error))

    def _tell_parent(self, parent: Incarnation, message: ChildEnded) -> None:
        self._directory.deliver(parent, Parcel(message, self._directory.clock.monotonic()))
        cell = parent.cell
        if cell.when_childless is not None and not cell.children:
            action, cell.when_childless = cell.when_childless, None
            action()

    def _restart(self, cell: Cell, error: str, up_for: float) -> None:
        directory = self._directory
        cell.history, decision = after_failure(
            cell.policy, cell.history, now=directory.clock.monotonic(), up_for=up_for, chance=self._chance()
        )
        if isinstance(decision, GiveUp):
            self._give_up(cell, f"{decision.reason}; the last time: {error}")
            return
        cell.state = "restarting"
        cell.restarts += 1
        directory.timers.after(decision.delay, lambda: directory.report(Start(cell)))
        directory.events.publish(ActorRestarted(cell.name, cell.kind, decision.delay, cell.restarts, error))

    def _give_up(self, cell: Cell, reason: str) -> None:
        with self._directory.lock:
            cell.state = "stopped"
            self._directory.changed.notify_all()
        cell.last_error = reason
        self.drop_pending(cell, reasons.FAILED)
        self._directory.events.publish(Escalated(cell.name, reason))
        # On a thread of its own: whoever is told may stop the system, and that waits for this thread.
        call = threading.Thread(target=self._call_out, args=(cell.name, reason), name="escalation", daemon=True)
        try:
            call.start()
        except RuntimeError:
            self._call_out(cell.name, reason)

    def _call_out(self, name: str, reason: str) -> None:
        try:
            self._escalate(name, reason)
        except Exception:
            logger.opt(exception=True).critical("the escalation of {} failed", name)
