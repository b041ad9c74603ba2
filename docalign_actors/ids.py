"""New ids: ordered by time, so that an index on them grows at its end; and trace ids.

The layout is UUID version 7 (RFC 9562): 48 bits of milliseconds, then a counter that keeps ids of one
millisecond in the order in which they were made, then random bits.
"""

import os
import random
import secrets
import threading
import time
from uuid import UUID

_COUNTER_BITS = 12
_RANDOM_BITS = 62


def uuid7(milliseconds: int, counter: int, random_bits: int) -> UUID:
    """The id made of exactly these parts; `counter` has 12 bits, `random_bits` 62."""
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= 0x7 << 76
    value |= (counter & (1 << _COUNTER_BITS) - 1) << 64
    value |= 0b10 << 62
    value |= random_bits & (1 << _RANDOM_BITS) - 1
    return UUID(int=value)


class _Sequence:
    """Milliseconds and counter that only ever grow, also when the machine's clock is set back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._milliseconds = 0
        self._counter = 0

    def next(self, milliseconds: int) -> tuple[int, int]:
        with self._lock:
            if milliseconds > self._milliseconds:
                self._milliseconds, self._counter = milliseconds, 0
            else:
                self._counter += 1
                if self._counter >> _COUNTER_BITS:
                    self._milliseconds, self._counter = self._milliseconds + 1, 0
            return self._milliseconds, self._counter


_sequence = _Sequence()


# Ids are no secrets: they need to differ, not to be hard to guess. To ask the system for each costs more than the rest.
_chance = random.Random(secrets.randbits(256))  # noqa: S311
os.register_at_fork(after_in_child=lambda: _chance.seed(secrets.randbits(256)))


def new_id() -> UUID:
    """An id that no other has, greater than every id this process made before."""
    milliseconds, counter = _sequence.next(time.time_ns() // 1_000_000)
    return uuid7(milliseconds, counter, _chance.getrandbits(_RANDOM_BITS))


def new_trace() -> str:
    """A trace id: 32 hexadecimal digits, as in a `traceparent` header."""
    return f"{_chance.getrandbits(128):032x}"
