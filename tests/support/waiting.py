"""Waiting for a condition, with an end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], timeout: float = 60.0) -> T:
    """The first true value that the condition gives; fails when the time is over."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def told(changed: threading.Condition, look: Callable[[], object], timeout: float) -> bool:
    """Whether it came true in time: looks whenever something happens, and now and then besides, because what is looked at may
    be written a moment after it was told of."""
    end = time.monotonic() + timeout
    while not changed.wait_for(look, 0.1):
        if time.monotonic() > end:
            return False
    return True
