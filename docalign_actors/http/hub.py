"""From the stream of telemetry, which any thread writes to, to the live streams of the event loop.

Nothing here grows with a slow reader: of a scan's moves only the last one waits to be sent, and one who falls far behind
is told to read everything anew.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec

from docalign_actors.applications.events import SubscriptionsChanged
from docalign_actors.http.errors import BusyError
from docalign_actors.outbound.events import LetterSettled
from docalign_actors.scans.events import RepoChanged, ScanMoved
from docalign_actors.telemetry import events
from docalign_actors.telemetry.stream import EventStream

_MOST_WAITING = 500
_INBOX = 10_000
_REST = 1.0
"""Seconds between two words on the tree of actors, and on applications."""
_TREE = (
    events.ActorStarted,
    events.ActorStopped,
    events.ActorRestarted,
    events.ActorPassivated,
    events.FencedReturned,
    events.MessageHandled,
    events.DeadLetter,
)
_APPS = (LetterSettled, SubscriptionsChanged)
_INCIDENTS = (events.ActorFailed, events.ActorFenced, events.Escalated, events.MessageQuarantined)


class Watcher:
    """One open stream: what waits to be sent, and a bell."""

    def __init__(self, run: UUID | None) -> None:
        self.run = run
        self.ended = False
        self._bell = asyncio.Event()
        self._waiting: dict[tuple[str, object], tuple[str, Any]] = {}

    def offer(self, name: str, key: object, data: Any) -> None:
        """Something to send. A newer word on the same thing takes the place of an older one that still waits."""
        self._waiting.pop((name, key), None)
        self._waiting[name, key] = (name, data)
        if len(self._waiting) > _MOST_WAITING:
            self._waiting = {("reset", None): ("reset", {})}
        self._bell.set()

    def take(self) -> list[tuple[str, Any]]:
        taken, self._waiting = list(self._waiting.values()), {}
        return taken

    def ring(self) -> None:
        self._bell.set()

    def end(self) -> None:
        self.ended = True
        self._bell.set()

    async def wait(self, seconds: float) -> bool:
        """Waits for the bell. False if it was silent all the time."""
        try:
            async with asyncio.timeout(seconds):
                await self._bell.wait()
        except TimeoutError:
            return False
        self._bell.clear()
        return True


class Hub:
    """All open streams of this process."""

    def __init__(self, stream: EventStream, most: int, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._stream = stream
        self._most = most
        self._watchers: set[Watcher] = set()
        self._inbox: deque[msgspec.Struct] = deque(maxlen=_INBOX)
        self._called = False
        self._moved: set[str] = set()
        """What is told at most once a second: that the tree of actors, or something of applications, has moved."""
        self._resting = False
        self._loop = loop
        self._incidents = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Listens for as long as the application runs. Entered in the event loop."""
        self._loop = self._loop or asyncio.get_running_loop()
        kinds = (ScanMoved, RepoChanged, *_APPS, *_INCIDENTS, *_TREE)
        unsubscribe = self._stream.subscribe(self._heard, *kinds)
        try:
            yield
        finally:
            unsubscribe()
            self.end_all()
            self._loop = None

    @contextmanager
    def watch(self, run: UUID | None = None) -> Iterator[Watcher]:
        """A stream of one scan, or of everything. Refused when too many are open."""
        if len(self._watchers) >= self._most:
            raise BusyError("Too many live streams are open.")
        watcher = Watcher(run)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    @property
    def open(self) -> int:
        return len(self._watchers)

    def end_all(self) -> None:
        """The service stops: every stream ends now."""
        for watcher in self._watchers:
            watcher.end()

    def _heard(self, event: msgspec.Struct) -> None:
        """In the thread of whoever published it: must be cheap."""
        if not self._watchers:
            return
        if isinstance(event, (*_TREE, *_APPS)):
            topic = "actors" if isinstance(event, _TREE) else "app"
            if topic in self._moved:
                return
            self._moved.add(topic)
        else:
            self._inbox.append(event)
        loop = self._loop
        if not self._called and loop is not None:
            self._called = True
            try:
                loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop is closed
                self._called = False

    def _deliver(self) -> None:
        """In the event loop."""
        self._called = False
        while self._inbox:
            self._tell(self._inbox.popleft())
        if self._moved and not self._resting and self._loop is not None:
            self._resting = True
            while self._moved:
                self._offer(self._moved.pop(), None, {})
            self._loop.call_later(_REST, self._rested)

    def _rested(self) -> None:
        """The last move within the rest is told after it, not lost."""
        self._resting = False
        self._deliver()

    def _tell(self, event: msgspec.Struct) -> None:
        match event:
            case ScanMoved(run_id=run):
                for watcher in self._watchers:
                    if watcher.run == run:
                        watcher.ring()
                    elif watcher.run is None:
                        watcher.offer("scan", run, event)
            case RepoChanged(repo_id=repo):
                self._offer("repo", repo, {"repo_id": repo})
            case _ if isinstance(event, _INCIDENTS):
                self._incidents += 1
                self._offer("incident", self._incidents, incident_of(event))
                self._moved.add("actors")

    def _offer(self, name: str, key: object, data: Any) -> None:
        for watcher in self._watchers:
            if watcher.run is None:
                watcher.offer(name, key, data)


def incident_of(event: msgspec.Struct) -> dict[str, str]:
    """An incident in one line: which actor, what happened, and what it said."""
    said = getattr(event, "error", "") or getattr(event, "reason", "") or getattr(event, "kind", "")
    tag = event.__struct_config__.tag
    return {"actor": getattr(event, "name", ""), "kind": str(tag), "error": str(said)[:500]}
