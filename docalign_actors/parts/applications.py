"""The applications' part of the composition root: the master key → stores → how events are sent → those who write the journal.

chronicle/<repository>  what happened there, into the journal and out of it
app-herald              wakes those who have something to say
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docalign_actors.applications.assembly import assemble, look_at
from docalign_actors.applications.chronicle_actor import ChronicleParts
from docalign_actors.applications.figures import count
from docalign_actors.applications.keys import master_key
from docalign_actors.applications.manner import EventManner, Numbers
from docalign_actors.applications.parts import Limits
from docalign_actors.clock import Clock
from docalign_actors.hosts.trees_of_mirrors import MirrorTrees
from docalign_actors.http.services import AppServices
from docalign_actors.ids import new_id
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.chronicle import PostgresChronicle
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RepoId
from docalign_actors.settings import Settings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.events import CircuitMoved


class Applications:
    """Everything that belongs to applications. `manner` is for the outbound actor, which is to be there before `start`."""

    def __init__(
        self, settings: Settings, database: Database, system: ActorSystem, ask_for_scan: Callable[[RepoId], object], clock: Clock,
        events: EventStream, metrics: Metrics,
    ) -> None:  # fmt: skip
        data_dir, own = Path(settings.data_dir), settings.applications
        self._system = system
        trees = MirrorTrees(data_dir / "mirrors")
        store, log, key = ApplicationStore(database, clock), DeliveryLog(database, clock), master_key(data_dir)
        limits = Limits(own.inline_bytes, own.chunked_bytes)
        backoff = Backoff(Curve.EQUAL_JITTER, own.backoff_base, own.backoff_most)
        self.manner = EventManner(trees, store, key, Numbers(own.attempts, limits, settings.http.public_url, backoff))
        self.services = AppServices(store, log, key, trees, settings.outbound.allow_private, own.fetch_bytes)
        self._parts = ChronicleParts(PostgresChronicle(database), trees, clock, events, limits, new_id, ask_for_scan)
        count(events, metrics, log.figures)

    def start(self) -> None:
        assemble(self._system, self._parts)
        self._parts.events.subscribe(self._hear_of_circuits, CircuitMoved)

    def _hear_of_circuits(self, event: object) -> None:
        """That a breaker opened or closed is in the database by now, for whoever tells of it."""
        if isinstance(event, CircuitMoved):
            look_at(self._system, event.repo_id)
