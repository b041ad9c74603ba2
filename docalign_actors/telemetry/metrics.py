"""Figures for Prometheus, in a registry of their own, fed by the stream of events.

Labels are classes of actors and kinds of messages, never names: ten thousand repositories must not make ten thousand series.
"""

from collections.abc import Callable

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from docalign_actors.telemetry import events
from docalign_actors.telemetry.stream import EventStream

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 60.0)


class Metrics:
    """Subscribes to the stream and keeps count; `render` is what `/metrics` answers with."""

    def __init__(self, stream: EventStream, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._handled = Histogram(
            "docalign_message_seconds",
            "Time to handle a message.",
            ("actor", "kind"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._failed = self._counter("docalign_actor_failures", "Incarnations that ended with an error.", "actor")
        self._started = self._counter("docalign_actor_starts", "Incarnations started.", "actor")
        self._passivated = self._counter("docalign_actor_passivations", "Actors that gave their thread back.", "actor")
        self._fenced = self._counter("docalign_actor_fenced", "Incarnations given up past their deadline.", "actor")
        self._dead = self._counter("docalign_dead_letters", "Messages that nobody handled.", "reason")
        self._quarantined = self._counter("docalign_quarantined_messages", "Messages not tried again.", "kind")
        self._escalated = self._counter("docalign_escalations", "Actors that failed too often.")
        self._children: dict[tuple[str, str], Histogram] = {}
        self.close = stream.subscribe(self._count, events.Event)

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A figure that is read at each scrape."""
        Gauge(name, text, registry=self.registry).set_function(read)

    def render(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)

    def _count(self, event: msgspec.Struct) -> None:
        match event:
            case events.MessageHandled(kind=kind, seconds=seconds, actor=actor):
                child = self._children.get((actor, kind))
                if child is None:
                    child = self._children[actor, kind] = self._handled.labels(actor, kind)
                child.observe(seconds)
            case events.ActorStarted(actor=actor):
                self._started.labels(actor).inc()
            case events.ActorPassivated(actor=actor):
                self._passivated.labels(actor).inc()
            case events.ActorFailed(actor=actor):
                self._failed.labels(actor).inc()
            case events.ActorFenced(actor=actor):
                self._fenced.labels(actor).inc()
            case events.DeadLetter(reason=reason):
                self._dead.labels(reason).inc()
            case events.MessageQuarantined(kind=kind):
                self._quarantined.labels(kind).inc()
            case events.Escalated():
                self._escalated.inc()
            case _:
                pass
