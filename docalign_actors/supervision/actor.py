"""The base of every actor: what its author writes is `receive`, and if need be `started`, `stopping`, `may_passivate`, `poison`."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, final

import msgspec
import pykka

from docalign_actors.supervision.mailbox import Inbox

if TYPE_CHECKING:
    from docalign_actors.supervision.context import Context
    from docalign_actors.supervision.incarnation import Incarnation

# Pykka's own lines know neither the actor's name nor the trace; the kit publishes an event for each thing that they say.
logging.getLogger("pykka").setLevel(logging.CRITICAL)


class ChildEnded(msgspec.Struct, frozen=True, tag="child.ended"):
    """To the parent: a child ended; `error` is empty if in order."""

    name: str
    error: str


class Actor(pykka.ThreadingActor):
    """Holds ids and decisions under way; the database holds the state.

    - An error raised for a `tell` ends this incarnation: its mailbox is dropped (counted as dead letters), and after a delay a
      new one is made, whose `started` reads the state again.
    - An error raised for an `ask` is the answer; the actor lives on.
    - Nothing blocks: a delay is `context.after`, a wait is an `ask` with a timeout, long work is done by a helper that
      comes back with `context.tell_self`.
    """

    use_daemon_thread = True
    context: Context
    """Set by the kit before `started`; there is none yet in `__init__`."""

    def __init__(self) -> None:
        """Keep what is given, nothing else: it runs in the supervisor's thread, which everybody waits for."""
        super().__init__()
        self._incarnation: Incarnation

    def receive(self, message: object) -> object:
        """Handle one message; what is returned answers an `ask`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does with {type(message).__name__}")

    def started(self) -> None:
        """Before the first message: read the state from the database. If it fails, it is tried again after a delay."""

    def stopping(self) -> None:
        """After the last message, in order or not: let go of files, processes, threads. Look at `context.fenced` before
        anything shared is touched."""

    def may_passivate(self) -> bool:
        """Whether the thread may be given back while nothing waits. Timers, children and answers owed forbid it anyway."""
        return True

    def poison(self, message: object, error: str, times: int) -> None:
        """A `tell` failed for the n-th time (as far as this process knows): count it on the row. At the fifth the kit
        quarantines the message for ten minutes. Called after the failure, before `stopping`; if the handler did not come
        back, by the next incarnation, before `started`."""

    def poison_key(self, message: object) -> str:
        """What makes two messages the same to the count of failures."""
        return repr(message)

    def launch(self, incarnation: Incarnation, context: Context) -> None:
        """Begin to run; by the kit. Raises if there is no thread to be had, and leaves nothing behind then."""
        self._incarnation = incarnation
        self.context = context
        pykka.ActorRegistry.register(self.actor_ref)
        try:
            self._start_actor_loop()
        except BaseException:
            # Pykka would leave a ghost: registered, never answering.
            pykka.ActorRegistry.unregister(self.actor_ref)
            self.actor_stopped.set()
            raise

    @final
    def on_start(self) -> None:
        self._incarnation.start()

    @final
    def on_receive(self, message: Any) -> None:
        self._incarnation.receive(message)

    @final
    def on_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._incarnation.failed(exception_value)

    @final
    def on_stop(self) -> None:
        self._incarnation.stopped()

    @staticmethod
    def _create_actor_inbox() -> Inbox:
        return Inbox()

    def _start_actor_loop(self) -> None:
        thread = threading.Thread(target=self._actor_loop, name=self._incarnation.cell.name, daemon=True)
        self._incarnation.thread = thread
        thread.start()
