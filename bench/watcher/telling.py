"""The part of the service that tells subscribers, in a process of its own, as the service puts it together."""

from __future__ import annotations

import threading
from multiprocessing.connection import Connection
from pathlib import Path

from docalign_actors.applications.assembly import assemble
from docalign_actors.applications.chronicle_actor import ChronicleParts
from docalign_actors.applications.keys import master_key
from docalign_actors.applications.manner import EventManner, Numbers
from docalign_actors.applications.model import LETTER
from docalign_actors.applications.parts import Limits
from docalign_actors.clock import SystemClock
from docalign_actors.hosts.trees_of_mirrors import MirrorTrees
from docalign_actors.ids import new_id
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.outbound.actor import assemble as assemble_outbound
from docalign_actors.outbound.sending import HttpSender
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.chronicle import PostgresChronicle, keep_outcomes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.stream import EventStream


def tell(url: str, folder: str, pipe: Connection) -> None:
    """Works until it is killed."""
    logs.configure("json", "WARNING")
    tune()
    database = Database(url, pool_size=8)
    database.open()
    clock, events, limits = SystemClock(), EventStream(), Limits()
    trees = MirrorTrees(Path(folder) / "mirrors")
    manners = {LETTER: EventManner(trees, ApplicationStore(database, clock), master_key(Path(folder)), Numbers())}
    system = ActorSystem(events, clock=clock, escalate=lambda name, why: None)
    outbox = PostgresOutbox(database, {LETTER: keep_outcomes})
    assemble_outbound(
        system, outbox, HttpSender("", allow_private=True, manners=manners), clock, manners=manners, events=events
    )  # fmt: skip
    assemble(
        system, ChronicleParts(PostgresChronicle(database), trees, clock, events, limits, new_id, lambda repo: None)
    )
    settle_down()
    pipe.send("up")
    threading.Event().wait()
