"""Starts actors, and decides what happens when one ends. One thread makes all these decisions, one after the other."""

from __future__ import annotations

import itertools
import random
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pykka
from loguru import logger

from docalign_actors.supervision import directory as reasons
from docalign_actors.supervision.actor import ChildEnded
from docalign_actors.supervision.cell import Cell, Family
from docalign_actors.supervision.context import Context
from docalign_actors.supervision.directory import Directory, Ended, Start
from docalign_actors.supervision.errors import ActorEnded, describe
from docalign_actors.supervision.incarnation import Incarnation, count_poison
from docalign_actors.supervision.mailbox import Control, Inbox, Parcel
from docalign_actors.supervision.policy import GiveUp, after_failure
from docalign_actors.telemetry.events import (
    ActorFailed,
    ActorFenced,
    ActorRestarted,
    ActorStopped,
    Escalated,
    FencedReturned,
)

SWEEP = 1.0
"""Seconds between two looks at all actors."""


class Sweep:
    """To the supervisor: look at everybody."""


class Ping:
    """To the supervisor: are you there?"""


class Abandon:
    """To the supervisor: give up on these, the time to stop is over."""

    __slots__ = ("cells",)

    def __init__(self, cells: list[Cell]) -> None:
        self.cells = cells


class Supervisor(pykka.ThreadingActor):
    """One-for-one: who fails is started again alone. It fails on nothing itself: an error is logged, and it goes on."""

    use_daemon_thread = True

    def __init__(
        self, directory: Directory, escalate: Callable[[str, str], None], chance: Callable[[], float] = random.random
    ) -> None:
        super().__init__()
        self._directory = directory
        self._escalate = escalate
        self._chance = chance

    @staticmethod
    def _create_actor_inbox() -> Inbox:
        return Inbox()

    def on_start(self) -> None:
        self._directory.timers.after(SWEEP, self._tick)

    def on_receive(self, message: Any) -> Any:
        try:
            return self._receive(message)
        except BaseException:
            logger.opt(exception=True).critical("the supervisor failed on {}", type(message).__name__)
            return None

    def _receive(self, message: object) -> object:
        match message:
            case Start(cell=cell):
                self._start(cell)
            case Ended(incarnation=incarnation, error=error):
                self._ended(incarnation, error)
            case Sweep():
                try:
                    self._sweep()
                finally:
                    self._directory.timers.after(SWEEP, self._tick)
            case Abandon(cells=cells):
                for cell in cells:
                    if cell.current is not None:
                        self._fence(cell.current, "it did not stop in time")
            case Ping():
                return True
            case _:
                pass
        return None

    def _tick(self) -> None:
        if self.actor_ref.is_alive():
            self.actor_ref.tell(Sweep())

    # -- starting ------------------------------------------------------------------------------------------------

    def _start(self, cell: Cell) -> None:
        with self._directory.lock:
            if cell.current is not None or cell.state not in ("starting", "restarting"):
                return
            # Asked to stop before it could start: there is nothing that it could still do.
            unwanted = cell.closing and (cell.parent is not None or cell.state == "restarting")
            if not unwanted:
                cell.state = "starting"
                if self._must_wait(cell):
                    return
                if cell.family is not None:
                    self._occupy(cell.family, cell)
        if unwanted:
            self._forget(cell, "")
        else:
            self._embody(cell)

    def _must_wait(self, cell: Cell) -> bool:
        if cell.children:
            # The children of the incarnation before must be gone, or there would be two of a name.
            cell.when_childless = lambda: self._start(cell)
            return True
        family = cell.family
        if family is not None and cell.name not in family.live and len(family.live) >= family.most_live:
            if not cell.queued:
                cell.queued = True
                family.waiting.append(cell)
            self._make_room(family, look_at=32, ask=1)
            return True
        return False

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
        self._over(cell, describe(error), up_for=0.0)

    # -- places in a family --------------------------------------------------------------------------------------

    def _occupy(self, family: Family, cell: Cell) -> None:
        if cell.name in family.live:
            return
        family.live[cell.name] = cell
        family.activations += 1
        family.peak = max(family.peak, len(family.live))

    def _make_room(self, family: Family, *, look_at: int, ask: int) -> None:
        """Ask those that were written to longest ago, and have nothing to do, to give their threads back. Busy ones look for
        themselves whether somebody waits, whenever they have done a message."""
        asked: list[Cell] = []
        if ask == 0:
            return
        for cell in itertools.islice(family.live.values(), look_at):
            if self._suggest_passivation(cell):
                asked.append(cell)
                if len(asked) == ask:
                    break
        for cell in asked:
            family.live.move_to_end(cell.name)

    def _suggest_passivation(self, cell: Cell) -> bool:
        incarnation = cell.current
        if incarnation is None or cell.ref is None or incarnation.asked_to_leave:
            return False
        if incarnation.under_way is not None or incarnation.inbox.waiting or incarnation.timers:
            return False
        incarnation.asked_to_leave = True
        cell.ref.tell(Parcel(Control.PASSIVATE))
        return True

    def _detach(self, cell: Cell) -> None:
        """It has no thread any more; whoever waits for a place gets it."""
        with self._directory.lock:
            cell.current = None
            cell.ref = None
            family = cell.family
            if family is not None:
                family.live.pop(cell.name, None)
                self._admit(family)

    def _admit(self, family: Family) -> None:
        for _ in range(min(family.most_live - len(family.live), len(family.waiting))):
            cell = family.waiting.popleft()
            cell.queued = False
            self._occupy(family, cell)
            self._directory.report(Start(cell))

    # -- ending --------------------------------------------------------------------------------------------------

    def _ended(self, incarnation: Incarnation, error: str) -> None:
        if incarnation.thread is not None:
            # It has nothing left to do but to go; waiting for it keeps the number of threads what it is said to be.
            incarnation.thread.join(1.0)
        cell = incarnation.cell
        if cell.current is not incarnation:
            self._returned(incarnation)
            return
        up_since = incarnation.up_since
        up_for = self._directory.clock.monotonic() - up_since if up_since is not None else 0.0
        self._detach(cell)
        self._over(cell, error, up_for=up_for)

    def _returned(self, incarnation: Incarnation) -> None:
        with self._directory.lock:
            if incarnation in self._directory.abandoned:
                self._directory.abandoned.remove(incarnation)
        self._directory.events.publish(FencedReturned(incarnation.cell.name, incarnation.kind))

    def _over(self, cell: Cell, error: str, *, up_for: float) -> None:
        """An incarnation is over: restart, revive, or forget the address."""
        if error:
            cell.last_error = error
        if cell.parent is None and error and not cell.closing:
            self._restart(cell, error, up_for)
            return
        with self._directory.lock:
            revive = cell.family is not None and not error and any(not parcel.control for parcel in cell.pending)
            if revive:
                cell.state = "starting"
                self._directory.report(Start(cell))
        if not revive:
            self._forget(cell, error)

    def _forget(self, cell: Cell, error: str) -> None:
        """The address is gone; the parent, if there is one, is told."""
        with self._directory.lock:
            if cell.children:
                # Who is told of the end of an actor may rely on the end of all below it.
                cell.when_childless = lambda: self._forget(cell, error)
                return
            self._directory.remove(cell)
            waiting, cell.pending = list(cell.pending), type(cell.pending)()
            if cell.family is not None and cell.family.live.pop(cell.name, None) is not None:
                self._admit(cell.family)
        self._directory.dead(cell.name, waiting, reasons.ENDED)
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
            waiting, cell.pending = list(cell.pending), type(cell.pending)()
            self._directory.changed.notify_all()
        cell.last_error = reason
        self._directory.dead(cell.name, waiting, reasons.FAILED)
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

    # -- the sweep -----------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        now = self._directory.clock.monotonic()
        with self._directory.lock:
            living = [cell.current for cell in self._directory.cells.values() if cell.current is not None]
        for incarnation in living:
            try:
                self._look_at(incarnation, now)
            except Exception:
                # One actor must not keep the others from being looked at.
                logger.opt(exception=True).critical("the sweep failed on {}", incarnation.cell.name)
        with self._directory.lock:
            for family in self._directory.families.values():
                self._admit(family)
                self._make_room(family, look_at=len(family.live), ask=len(family.waiting))

    def _look_at(self, incarnation: Incarnation, now: float) -> None:
        cell = incarnation.cell
        parcel = incarnation.under_way
        if parcel is not None and now - incarnation.since > cell.policy.handler_deadline:
            self._fence(incarnation, f"{parcel.kind} ran for more than {cell.policy.handler_deadline:g} s")
        elif incarnation.thread is not None and not incarnation.thread.is_alive() and not incarnation.reported:
            incarnation.reported = True
            incarnation.release("it was found dead")
            self._directory.dead(cell.name, incarnation.inbox.drain(), reasons.FAILED)
            self._ended(incarnation, "it was found dead")
        elif cell.family is not None and now - incarnation.since > cell.family.idle:
            with self._directory.lock:
                self._suggest_passivation(cell)

    def _fence(self, incarnation: Incarnation, error: str) -> None:
        """Give this incarnation up: its thread cannot be ended, but nothing it does counts any more."""
        cell = incarnation.cell
        parcel = incarnation.under_way
        seconds = self._directory.clock.monotonic() - incarnation.since
        with self._directory.lock:
            if cell.current is not incarnation:
                return
            waiting = incarnation.give_up()
            self._directory.abandoned.append(incarnation)
            incarnation.release(error)
            if parcel is not None and parcel.message is Control.STARTED:
                # It never got to look at what waits: that is for the next one.
                cell.pending.extendleft(reversed(waiting))
                waiting = []
        kind = parcel.kind if parcel is not None else ""
        self._directory.events.publish(
            ActorFenced(cell.name, incarnation.kind, kind, seconds, stack_of(incarnation.thread))
        )
        self._directory.dead(cell.name, waiting, reasons.FAILED)
        if parcel is not None and not parcel.control:
            count_poison(incarnation, parcel, error)
            if parcel.reply is not None:
                parcel.reply.fail(ActorEnded(f"{cell.name} gave no answer: {error}."))
        self._detach(cell)
        self._over(cell, error, up_for=0.0)


def stack_of(thread: threading.Thread | None) -> str:
    """Where the thread is at this moment."""
    frame = sys._current_frames().get(thread.ident or 0) if thread is not None else None
    return "".join(traceback.format_stack(frame)) if frame is not None else ""
