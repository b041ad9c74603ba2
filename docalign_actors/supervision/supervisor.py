"""Starts actors, and decides what happens when one ends. One thread makes all these decisions, one after the other."""

from __future__ import annotations

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
            if cell.closing and (cell.parent is not None or cell.state == "restarting"):
                # Asked to stop before it could start: there is nothing that it could still do.
                self._forget(cell, "")
                return
            cell.state = "starting"
            if self._must_wait(cell):
                return
            if cell.family is not None:
                self._occupy(cell.family, cell)
        incarnation = self._embody(cell)
        if incarnation is None:
            return
        try:
            incarnation.actor.launch(incarnation, Context(incarnation))
        except BaseException as error:
            # The thread limit: no thread, so no actor. Its messages wait for the next attempt.
            with self._directory.lock:
                cell.pending.extendleft(reversed(incarnation.inbox.drain()))
                self._detach(cell)
            self._over(cell, describe(error), up_for=0.0)

    def _must_wait(self, cell: Cell) -> bool:
        if cell.children:
            # The children of the incarnation before must be gone, or there would be two of a name.
            cell.start_when_childless = True
            return True
        family = cell.family
        if family is not None and len(family.live) >= family.most_live:
            family.waiting.append(cell)
            self._make_room(family)
            return True
        return False

    def _embody(self, cell: Cell) -> Incarnation | None:
        try:
            actor = cell.make()
            inbox = actor.actor_inbox
            assert isinstance(inbox, Inbox)  # noqa: S101
            incarnation = Incarnation(cell, actor, self._directory, inbox)
        except BaseException as error:
            self._detach(cell)
            self._over(cell, describe(error), up_for=0.0)
            return None
        with self._directory.lock:
            cell.kind = incarnation.kind
            cell.current = incarnation
            cell.ref = actor.actor_ref
            cell.state = "running"
            while cell.pending:
                cell.ref.tell(cell.pending.popleft())
        return incarnation

    # -- places in a family --------------------------------------------------------------------------------------

    def _occupy(self, family: Family, cell: Cell) -> None:
        family.live[cell.name] = cell
        family.activations += 1
        family.peak = max(family.peak, len(family.live))

    def _make_room(self, family: Family) -> None:
        """Ask the one that was written to longest ago, and has nothing to do, to give its thread back."""
        for cell in family.live.values():
            if self._suggest_passivation(cell):
                return

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
        waiting: Cell | None = None
        with self._directory.lock:
            cell.current = None
            cell.ref = None
            family = cell.family
            if family is not None and family.live.pop(cell.name, None) is not None and family.waiting:
                waiting = family.waiting.popleft()
        if waiting is not None:
            self._directory.report(Start(waiting))

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
            if cell.family is not None and not error and any(not parcel.control for parcel in cell.pending):
                cell.state = "starting"
                self._directory.report(Start(cell))
                return
            self._forget(cell, error)

    def _forget(self, cell: Cell, error: str) -> None:
        """The address is gone; the parent, if there is one, is told."""
        with self._directory.lock:
            self._directory.remove(cell)
            waiting, cell.pending = list(cell.pending), type(cell.pending)()
        self._directory.dead(cell.name, waiting, reasons.ENDED)
        if cell.family is None and not error:
            self._directory.events.publish(ActorStopped(cell.name, cell.kind))
        if cell.spawned_by is not None:
            self._tell_parent(cell.spawned_by, ChildEnded(cell.name, error))

    def _tell_parent(self, parent: Incarnation, message: ChildEnded) -> None:
        self._directory.deliver(parent, Parcel(message, self._directory.clock.monotonic()))
        cell = parent.cell
        if cell.start_when_childless and not cell.children:
            cell.start_when_childless = False
            self._directory.report(Start(cell))

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
        call = threading.Thread(target=self._escalate, args=(cell.name, reason), name="escalation", daemon=True)
        try:
            call.start()
        except RuntimeError:
            self._escalate(cell.name, reason)

    # -- the sweep -----------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        now = self._directory.clock.monotonic()
        with self._directory.lock:
            living = [cell.current for cell in self._directory.cells.values() if cell.current is not None]
        for incarnation in living:
            self._look_at(incarnation, now)
        for family in list(self._directory.families.values()):
            if family.waiting:
                with self._directory.lock:
                    self._make_room(family)

    def _look_at(self, incarnation: Incarnation, now: float) -> None:
        cell = incarnation.cell
        parcel = incarnation.under_way
        if parcel is not None and now - incarnation.since > cell.policy.handler_deadline:
            self._fence(incarnation, f"{parcel.kind} ran for more than {cell.policy.handler_deadline:g} s")
        elif incarnation.thread is not None and not incarnation.thread.is_alive() and not incarnation.reported:
            incarnation.reported = True
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
