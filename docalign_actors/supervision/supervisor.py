"""The supervisor: one thread that makes all decisions about the lives of actors, and looks at everybody once a second."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pykka
from loguru import logger

from docalign_actors.supervision import directory as reasons
from docalign_actors.supervision.cell import Cell
from docalign_actors.supervision.directory import Directory, Ended, Start
from docalign_actors.supervision.errors import ActorEnded
from docalign_actors.supervision.incarnation import Incarnation
from docalign_actors.supervision.lifecycle import Lifecycle
from docalign_actors.supervision.mailbox import Control, Inbox, Parcel
from docalign_actors.supervision.places import Places
from docalign_actors.supervision.poison import count_poison
from docalign_actors.telemetry.events import ActorFenced

SWEEP = 1.0
"""Seconds between two looks at all actors."""

FOUND_DEAD = "it was found dead"
NOT_IN_TIME = "it did not stop in time"


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
    """Fails on nothing itself: an error is logged, and it goes on."""

    use_daemon_thread = True

    def __init__(self, directory: Directory, escalate: Callable[[str, str], None], chance: Callable[[], float]) -> None:
        super().__init__()
        self._directory = directory
        self._places = Places(directory)
        self._lives = Lifecycle(directory, self._places, escalate, chance)

    @staticmethod
    def _create_actor_inbox() -> Inbox:
        return Inbox()

    def _start_actor_loop(self) -> None:
        self._directory.supervisor_thread = threading.Thread(target=self._actor_loop, name="supervisor", daemon=True)
        self._directory.supervisor_thread.start()

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
                self._lives.start(cell)
            case Ended(incarnation=incarnation, error=error):
                self._lives.ended(incarnation, error)
            case Sweep():
                try:
                    self._sweep()
                finally:
                    self._directory.timers.after(SWEEP, self._tick)
            case Abandon(cells=cells):
                for cell in cells:
                    self._abandon(cell)
            case Ping():
                return True
            case _:
                pass
        return None

    def _tick(self) -> None:
        if self.actor_ref.is_alive():
            self.actor_ref.tell(Sweep())

    def _abandon(self, cell: Cell) -> None:
        cell.closing = True
        if cell.current is not None:
            self._fence(cell.current, cell.current.under_way, NOT_IN_TIME)
        else:
            self._lives.drop_pending(cell, reasons.STOPPING)

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
            self._places.tidy()

    def _look_at(self, incarnation: Incarnation, now: float) -> None:
        cell = incarnation.cell
        # In this order: the actor writes `since` before `under_way`, so that a message is never taken for older than it is.
        parcel = incarnation.under_way
        since = incarnation.since
        if parcel is not None and now - since > cell.policy.handler_deadline:
            self._fence(incarnation, parcel, f"{parcel.kind} ran for more than {cell.policy.handler_deadline:g} s")
        elif incarnation.thread is not None and not incarnation.thread.is_alive() and not incarnation.reported:
            incarnation.reported = True
            incarnation.release(FOUND_DEAD)
            self._directory.dead(cell.name, incarnation.inbox.drain(), reasons.FAILED)
            self._lives.ended(incarnation, FOUND_DEAD)
        elif cell.family is not None and now - since > cell.family.idle:
            with self._directory.lock:
                self._places.suggest_passivation(cell)

    def _fence(self, incarnation: Incarnation, parcel: Parcel | None, error: str) -> None:
        """Give this incarnation up: its thread cannot be ended, but nothing it does counts any more."""
        cell = incarnation.cell
        seconds = self._directory.clock.monotonic() - incarnation.since
        with self._directory.lock:
            in_time = incarnation.under_way is not parcel and not cell.closing
            if cell.current is not incarnation or in_time:
                return
            waiting = incarnation.give_up()
            self._directory.abandoned.append(incarnation)
            incarnation.release(error)
            if parcel is not None and parcel.message is Control.STARTED:
                # It never got to look at what waits: that is for the next one.
                cell.pending.extendleft(reversed(waiting))
                waiting = []
        kind = parcel.kind if parcel is not None else ""
        stack = stack_of(incarnation.thread)
        self._directory.events.publish(ActorFenced(cell.name, incarnation.kind, kind, seconds, stack))
        self._directory.dead(cell.name, waiting, reasons.FAILED)
        if parcel is not None and not parcel.control:
            cell.wedged.append((parcel.message, error, count_poison(incarnation, parcel, error)))
            if parcel.reply is not None:
                parcel.reply.fail(ActorEnded(f"{cell.name} gave no answer: {error}."))
        self._lives.over(cell, error)


def stack_of(thread: threading.Thread | None) -> str:
    """Where the thread is at this moment."""
    frame = sys._current_frames().get(thread.ident or 0) if thread is not None else None
    return "".join(traceback.format_stack(frame)) if frame is not None else ""
