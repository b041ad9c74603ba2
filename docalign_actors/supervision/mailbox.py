"""A message on its way: the parcel that carries it, the inbox where it waits, the reply that an asker waits for."""

import queue
import threading
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol

from docalign_actors.supervision.errors import AskTimeout


class Control(Enum):
    """What the kit itself tells an actor."""

    STOP = "stop"
    PASSIVATE = "passivate"
    STARTED = "started"
    STOPPING = "stopping"


class _Stage(Enum):
    WAITING = 0
    BEGUN = 1
    GONE = 2
    DONE = 3


class Reply:
    """The place for one answer. Much lighter than a Pykka future, and knows whether anybody still waits for it."""

    __slots__ = ("_callback", "_done", "_error", "_lock", "_stage", "_value")

    def __init__(self, callback: "Callable[[Reply], None] | None" = None) -> None:
        self._lock = threading.Lock()
        self._stage = _Stage.WAITING
        self._value: object = None
        self._error: BaseException | None = None
        self._callback = callback
        self._done: threading.Lock | None = None
        if callback is None:
            # A lock held from the start is the cheapest thing that one thread can wait on with a timeout.
            self._done = threading.Lock()
            self._done.acquire()

    def begin(self) -> bool:
        """The actor is about to handle the message; False if the asker has gone, so that there is no need to."""
        with self._lock:
            if self._stage is _Stage.WAITING:
                self._stage = _Stage.BEGUN
            return self._stage is not _Stage.GONE

    def abandon(self) -> bool:
        """The asker waits no longer; whether the answer had come."""
        with self._lock:
            if self._stage is not _Stage.DONE:
                self._stage = _Stage.GONE
            return self._stage is _Stage.DONE

    def set(self, value: object) -> None:
        """Answer. The first answer counts; one that nobody waits for is dropped."""
        self._settle(value, None)

    def fail(self, error: BaseException) -> None:
        """Answer with an error, which is raised where the asker waits."""
        self._settle(None, error)

    def result(self) -> object:
        """The answer that has been given."""
        if self._error is not None:
            raise self._error
        return self._value

    @property
    def error(self) -> BaseException | None:
        """The error that was given as the answer, if any."""
        return self._error

    def wait(self, timeout: float, whom: str) -> object:
        """Wait for the answer; past the timeout the question is withdrawn."""
        came = self._done is not None and self._done.acquire(timeout=max(timeout, 0.0))
        if not came and not self.abandon():
            raise AskTimeout(f"{whom} gave no answer within {timeout:g} s.")
        return self.result()

    def _settle(self, value: object, error: BaseException | None) -> None:
        with self._lock:
            if self._stage in (_Stage.DONE, _Stage.GONE):
                return
            self._stage, self._value, self._error = _Stage.DONE, value, error
        if self._done is not None:
            self._done.release()
        if self._callback is not None:
            self._callback(self)


class Withdrawn(Protocol):
    """A timer, as far as its message is concerned."""

    cancelled: bool
    key: str


class Parcel:
    """A message with what the kit needs to know about it."""

    __slots__ = ("deferred", "message", "reply", "sent", "timer", "trace")

    def __init__(
        self,
        message: object,
        sent: float = 0.0,
        trace: str = "",
        reply: Reply | None = None,
        timer: Withdrawn | None = None,
    ) -> None:
        self.message = message
        self.sent = sent
        self.trace = trace
        self.reply = reply
        self.timer = timer
        self.deferred = False

    @property
    def kind(self) -> str:
        """The kind of the message: its class, or what the kit calls it."""
        return self.message.value if isinstance(self.message, Control) else type(self.message).__name__

    @property
    def control(self) -> bool:
        """Whether it is the kit's own."""
        return self.message.__class__ is Control


class Inbox:
    """Where Pykka's loop takes its messages from: as fast as the C queue below it, but it can be looked into and emptied."""

    __slots__ = ("_signals", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Any] = deque()
        self._signals: queue.SimpleQueue[None] = queue.SimpleQueue()

    def put(self, envelope: Any, /) -> None:
        self.waiting.append(envelope)
        self._signals.put(None)

    def get(self) -> Any:
        self._signals.get()
        return self.waiting.popleft()

    def empty(self) -> bool:
        return not self.waiting

    def qsize(self) -> int:
        return len(self.waiting)

    def drain(self) -> list[Parcel]:
        """Take out everything that waits."""
        parcels: list[Parcel] = []
        while True:
            try:
                self._signals.get_nowait()
            except queue.Empty:
                return parcels
            message = self.waiting.popleft().message
            if isinstance(message, Parcel):
                parcels.append(message)

    def oldest(self) -> Parcel | None:
        """The message that waits longest."""
        try:
            message = self.waiting[0].message
        except IndexError:
            return None
        return message if isinstance(message, Parcel) else None
