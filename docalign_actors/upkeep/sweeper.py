"""The sweeper: now and then throws away what was kept long enough, a little at a time."""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.upkeep.events import Swept
from docalign_actors.upkeep.ports import Housekeeper, Keep, MirrorKeeper

_EVERY = 3600.0
_FIRST = 60.0
_NEXT_PIECE = 0.05


class Sweep(Struct, frozen=True, tag="sweeper.sweep"):
    """To itself: do a piece of the work."""


class SweeperActor(Actor):
    """Sweeps once an hour; in pieces, so that no statement holds anything for long."""

    def __init__(self, house: Housekeeper, mirrors: MirrorKeeper, keep: Keep, events: EventStream) -> None:
        super().__init__()
        self._house = house
        self._mirrors = mirrors
        self._keep = keep
        self._events = events

    def started(self) -> None:
        self.context.after(_FIRST, Sweep(), key="sweep")

    def receive(self, message: object) -> None:
        match message:
            case Sweep():
                gone = self._house.sweep(self._keep)
                if gone:
                    self._events.publish(Swept(gone))
                    self.context.after(_NEXT_PIECE, Sweep(), key="sweep")
                    return
                removed = self._mirrors.sweep(self._keep.mirror_bytes)
                if removed:
                    self._events.publish(Swept({"mirrors": len(removed)}))
                self.context.after(_EVERY, Sweep(), key="sweep")
