"""What Prometheus reads of the actor system at each scrape."""

from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.metrics import Metrics


def expose(system: ActorSystem, metrics: Metrics) -> None:
    """From now on the figures of this system are among the metrics."""
    metrics.gauge("docalign_actors", "Actors that have, or wait for, a thread.", lambda: float(len(system.snapshot())))
    metrics.gauge(
        "docalign_mailbox_messages", "Messages that wait.", lambda: float(sum(info.depth for info in system.snapshot()))
    )
    metrics.gauge(
        "docalign_mailbox_oldest_seconds",
        "How long the message that waits longest has waited.",
        lambda: max((info.oldest for info in system.snapshot()), default=0.0),
    )
    metrics.gauge(
        "docalign_actors_waiting",
        "Members of families that have messages but no thread.",
        lambda: float(sum(family.waiting for family in system.families())),
    )
    metrics.gauge(
        "docalign_threads_abandoned",
        "Threads of incarnations that were given up and have not come back.",
        lambda: float(system.abandoned),
    )
