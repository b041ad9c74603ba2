"""Figures for Prometheus: deliveries by what came of them, how long they took, subscriptions by status, what waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from prometheus_client import Counter, Histogram

from docalign_actors.applications.events import JournalWritten
from docalign_actors.applications.model import LETTER
from docalign_actors.errors import DocAlignError
from docalign_actors.outbound.events import LetterSettled
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream

_BUCKETS = (0.1, 1.0, 10.0, 60.0, 600.0, 3600.0)
_KEPT = 5.0
"""Seconds for which the figures of the database serve: one scrape asks for all of them."""


class Counts(Protocol):
    """What the database counts."""

    @property
    def active(self) -> int: ...
    @property
    def paused(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def notes(self) -> int: ...


def count(events: EventStream, metrics: Metrics, read: Callable[[], Counts]) -> None:
    """From now on. Labels are outcomes and statuses, never names."""
    registry = metrics.registry
    ended = Counter("docalign_app_deliveries", "Attempts to deliver events.", ("outcome",), registry=registry)
    took = Histogram(
        "docalign_app_delivery_seconds", "From the writing of an event to its arrival.", buckets=_BUCKETS, registry=registry
    )  # fmt: skip
    entries = Counter("docalign_journal_entries", "Entries written into journals.", registry=registry)
    words = {"delivered": "delivered", "waiting": "retried", "dead": "dead"}

    def note(event: object) -> None:
        match event:
            case LetterSettled(kind=kind, status=status, seconds=seconds) if kind == LETTER:
                ended.labels(words[status]).inc()
                if status == "delivered":
                    took.observe(max(0.0, seconds))
            case JournalWritten(entries=number):
                entries.inc(number)

    events.subscribe(note, LetterSettled, JournalWritten)
    figures = _Remembered(read)
    for field, name, text in (
        ("active", "docalign_subscriptions_active", "Subscriptions that are told what changes."),
        ("paused", "docalign_subscriptions_paused", "Subscriptions that somebody paused."),
        ("failed", "docalign_subscriptions_failed", "Subscriptions that have failed."),
        ("waiting", "docalign_app_deliveries_waiting", "Deliveries that wait."),
        ("notes", "docalign_journal_notes", "Things that happened and are not in a journal yet."),
    ):
        metrics.gauge(name, text, figures.reader(field))


class _Remembered:
    """One query a scrape. Without the database there are no figures, and the others are shown all the same."""

    def __init__(self, read: Callable[[], Counts]) -> None:
        self._read = read
        self._until = 0.0
        self._last: Counts | None = None

    def reader(self, name: str) -> Callable[[], float]:
        return lambda: float(getattr(self._now(), name, float("nan")))

    def _now(self) -> Counts | None:
        if time.monotonic() >= self._until:
            try:
                self._last = self._read()
            except DocAlignError:
                self._last = None
            self._until = time.monotonic() + _KEPT
        return self._last
