"""The watcher in a process of its own, as the service runs it: the store, the ingest, real git; runs are queued and left so."""

from __future__ import annotations

import threading
from pathlib import Path

from docalign_actors.clock import SystemClock
from docalign_actors.hosts.credentials import CredentialFiles
from docalign_actors.ids import new_id
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.parts.watching import Watching
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.scans.assembly import assemble_ingest
from docalign_actors.scans.limiter_actor import RateLimiterActor
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.model import WatchSettings
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream


def serve(url: str, folder: str) -> None:
    """Watches until it is killed."""
    logs.configure("json", "WARNING")
    tune()  # as the service does
    database = Database(url, pool_size=8)
    database.open()
    clock, events = SystemClock(), EventStream()
    system = ActorSystem(events, clock=clock, escalate=lambda name, why: None)
    store = PostgresScanStore(database)
    system.supervise("rate-limiter", lambda: RateLimiterActor(store, Limits(), clock))
    ingest = assemble_ingest(system, store, clock, new_id, events, Policy())
    triggers = TriggerService(store, ingest, system.tell)
    credentials = CredentialFiles(Path(folder) / "credentials")
    Watching(WatchSettings(), database, system, triggers, credentials, Metrics(events), clock, events, github=False)
    settle_down()
    threading.Event().wait()
