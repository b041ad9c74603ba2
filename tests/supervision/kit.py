"""What the tests of the kit share: a system whose events can be waited for, and actors that do as they are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec

from docalign_actors.clock import Clock, SystemClock
from docalign_actors.supervision import Actor, ActorSystem, Policy
from docalign_actors.telemetry import EventStream

WITHIN = 10.0
"""Seconds after which a test that waits has failed."""

QUICK = Policy(backoff_min=0.001, backoff_max=0.002, intensity=50)


class World:
    """An actor system with everything that a test wants to look at."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.changed = threading.Condition()
        self.events: list[msgspec.Struct] = []
        self.escalations: list[tuple[str, str]] = []
        self.on_escalation: Callable[[str, str], None] | None = None
        self.under_lock: list[msgspec.Struct] = []
        self.stream = EventStream()
        self.stream.subscribe(self._note)
        self.system = ActorSystem(self.stream, clock=clock or SystemClock(), escalate=self._escalate)

    def _note(self, event: msgspec.Struct) -> None:
        if self.system._directory.lock._is_owned():  # type: ignore[attr-defined]
            # A subscriber that has a lock of its own, and looks at the system under it, would never come back.
            self.under_lock.append(event)
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()

    def _escalate(self, name: str, reason: str) -> None:
        with self.changed:
            self.escalations.append((name, reason))
            self.changed.notify_all()
        if self.on_escalation is not None:
            self.on_escalation(name, reason)

    def seen(self, kind: type, /, **fields: object) -> list[Any]:
        return [
            event
            for event in list(self.events)
            if isinstance(event, kind) and all(getattr(event, key) == value for key, value in fields.items())
        ]

    def wait_for(self, kind: type, times: int = 1, /, **fields: object) -> Any:
        """The event, once it has come (so many times)."""
        self.until(lambda: len(self.seen(kind, **fields)) >= times, f"{times} × {kind.__name__} {fields}")
        return self.seen(kind, **fields)[times - 1]

    def until(self, condition: Callable[[], bool], what: str = "") -> None:
        """Wait until it is so; looked at after each event."""
        with self.changed:
            assert self.changed.wait_for(condition, WITHIN), f"{what} did not come: {self.events}"

    def info(self, name: str) -> Any:
        return next((info for info in self.system.snapshot() if info.name == name), None)


class Scripted(Actor):
    """Handles messages that are functions: each is called with the actor."""

    def __init__(self, log: list[object] | None = None, **hooks: Callable[[Any], object]) -> None:
        super().__init__()
        self.log = log if log is not None else []
        self.hooks = hooks

    def receive(self, message: Any) -> object:
        return message(self) if callable(message) else self.log.append(message)

    def started(self) -> None:
        if "started" in self.hooks:
            self.hooks["started"](self)

    def stopping(self) -> None:
        if "stopping" in self.hooks:
            self.hooks["stopping"](self)

    def may_passivate(self) -> bool:
        return bool(self.hooks["may_passivate"](self)) if "may_passivate" in self.hooks else True


class Gate:
    """A handler that holds its actor until the test lets it go."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()

    def __call__(self, actor: Actor) -> str:
        self.entered.set()
        assert self.opened.wait(WITHIN * 3)
        return "through"

    def wait(self) -> None:
        assert self.entered.wait(WITHIN)

    def open(self) -> None:
        self.opened.set()


def fail(error: BaseException) -> Callable[[Actor], object]:
    """A message on which the actor fails."""

    def handler(actor: Actor) -> object:
        raise error

    return handler
