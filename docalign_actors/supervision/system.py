"""The actor system: everything that the rest of the program sees of the kit."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pykka

from docalign_actors.clock import Clock
from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.cell import Cell, Family
from docalign_actors.supervision.directory import DeadLetters, Directory
from docalign_actors.supervision.errors import AskTimeout, UnknownActor
from docalign_actors.supervision.mailbox import Parcel, Reply
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.snapshot import (
    ROOT,
    ActorInfo,
    FamilyInfo,
    describe_supervisor,
    family_figures,
    take_snapshot,
)
from docalign_actors.supervision.supervisor import Abandon, Ping, Supervisor, stack_of
from docalign_actors.supervision.timers import Timers
from docalign_actors.telemetry.events import SystemStopped, SystemStopping
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import current_trace

ANSWER_WITHIN = 2.0
"""Seconds within which a healthy supervisor answers."""


class ActorSystem:
    """Permanent actors and families under one supervisor; names are looked up at each send."""

    def __init__(
        self,
        events: EventStream,
        *,
        clock: Clock,
        escalate: Callable[[str, str], None],
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._timers = Timers(clock)
        self._directory = Directory(events, clock, self._timers)
        self._supervisor = Supervisor.start(self._directory, escalate, chance)
        self._directory.report = self._report

    @property
    def dead_letters(self) -> DeadLetters:
        """Messages that nobody handled: `count`, `reasons`, and the `last` hundred."""
        return self._directory.dead_letters

    @property
    def stopping(self) -> bool:
        """Whether new work is refused."""
        return self._directory.stopping

    @property
    def abandoned(self) -> int:
        """Threads of incarnations that were given up and have not come back."""
        with self._directory.lock:
            threads = [incarnation.thread for incarnation in self._directory.abandoned]
        return sum(thread is not None and thread.is_alive() for thread in threads)

    def supervise(self, name: str, make: Callable[[], Actor], policy: Policy = Policy()) -> None:  # noqa: B008
        """A permanent actor: started now, restarted whenever it fails."""
        self._directory.register(Cell(name, make, policy))

    def family(
        self,
        prefix: str,
        make: Callable[[str], Actor],
        policy: Policy,
        *,
        idle: float = 120.0,
        most_live: int = 500,
    ) -> None:
        """Virtual actors named `prefix/key`; `make` is given the key. Each is started by its first message and gives its
        thread back after `idle` seconds, or earlier if another needs it: never more than `most_live` have one."""
        self._directory.register_family(Family(prefix, make, policy, idle=idle, most_live=most_live))

    def tell(self, name: str, message: object, *, trace: str = "") -> None:
        """Send a message; raises NotAccepting when stopping or when too many wait already."""
        self._directory.send(name, self._parcel(message, None, trace), outside=True)

    def ask(self, name: str, message: object, timeout: float, *, trace: str = "") -> object:
        """Send a question and wait for the answer; raises AskTimeout, NotAccepting, or the actor's own error."""
        reply = Reply()
        self._directory.send(name, self._parcel(message, reply, trace), outside=True)
        return reply.wait(timeout, name)

    async def ask_async(self, name: str, message: object, timeout: float, *, trace: str = "") -> object:
        """The same for the event loop, which it never blocks."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not future.done():
                future.set_result(None)

        def answered(reply: Reply) -> None:
            try:
                loop.call_soon_threadsafe(wake)
            except RuntimeError:
                # The loop is closed: nobody waits any more.
                pass

        reply = Reply(answered)
        self._directory.send(name, self._parcel(message, reply, trace), outside=True)
        timer = loop.call_later(timeout, wake)
        try:
            await future
        finally:
            timer.cancel()
            answer_came = reply.abandon()
        if not answer_came:
            raise AskTimeout(f"{name} gave no answer within {timeout:g} s.")
        return reply.result()

    def snapshot(self) -> list[ActorInfo]:
        """The supervisor, then every actor that has, or waits for, a thread."""
        return [describe_supervisor(self._supervisor), *take_snapshot(self._directory)]

    def families(self) -> list[FamilyInfo]:
        """Every family in figures."""
        return family_figures(self._directory)

    def stack(self, name: str) -> str:
        """Where the thread of this actor is at this moment; empty if it has none."""
        if name == ROOT:
            return stack_of(self._directory.supervisor_thread)
        with self._directory.lock:
            cell = self._directory.cells.get(name)
            if cell is None:
                raise UnknownActor(f"There is no actor named {name}.")
            thread = cell.current.thread if cell.current is not None else None
        return stack_of(thread)

    def healthy(self) -> list[str]:
        """Reasons why the system is not well; none if it is."""
        reasons = []
        if not self._answers(Ping()):
            reasons.append(f"the supervisor did not answer within {ANSWER_WITHIN:g} s")
        if not self._timers.turn(ANSWER_WITHIN):
            reasons.append(f"no timer rang within {ANSWER_WITHIN:g} s")
        with self._directory.lock:
            for cell in self._directory.cells.values():
                if cell.state == "stopped":
                    reasons.append(f"{cell.name} is given up: {cell.last_error}")
                elif cell.state == "restarting" and cell.family is None:
                    reasons.append(f"{cell.name} is being restarted: {cell.last_error}")
        return reasons

    def wake(self) -> None:
        """The clock was moved by hand: look at what is due."""
        self._timers.wake()
        with self._directory.lock:
            self._directory.changed.notify_all()

    def stop(self, deadline: float) -> list[str]:
        """End in order: refuse new work; then, in the reverse of the order of registration, let each handle what waits
        and stop it. Past the deadline (seconds) the rest is given up; returns their names."""
        directory = self._directory
        until = directory.clock.monotonic() + deadline
        with directory.lock:
            if directory.stopping:
                return []
            directory.stopping = True
        directory.events.publish(SystemStopping(deadline))
        for entry in reversed(directory.order):
            self._stop_entry(entry, until)
        with directory.lock:
            left = [cell for cell in directory.cells.values() if cell.state != "stopped"]
        if left:
            self._answers(Abandon(left))
        self._supervisor.stop(block=False)
        self._timers.stop()
        names = sorted(cell.name for cell in left)
        directory.events.publish(SystemStopped(tuple(names)))
        return names

    def _stop_entry(self, entry: Cell | Family, until: float) -> None:
        directory = self._directory
        with directory.lock:
            if isinstance(entry, Family):
                entry.closed = True
            cells = list(entry.members.values()) if isinstance(entry, Family) else [entry]
            for cell in cells:
                directory.request_stop(cell)
            while any(self._is_there(cell) for cell in cells):
                remaining = until - directory.clock.monotonic()
                if remaining <= 0:
                    return
                directory.changed.wait(remaining)

    def _is_there(self, cell: Cell) -> bool:
        return self._directory.cells.get(cell.name) is cell and cell.state != "stopped"

    def _answers(self, message: object) -> bool:
        try:
            self._supervisor.ask(message, timeout=ANSWER_WITHIN)
        except (pykka.Timeout, pykka.ActorDeadError):
            return False
        return True

    def _report(self, message: object) -> None:
        if self._supervisor.is_alive():
            self._supervisor.tell(message)

    def _parcel(self, message: object, reply: Reply | None, trace: str) -> Parcel:
        return Parcel(message, self._directory.clock.monotonic(), trace or current_trace(), reply)
