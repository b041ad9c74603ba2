"""Messages on which an actor fails again and again: counted per actor over all its incarnations, and quarantined at the fifth time.

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
_REMEMBERED = 1_000


class Poison:
    """Counts failures by message."""

    def __init__(self, attempts: int = ATTEMPTS) -> None:
        self._attempts = attempts
        self._times: OrderedDict[str, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._times)

    def failed(self, key: str) -> int:
        """Note a failure; how many there have been for this message."""
        times = self._times.pop(key, 0) + 1
        self._times[key] = times
        if len(self._times) > _REMEMBERED:
            self._times.popitem(last=False)
        return times

    def handled(self, key: str) -> None:
        """Forget the failures of a message that was handled after all."""
        self._times.pop(key, None)

    def quarantined(self, key: str) -> bool:
        """Whether the message has failed so often that it is not to be tried again."""
        return self._times.get(key, 0) >= self._attempts

    def is_last(self, times: int) -> bool:
        """Whether the failure with this count is the one that quarantines the message."""
        return times == self._attempts


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
    times = cell.poison.failed(poison_key(incarnation.actor, parcel))
    if cell.poison.is_last(times):
        incarnation.directory.events.publish(MessageQuarantined(cell.name, parcel.kind, times, error))
    return times
