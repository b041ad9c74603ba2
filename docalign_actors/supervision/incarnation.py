"""One life of an actor: from its thread's start to its end. Runs the actor's hooks and contains whatever they raise."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from loguru import logger

from docalign_actors.supervision import directory as reasons
from docalign_actors.supervision.cell import Cell
from docalign_actors.supervision.directory import Directory, Ended
from docalign_actors.supervision.errors import ActorEnded, ActorFailure, Fenced, describe
from docalign_actors.supervision.mailbox import Control, Inbox, Parcel, Reply
from docalign_actors.supervision.poison import Poison, count_poison, poison_key
from docalign_actors.supervision.timers import Timer
from docalign_actors.telemetry.events import (
    ActorFailed,
    ActorPassivated,
    ActorStarted,
    AskFailed,
    MessageHandled,
)
from docalign_actors.telemetry.trace import traced

if TYPE_CHECKING:
    from docalign_actors.supervision.actor import Actor


TURN = 256
"""Messages that a member of a family may handle before it makes way for one that waits for a thread."""


class Incarnation:
    """What Pykka's hooks come down to. All methods but `leave` and `give_up` run in the actor's own thread."""

    def __init__(self, cell: Cell, actor: Actor, directory: Directory, inbox: Inbox) -> None:
        self.cell = cell
        self.actor = actor
        self.directory = directory
        self.inbox = inbox
        self.kind = type(actor).__name__
        self.thread: threading.Thread | None = None
        self.started_at: datetime = directory.clock.now()
        self.up_since: float | None = None
        """When its start was over; none before that."""
        self.since: float = directory.clock.monotonic()
        """When the message under way, or the last one, was begun. Written without a lock, read by the sweep."""
        self.under_way: Parcel | None = None
        self.handled = 0
        self.asking = ""
        """Whose answer it waits for."""
        self.fenced = False
        self.leaving = False
        """It is to stop after the message under way."""
        self.ending = False
        """It takes no more messages."""
        self.reported = False
        self.asked_to_leave = False
        """It has a request to passivate in its mailbox."""
        self.timers: dict[str, Timer] = {}
        self.deferred: set[Reply] = set()

    def start(self) -> None:
        """Pykka's `on_start`."""
        self._begin(Parcel(Control.STARTED))
        try:
            with traced("", actor=self.cell.name):
                while self.cell.wedged:
                    self._tell_poison(*self.cell.wedged.popleft())
                self.actor.started()
        except BaseException as error:
            self._announce_failure(self.under_way, error)
            # What waits was never looked at: it is for the next incarnation.
            self.end(describe(error), keep=True)
            raise ActorFailure(describe(error)) from error
        self.under_way = None
        if self.fenced:
            self.end("")
            raise Fenced
        self.up_since = self.directory.clock.monotonic()
        self.directory.events.publish(ActorStarted(self.cell.name, self.kind, self.cell.restarts))
        self._make_way()

    def receive(self, message: object) -> None:
        """Pykka's `on_receive`."""
        parcel = message if type(message) is Parcel else Parcel(message)
        if self.fenced:
            # Taken out of the mailbox in the very moment in which the incarnation was given up.
            self.directory.dead(self.cell.name, [parcel], reasons.FAILED)
            raise Fenced
        if self.leaving or parcel.message is Control.STOP:
            self._stop(parcel)
        elif parcel.message is Control.PASSIVATE:
            self.asked_to_leave = False
            self._passivate()
        elif parcel.reply is not None and not parcel.reply.begin():
            self.directory.dead(self.cell.name, [parcel], reasons.ASKER_GONE)
        elif parcel.timer is not None and parcel.timer.cancelled:
            pass
        elif self.cell.poison and self._quarantined(parcel, self.cell.poison):
            self.directory.dead(self.cell.name, [parcel], reasons.QUARANTINED)
        else:
            self._handle(parcel)
        self._make_way()

    def end(self, error: str, *, keep: bool = False) -> None:
        """The last thing an incarnation does, in order or not."""
        if self.reported:
            return
        self._close(reasons.FAILED if error else reasons.ENDED, keep=keep)
        self._begin(Parcel(Control.STOPPING))
        try:
            with traced("", actor=self.cell.name):
                self.actor.stopping()
        except BaseException as problem:
            logger.opt(exception=True).warning("{} failed while stopping: {}", self.cell.name, describe(problem))
        self.under_way = None
        self.release(error or reasons.ENDED)
        self.reported = True
        self.directory.report(Ended(self, error))

    def stopped(self) -> None:
        """Pykka's `on_stop`."""
        self.end("" if self.ending else "it was stopped by another than the kit")

    def failed(self, error: BaseException | None) -> None:
        """Pykka's `on_failure`."""
        self.end(describe(error.__cause__ or error) if error is not None else "unknown error")

    def release(self, reason: str) -> None:
        """Let go of what belongs to this incarnation alone: timers, answers owed, children."""
        for timer in list(self.timers.values()):
            self.directory.timers.cancel(timer)
        self.timers.clear()
        while self.deferred:
            self.deferred.pop().fail(ActorEnded(f"{self.cell.name} gave no answer: {reason}."))
        with self.directory.lock:
            if self.cell.current is self:
                for child in list(self.cell.children.values()):
                    self.directory.stop_now(child)

    def leave(self) -> None:
        """Stop after the message under way; from any thread, under the lock."""
        self.leaving = True
        if not self.actor.actor_stopped.is_set():
            self.actor.actor_ref.tell(Parcel(Control.STOP))

    def give_up(self) -> list[Parcel]:
        """Fence it: from now on it must not touch anything. By the supervisor, under the lock; returns what waited."""
        self.fenced = self.ending = True
        waiting = self.inbox.drain()
        if not self.actor.actor_stopped.is_set():
            # Wakes the thread if it came back in this very moment, so that it ends.
            self.actor.actor_ref.tell(Parcel(Control.STOP))
        return waiting

    def _handle(self, parcel: Parcel) -> None:
        if parcel.timer is not None:
            # It has rung: from now on it neither can be cancelled nor keeps the actor from passivating.
            self.timers.pop(parcel.timer.key, None)
        since = self._begin(parcel)
        try:
            with traced(parcel.trace, actor=self.cell.name):
                answer = self.actor.receive(parcel.message)
        except BaseException as error:
            self._failed_on(parcel, error)
            return
        self.under_way = None
        self.handled += 1
        if self.fenced:
            raise Fenced
        if parcel.reply is not None and not parcel.deferred:
            parcel.reply.set(answer)
        if self.cell.poison:
            self.cell.poison.handled(poison_key(self.actor, parcel))
        seconds = self.directory.clock.monotonic() - since
        self.directory.events.publish(MessageHandled(self.cell.name, type(parcel.message).__name__, seconds, self.kind))

    def _begin(self, parcel: Parcel) -> float:
        self.since = since = self.directory.clock.monotonic()
        self.under_way = parcel
        return since

    def _failed_on(self, parcel: Parcel, error: BaseException) -> None:
        """A question's error is its answer, and the actor lives on; anything else ends the incarnation."""
        if self.fenced:
            self.under_way = None
            raise Fenced from error
        if parcel.reply is not None and isinstance(error, Exception):
            self.under_way = None
            self.cell.last_error = describe(error)
            parcel.reply.fail(error)
            self.directory.events.publish(AskFailed(self.cell.name, parcel.kind, describe(error), parcel.trace))
            return
        self._close(reasons.FAILED)
        if parcel.reply is not None:
            parcel.reply.fail(ActorEnded(f"{self.cell.name} failed: {describe(error)}."))
        self._announce_failure(parcel, error)
        self._tell_poison(parcel.message, describe(error), count_poison(self, parcel, describe(error)))
        self.under_way = None
        raise ActorFailure(describe(error)) from error

    def _announce_failure(self, parcel: Parcel | None, error: BaseException) -> None:
        stack = "".join(traceback.format_exception(error, limit=-20))[-8_000:]
        kind, trace = (parcel.kind, parcel.trace) if parcel is not None else ("", "")
        self.directory.events.publish(ActorFailed(self.cell.name, self.kind, kind, describe(error), trace, stack))

    def _quarantined(self, parcel: Parcel, poison: Poison) -> bool:
        return poison.quarantined(poison_key(self.actor, parcel), self.directory.clock.monotonic())

    def _tell_poison(self, message: object, error: str, times: int) -> None:
        try:
            self.actor.poison(message, error, times)
        except BaseException as problem:
            logger.opt(exception=True).warning("the poison hook of {} failed: {}", self.cell.name, describe(problem))

    def _stop(self, parcel: Parcel) -> None:
        if self.ending:
            self.directory.dead(self.cell.name, [parcel], reasons.ENDED)
            return
        # A member of a family comes back for what it has not handled.
        self._close(reasons.ENDED, keep=self.cell.family is not None and not self.cell.closing, in_hand=[parcel])
        self.actor.stop()

    def _close(self, reason: str, *, keep: bool = False, in_hand: Sequence[Parcel] = ()) -> None:
        """Take no more messages; those that wait go to the next incarnation, or are dead."""
        with self.directory.lock:
            self.ending = True
            if self.cell.current is self:
                self.cell.ref = None
            waiting = [parcel for parcel in (*in_hand, *self.inbox.drain()) if not parcel.control]
            if keep and self.cell.current is self:
                self.cell.pending.extendleft(reversed(waiting))
                return
        self.directory.dead(self.cell.name, waiting, reason)

    def _make_way(self) -> None:
        """Another member of the family waits for a thread: it can have this one if nothing waits here, or if this one has
        had its turn; then what waits here waits for the next turn."""
        family = self.cell.family
        if family is None or not family.waiting:
            return
        if not self.inbox.waiting:
            self._passivate()
        elif self.handled >= TURN:
            self._passivate(busy_too=True)

    def _passivate(self, *, busy_too: bool = False) -> None:
        """Give the thread back, unless there is something to do. Decided in the actor's own thread, under the lock: no
        message can slip in between."""
        cell = self.cell
        if cell.family is None or self.ending or self.timers or self.deferred or not self._willing():
            return
        with self.directory.lock:
            if cell.children or cell.closing or cell.current is not self or (self.inbox.waiting and not busy_too):
                return
            cell.ref = None
            self.ending = True
            cell.family.passivations += 1
            cell.pending.extendleft(reversed(self.inbox.drain()))
        self.actor.stop()
        self.directory.events.publish(ActorPassivated(cell.name, self.kind))

    def _willing(self) -> bool:
        try:
            return self.actor.may_passivate()
        except BaseException as error:
            logger.opt(exception=True).warning("may_passivate of {} failed: {}", self.cell.name, describe(error))
            return False
