"""What happens among the actors, as facts in the past tense. Further capabilities add their own, with a tag of their own."""

from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened. A subclass names its tag; `kept` says whether the stream remembers it for pages."""

    kept: ClassVar[bool] = True


class ActorStarted(Event, frozen=True, tag="actor.started"):
    """An incarnation is up: it has read its state and handles messages."""

    kept: ClassVar[bool] = False
    name: str
    actor: str
    """The actor's class."""
    restarts: int


class ActorStopped(Event, frozen=True, tag="actor.stopped"):
    """An actor ended in order."""

    kept: ClassVar[bool] = False
    name: str
    actor: str


class ActorFailed(Event, frozen=True, tag="actor.failed"):
    """An incarnation ended because of an error."""

    name: str
    actor: str
    kind: str
    """The kind of the message that it failed on; empty if it was none."""
    error: str
    trace: str
    stack: str


class ActorRestarted(Event, frozen=True, tag="actor.restarted"):
    """A failed actor is to be started again, after a delay."""

    name: str
    actor: str
    delay: float
    restarts: int
    error: str


class ActorPassivated(Event, frozen=True, tag="actor.passivated"):
    """A member of a family gave its thread back; the next message starts it again."""

    kept: ClassVar[bool] = False
    name: str
    actor: str


class ActorFenced(Event, frozen=True, tag="actor.fenced"):
    """A handler ran past its deadline: its incarnation was given up, its thread abandoned."""

    name: str
    actor: str
    kind: str
    seconds: float
    stack: str
    """Where its thread was then."""


class FencedReturned(Event, frozen=True, tag="actor.fenced_returned"):
    """The thread of an incarnation that had been given up came back, and ended."""

    name: str
    actor: str


class MessageHandled(Event, frozen=True, tag="message.handled"):
    """A message was handled. By far the most frequent event: it is not kept."""

    kept: ClassVar[bool] = False
    name: str
    kind: str
    seconds: float
    actor: str = ""


class AskFailed(Event, frozen=True, tag="message.ask_failed"):
    """A question was answered with an error; the actor lives on."""

    kept: ClassVar[bool] = False
    name: str
    kind: str
    error: str
    trace: str


class MessageQuarantined(Event, frozen=True, tag="message.quarantined"):
    """A message on which an actor failed too often: it is not tried again."""

    name: str
    kind: str
    times: int
    error: str


class DeadLetter(Event, frozen=True, tag="message.dead"):
    """A message that nobody handled."""

    kept: ClassVar[bool] = False
    name: str
    kind: str
    reason: str
    trace: str = ""


class Escalated(Event, frozen=True, tag="system.escalated"):
    """An actor failed more often than its policy allows: the supervisor gave up on it."""

    name: str
    reason: str


class SystemStopping(Event, frozen=True, tag="system.stopping"):
    """From now on new work is refused."""

    deadline: float


class SystemStopped(Event, frozen=True, tag="system.stopped"):
    """The actor system ended; `left` names what did not stop in time."""

    left: tuple[str, ...]
