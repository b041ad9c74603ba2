"""Counts how scans ended for the circuits of their repositories. The database has written it down with the end itself."""

from __future__ import annotations

import threading

from docalign_actors.clock import Clock
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.messages import CountScans
from docalign_actors.watch.ports import WatchStore
from docalign_actors.watch.watcher_actor import say_moved

NAME = "circuits"
_PIECE = 500
_NET = 30.0
"""Seconds after which it looks although nobody told it to."""


class BreakerActor(Actor):
    """One of them."""

    def __init__(self, store: WatchStore, clock: Clock, events: EventStream, told: threading.Event) -> None:
        """`told`: set by whoever sends CountScans, so that one message speaks for all scans that ended meanwhile."""
        super().__init__()
        self._told = told
        self._store = store
        self._clock = clock
        self._events = events

    def started(self) -> None:
        self.context.tell_self(CountScans())

    def receive(self, message: object) -> None:
        match message:
            case CountScans():
                self._told.clear()
                counted, moved = self._store.count_scans(self._clock.now(), _PIECE)
                say_moved(self._events, moved)
                self.context.after(0.0 if counted == _PIECE else _NET, CountScans(), key="count")
