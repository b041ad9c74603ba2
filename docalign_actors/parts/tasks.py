"""The task queue's part of the composition root: the outbox and its sender, then the broker.

task-broker   the agent task queue
outbound      callbacks and events, out of the outbox; serves every capability
"""

from __future__ import annotations

from pathlib import Path

from docalign_actors.agent_tasks.assembly import assemble
from docalign_actors.applications.model import LETTER
from docalign_actors.clock import Clock
from docalign_actors.http.bearers import bearers_of
from docalign_actors.http.services import TaskServices
from docalign_actors.outbound.actor import assemble as assemble_outbound
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.outbound.messages import Post
from docalign_actors.outbound.secrets import own_secret
from docalign_actors.outbound.sending import HttpSender
from docalign_actors.parts.applications import Applications
from docalign_actors.persistence.agent_task_views import TaskViews
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.chronicle import keep_outcomes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.scans.assembly import tasks_changed
from docalign_actors.settings import Settings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream


def start_tasks(
    settings: Settings, database: Database, system: ActorSystem, applications: Applications, clock: Clock, events: EventStream
) -> TaskServices:  # fmt: skip
    """Starts the queue and what posts its letters; gives what HTTP needs of them."""
    tasks, out = settings.tasks, settings.outbound
    manners = {LETTER: applications.manner}
    outbox = PostgresOutbox(database, {LETTER: keep_outcomes})
    secret = out.secret or own_secret(Path(settings.data_dir))
    sender = HttpSender(
        secret.reveal(), allow_private=out.allow_private, seconds=out.timeout, ca_file=out.ca_file, manners=manners
    )
    assemble_outbound(system, outbox, sender, clock, attempts=out.attempts, manners=manners, events=events)
    backoff = Backoff(Curve(tasks.backoff), tasks.backoff_base, tasks.backoff_most)
    queue = assemble(
        system, PostgresTaskStore(database, backoff), clock,
        handler_deadline=settings.actors.handler_deadline, answered=lambda: tasks_changed(system),
    )  # fmt: skip
    return TaskServices(
        queue, TaskViews(database), outbox, lambda: system.tell("outbound", Post()), tasks.lease, tasks.longest_lease,
        settings.retention.tasks_days, bearers_of(tasks, clock),
    )  # fmt: skip
