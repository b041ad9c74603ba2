"""The watcher's part of the composition root: settings → rules → store → lookers and actors.

watcher     takes what is due and has it looked at
circuits    counts how scans ended
"""

from __future__ import annotations

from collections.abc import Collection

from docalign_actors.clock import Clock
from docalign_actors.hosts.credentials import CredentialFiles
from docalign_actors.hosts.heads import GitHeads
from docalign_actors.http.services import WatchServices
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.watch import PostgresWatchStore
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.model import WatchSettings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.assembly import asking, assemble_circuits, assemble_watcher, look_around
from docalign_actors.watch.deciding import Head
from docalign_actors.watch.defaults import numbers_of, rules_of
from docalign_actors.watch.figures import count, expose
from docalign_actors.watch.lookers import LookerParts
from docalign_actors.watch.watcher_actor import WatcherParts


class Watching:
    """Everything of the watcher that runs in this process. Circuits are counted although nothing is watched."""

    def __init__(
        self, settings: WatchSettings, database: Database, system: ActorSystem, triggers: TriggerService,
        credentials: CredentialFiles, metrics: Metrics, clock: Clock, events: EventStream, *, github: bool,
    ) -> None:  # fmt: skip
        numbers = numbers_of(settings)
        store = PostgresWatchStore(database, numbers, rules_of(settings), github=github)
        heads = HeadsWithCredentials(GitHeads(settings.look_timeout), credentials)
        looking = LookerParts(heads, asking(triggers), clock, events, numbers, settings.lookups)
        parts = WatcherParts(store, looking, clock, events, settings.spread)
        count(events, metrics.registry)
        expose(store, metrics, clock)
        assemble_circuits(system, parts)
        if settings.enabled:
            assemble_watcher(system, parts)
        woken = (lambda: look_around(system)) if settings.enabled else (lambda: None)
        self.services = WatchServices(store, credentials, woken)


class HeadsWithCredentials:
    """What `watch.ports.Heads` asks for."""

    def __init__(self, heads: GitHeads, credentials: CredentialFiles) -> None:
        self._heads = heads
        self._credentials = credentials

    def look(self, repo: RepoId, url: str, scanned: str, others: Collection[str] = ()) -> Head:
        return self._heads.look(url, scanned, self._credentials.get(repo), others)

    def close(self) -> None:
        self._heads.close()
