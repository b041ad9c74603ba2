"""Messages on which an actor fails again and again: counted per actor over all its incarnations, and quarantined at the fifth time.

The count here is the kit's own and ends with the process. What must be remembered beyond that belongs on the row that the
message stands for: an actor writes it there in its `poison` hook.
"""

from collections import OrderedDict

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
