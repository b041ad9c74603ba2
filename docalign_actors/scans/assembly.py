"""Joins the actors of this capability: who is started, under which name, with which numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Future
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.ingest import IngestActor
from docalign_actors.scans.limiter_actor import RateLimiterActor
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.messages import Enqueue, PermitsWanted
from docalign_actors.scans.model import RepoId, Request, RunId
from docalign_actors.scans.outcomes import Rules
from docalign_actors.scans.pool_actor import WorkerPoolActor
from docalign_actors.scans.ports import Job, Processes, ScanStore, Started, WaitStore
from docalign_actors.scans.referrals import AgentRules
from docalign_actors.scans.repo_actor import POOL, RepoActor
from docalign_actors.scans.scan_actor import Agents, ScanActor
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.scans.waiting_room import NAME as WAITING_ROOM
from docalign_actors.scans.waiting_room import TasksChanged, WaitingRoomActor
from docalign_actors.supervision.intake import Intake
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream


class ScanNumbers(Struct, frozen=True):
    """What an operator may set. Times are in seconds."""

    permits: int = 5
    deadline: float = 600.0
    grace: float = 15.0
    """After the deadline: how long a scan may take to keep what it has."""
    idle: float = 120.0
    most_live: int = 500
    handler_deadline: float = 60.0
    mailbox: int = 10_000
    rules: Rules = Rules()
    limits: Limits = Limits()
    agents: AgentRules = AgentRules()
    further: int = 20
    """Questions that what agents read out of prose may lead to, in one scan."""


class ScanParts(Struct, frozen=True):
    """What the capability is given."""

    store: ScanStore
    processes: Processes
    clock: Clock
    events: EventStream
    new_id: Callable[[], UUID]
    make_job: Callable[[Started], Job]
    waits: WaitStore | None = None
    tidy_tasks: Callable[[], None] = lambda: None
    """Tells the task queue what scans have asked since, and to withdraw what they want no more."""


def assemble(system: ActorSystem, parts: ScanParts, numbers: ScanNumbers) -> TriggerService:
    """Registers the actors in the order in which they depend on each other: they are stopped in the reverse."""
    policy = Policy(handler_deadline=numbers.handler_deadline, mailbox=numbers.mailbox, intensity=10)
    # One repository that breaks its actor, or a moment without the database, must not end the whole service.
    patient = msgspec.structs.replace(policy, rest=30.0)

    agents = Agents(numbers.agents, parts.new_id, lambda: tasks_changed(system))

    def make_scan(started: Started) -> ScanActor:
        return ScanActor(
            started, parts.store, parts.processes, parts.clock, parts.events, numbers.rules, parts.make_job, agents
        )

    def make_repo(key: str) -> RepoActor:
        return RepoActor(
            RepoId(UUID(key)), parts.store, parts.clock, parts.events, numbers.rules, numbers.deadline, numbers.grace,
            parts.new_id, make_scan,
        )  # fmt: skip

    system.supervise("rate-limiter", lambda: RateLimiterActor(parts.store, numbers.limits, parts.clock), policy)
    system.family("repo", make_repo, patient, idle=numbers.idle, most_live=numbers.most_live)
    system.supervise("worker-pool", lambda: WorkerPoolActor(parts.store, numbers.permits, parts.clock), policy)
    if parts.waits is not None:
        _open_waiting_room(system, parts, parts.waits, numbers, patient)
    ingest = assemble_ingest(system, parts.store, parts.clock, parts.new_id, parts.events, policy)
    return TriggerService(parts.store, ingest, system.tell, lambda: tasks_changed(system))


def assemble_ingest(
    system: ActorSystem, store: ScanStore, clock: Clock, new_id: Callable[[], UUID], events: EventStream,
    policy: Policy,
) -> Callable[[Request], Future[RunId]]:  # fmt: skip
    """Registers the ingest; gives the way into it."""
    intake: Intake[Enqueue] = Intake(lambda flush: system.tell("ingest", flush), policy.mailbox)
    system.supervise("ingest", lambda: IngestActor(intake, store, clock, new_id, events), policy)

    def ingest(request: Request) -> Future[RunId]:
        asked = Enqueue(request, Future())
        intake.add(asked)
        return asked.reply

    return ingest


def _open_waiting_room(
    system: ActorSystem, parts: ScanParts, waits: WaitStore, numbers: ScanNumbers, policy: Policy
) -> None:
    def make() -> WaitingRoomActor:
        return WaitingRoomActor(
            waits, parts.clock, parts.events, numbers.agents, parts.new_id, numbers.further, parts.tidy_tasks
        )

    def hear(event: object) -> None:
        """A scan that was cancelled or superseded wants its tasks no more."""
        if isinstance(event, ScanMoved) and event.kind == "end":
            tasks_changed(system)

    system.supervise(WAITING_ROOM, make, policy)
    parts.events.subscribe(hear, ScanMoved)


def waits_no_longer(system: ActorSystem, repo: UUID) -> None:
    """A run of this repository that waited for agents has become due. Nothing is lost if nobody hears: the pool counts again."""
    tasks_changed(system)
    if not system.stopping:
        with contextlib.suppress(DocAlignError):
            system.tell(POOL, PermitsWanted((RepoId(repo),)))


def tasks_changed(system: ActorSystem) -> None:
    """Tells the waiting room. Nothing is lost if it does not hear: it looks of its own accord."""
    if not system.stopping:
        with contextlib.suppress(DocAlignError):
            system.tell(WAITING_ROOM, TasksChanged())
