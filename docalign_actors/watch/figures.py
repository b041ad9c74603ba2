"""Figures for Prometheus: looks, how late they were, scans that were asked for, circuits."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.events import CircuitMoved, HeadLooked, ScanAsked
from docalign_actors.watch.ports import WatchStore

_SECONDS = (0.01, 0.05, 0.2, 1.0, 5.0, 20.0)
_LATE = (1.0, 5.0, 30.0, 60.0, 300.0, 1_800.0)


def count(events: EventStream, registry: CollectorRegistry) -> None:
    """From now on."""
    looks = Counter("docalign_watch_looks", "Heads of repositories looked at.", ("outcome",), registry=registry)
    seconds = Histogram(
        "docalign_watch_look_seconds", "Time to look at a head.", buckets=_SECONDS, registry=registry
    )  # fmt: skip
    late = Histogram(
        "docalign_watch_late_seconds", "Time between due and looked at.", buckets=_LATE, registry=registry
    )  # fmt: skip
    scans = Counter("docalign_watch_scans", "Scans that the watcher asked for.", ("kind",), registry=registry)
    moves = Counter("docalign_circuit_moves", "Circuits that went into a state.", ("state",), registry=registry)

    def note(event: object) -> None:
        match event:
            case HeadLooked(outcome=outcome):
                looks.labels(outcome).inc()
                seconds.observe(event.seconds)
                late.observe(event.late)
            case ScanAsked(kind=kind):
                scans.labels(kind).inc()
            case CircuitMoved(after=after):
                moves.labels(after).inc()

    events.subscribe(note, HeadLooked, ScanAsked, CircuitMoved)


def expose(store: WatchStore, metrics: Metrics, clock: Clock) -> None:
    """Figures that are read at each scrape. Without the database there are none, and the others are shown all the same."""

    def read(name: str) -> float:
        try:
            found = store.figures(clock.now())
        except DocAlignError:
            return float("nan")
        return float({"due": found.due, "open": found.open, "half_open": found.half_open}[name])

    metrics.gauge("docalign_watch_due", "Repositories that are due to be looked at.", lambda: read("due"))
    metrics.gauge("docalign_circuits_open", "Circuits that are open.", lambda: read("open"))
    metrics.gauge("docalign_circuits_half_open", "Circuits with a try under way.", lambda: read("half_open"))
