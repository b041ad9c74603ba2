"""The task queue in a process of its own, served as the service serves it."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Any, cast

from docalign_actors.agent_tasks.assembly import assemble
from docalign_actors.clock import SystemClock
from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings, Services, TaskServices
from docalign_actors.http.serving import Serving, run_loop
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.outbound.actor import assemble as assemble_outbound
from docalign_actors.outbound.sending import HttpSender
from docalign_actors.persistence.agent_task_views import TaskViews
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream


def serve(url: str, pipe: Connection) -> None:
    """Serves until it is killed; sends its address and a token down the pipe."""
    logs.configure("json", "WARNING")
    tune()  # as the service does
    database = Database(url, pool_size=8)
    database.open()
    clock, events = SystemClock(), EventStream()
    system = ActorSystem(events, clock=clock, escalate=lambda name, why: None)
    metrics = Metrics(events)
    outbox = PostgresOutbox(database)
    assemble_outbound(system, outbox, HttpSender(""), clock)
    queue = assemble(system, PostgresTaskStore(database), clock)
    tokens = TokenStore(database, clock)
    services = Services(
        triggers=cast(Any, None), system=system, database=database, tokens=tokens, repos=RepoStore(database),
        views=Views(database), events=events, metrics=metrics.render, clock=clock, settings=HttpSettings(port=0),
        tasks=TaskServices(queue, TaskViews(database), outbox),
    )  # fmt: skip
    serving = Serving(make_app(services), services)
    address = serving.bind()
    settle_down()
    pipe.send((int(address.rpartition(":")[2]), tokens.create("bench", Role.ADMIN)))
    run_loop(serving.serve())
