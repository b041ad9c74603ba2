"""How often somebody may fail to sign in. Kept in memory, for this process, within a bound."""

from __future__ import annotations

from collections import OrderedDict, deque
from ipaddress import IPv6Address, ip_address

from docalign_actors.clock import Clock
from docalign_actors.http.errors import TooManyAttemptsError

_MOST_FAILURES = 10
_SECONDS = 60.0
_MOST_KEYS = 10_000


class Throttle:
    """Ten failures in a minute; then a minute's rest. What is forgotten first is what failed longest ago."""

    def __init__(self, clock: Clock, most: int = _MOST_FAILURES, keys: int = _MOST_KEYS) -> None:
        self._clock = clock
        self._most = most
        self._keys = keys
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Raises if this client has failed too often."""
        recent = self._failures.get(key_of(client))
        if recent is not None and len(recent) == self._most and self._clock.monotonic() - recent[0] < _SECONDS:
            raise TooManyAttemptsError

    def failed(self, client: str) -> None:
        key = key_of(client)
        self._failures.setdefault(key, deque(maxlen=self._most)).append(self._clock.monotonic())
        self._failures.move_to_end(key)
        while len(self._failures) > self._keys:
            self._failures.popitem(last=False)

    def succeeded(self, client: str) -> None:
        self._failures.pop(key_of(client), None)

    def __len__(self) -> int:
        return len(self._failures)


def key_of(client: str) -> str:
    """The address; of an IPv6 address its network, since one machine has as many addresses there as it likes."""
    try:
        address = ip_address(client)
    except ValueError:
        return client[:64]
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
