"""Messages on which an actor fails again and again: counted per actor over all its incarnations, and quarantined at the
fifth time for ten minutes.

The count here is the kit's own and ends with the process. What must be remembered beyond that belongs on the row that the
message stands for: an actor writes it there in its `poison` hook.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from docalign_actors.telemetry.events import MessageQuarantined

if TYPE_CHECKING:
    from docalign_actors.supervision.actor import Actor
    from docalign_actors.supervision.incarnation import Incarnation
    from docalign_actors.supervision.mailbox import Parcel

ATTEMPTS = 5
MEMORY = 600.0
"""Seconds after its last failure at which a message is given a new chance: the cause may have gone, and a message that says no
more than "look" must not be lost to its actor for ever."""
_REMEMBERED = 1_000


class Poison:
    """Counts failures by message. Pure: the time is passed in."""

    def __init__(self, attempts: int = ATTEMPTS, memory: float = MEMORY) -> None:
        self._attempts = attempts
        self._memory = memory
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """Message → how often it failed and when last; in the order of the last failure."""

    def __len__(self) -> int:
        return len(self._failures)

    def failed(self, key: str, now: float) -> int:
        """Note a failure; how many there have been for this message."""
        self._forget(now)
        times = self._failures.pop(key, (0, now))[0] + 1
        self._failures[key] = (times, now)
        if len(self._failures) > _REMEMBERED:
            self._failures.popitem(last=False)
        return times

    def handled(self, key: str) -> None:
        """Forget the failures of a message that was handled after all."""
        self._failures.pop(key, None)

    def quarantined(self, key: str, now: float) -> bool:
        """Whether the message has failed so often that it is not to be tried again."""
        self._forget(now)
        return self._failures.get(key, (0, now))[0] >= self._attempts

    def is_last(self, times: int) -> bool:
        """Whether the failure with this count is the one that quarantines the message."""
        return times == self._attempts

    def _forget(self, now: float) -> None:
        while self._failures:
            key, (_, at) = next(iter(self._failures.items()))
            if now - at < self._memory:
                return
            del self._failures[key]


def poison_key(actor: Actor, parcel: Parcel) -> str:
    """What the actor says makes the message what it is; its kind, if the actor fails even at that."""
    try:
        return actor.poison_key(parcel.message)
    except BaseException:
        return parcel.kind


def count_poison(incarnation: Incarnation, parcel: Parcel, error: str) -> int:
    """Note that the actor failed on this message; how often by now."""
    cell = incarnation.cell
    if cell.poison is None:
        cell.poison = Poison()
    times = cell.poison.failed(poison_key(incarnation.actor, parcel), incarnation.directory.clock.monotonic())
    if cell.poison.is_last(times):
        incarnation.directory.events.publish(MessageQuarantined(cell.name, parcel.kind, times, error))
    return times
