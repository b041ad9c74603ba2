"""Where questions gather for an actor that answers many of them with one commit.

While one batch is being written the next one gathers by itself, so the batches grow with the load and one question alone
waits for nobody. Questions wait here and not in the mailbox: one message speaks for all of them, and what waits outlives
an actor that fails.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from docalign_actors.errors import DocAlignError
from docalign_actors.supervision.actor import Actor

_BUSY = 8
"""So many questions at once are load. Fewer are written at once: whoever asks alone waits for nobody."""
_PAUSE = 0.006
"""Seconds in which nobody comes: whoever has not asked by then is not coming back at once."""
_PAUSES = 4
"""So many of them at the most are spent on gathering."""


class Asked(Protocol):
    """A question, with the place for its answer."""

    @property
    def reply(self) -> Future[Any]: ...


Q = TypeVar("Q")
WithReply = TypeVar("WithReply", bound=Asked)
A = TypeVar("A")


class Flush(Struct, frozen=True, tag="intake.flush"):
    """Answer what has gathered in the intake: one batch of it."""


class OverfullError(DocAlignError):
    """More requests wait than the service can hold."""

    code = "DOCALIGN_E601"
    hint = "Ask again in a moment; nothing was written down."
    retryable = True


class StoppingError(DocAlignError):
    """The service is stopping and takes no new work."""

    code = "DOCALIGN_E601"
    hint = "Ask again in a moment; nothing was written down."
    retryable = True


class Intake(Generic[Q]):
    """Any thread may add; one actor takes. `tell` brings the actor a message."""

    def __init__(self, tell: Callable[[Flush], None], most: int = 10_000) -> None:
        self._tell = tell
        self._most = most
        self._waiting: deque[Q] = deque()
        self._told = False
        self._wanted = most + 1
        self._enough = threading.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, question: Q) -> None:
        """Raises when too many wait, or nobody takes any more: then nothing has been added."""
        if len(self._waiting) >= self._most:
            raise OverfullError
        self._waiting.append(question)
        if len(self._waiting) >= self._wanted:
            self._enough.set()
        try:
            self._call()
        except BaseException:
            with contextlib.suppress(ValueError):
                self._waiting.remove(question)
            raise

    def put_back(self, questions: Iterable[Q]) -> None:
        """These were taken in already and are to be answered once more, however many wait."""
        before = len(self._waiting)
        self._waiting.extend(questions)
        if len(self._waiting) > before:
            self._call_if_may()

    def take(self, most: int) -> list[Q]:
        """The next batch. Whatever it leaves behind has its message on the way."""
        # First the flag: who adds from now on tells again, and at the worst a flush finds nothing.
        self._told = False
        taken: list[Q] = []
        while self._waiting and len(taken) < most:
            taken.append(self._waiting.popleft())
        if self._waiting:
            self._call_if_may()
        return taken

    def await_next(self, answered: int, most: int) -> None:
        """After a batch: a moment for those who will ask again.

        Under load, those who were just answered ask again at once. One commit for them and for those who wait already is
        better than two, and whoever writes is faster while the event loop has nothing to do.
        """
        expected = min(answered + len(self._waiting), most)
        if expected >= _BUSY:
            self.gather(expected, _PAUSE, _PAUSES)

    def gather(self, number: int, pause: float, pauses: int) -> None:
        """Gives so many the time to come as long as some come in every pause, but no more than so many pauses."""
        self._enough.clear()
        self._wanted = number
        came = -1
        for _ in range(pauses):
            before, came = came, len(self._waiting)
            if came >= number or came == before or self._enough.wait(pause):
                break
        self._wanted = self._most + 1

    def _call(self) -> None:
        if not self._told:
            self._told = True
            try:
                self._tell(Flush())
            except BaseException:
                self._told = False
                raise

    def _call_if_may(self) -> None:
        """Of those who wait already, a system that stops is no news to the actor: it answers them when it ends."""
        with contextlib.suppress(DocAlignError):
            self._call()


class GatheringActor(Actor, Generic[WithReply]):
    """Answers what gathers in an intake, one batch a message."""

    def __init__(self, intake: Intake[WithReply], most: int) -> None:
        """`most`: questions in one batch."""
        super().__init__()
        self.intake = intake
        self._batch = most

    def started(self) -> None:
        # Of what waited while there was nobody, the message may be lost.
        self.context.tell_self(Flush())

    def receive(self, message: object) -> None:
        match message:
            case Flush():
                if batch := self.intake.take(self._batch):
                    self.answer(batch)
                    self.intake.await_next(sum(asked.reply.done() for asked in batch), self._batch)

    def answer(self, batch: list[WithReply]) -> None:
        """Gives each its answer, or leaves it for later."""
        raise NotImplementedError

    def stopping(self) -> None:
        if self.context.draining:
            for asked in self.intake.take(1_000_000):
                fail(asked.reply, StoppingError())


def settle(reply: Future[A], answer: A) -> bool:
    """Gives the answer; False if whoever asked has left."""
    try:
        reply.set_result(answer)
    except InvalidStateError:
        return False
    return True


def fail(reply: Future[A], error: BaseException) -> None:
    """Gives the error as the answer, unless there is one or nobody waits for it."""
    with contextlib.suppress(InvalidStateError):
        reply.set_exception(error)
