"""Joins the actors of this capability: who is started, under which name."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from docalign_actors.github.command_actor import NAME as COMMANDS
from docalign_actors.github.command_actor import CarryOut, CommandActor, CommandParts
from docalign_actors.github.dispatch_actor import DispatchActor, DispatchParts
from docalign_actors.github.herald_actor import NAME as HERALD
from docalign_actors.github.herald_actor import HeraldActor, Moved
from docalign_actors.github.inbox_actor import InboxActor
from docalign_actors.github.installation_actor import InstallationActor, TellingParts
from docalign_actors.github.messages import DISPATCH, INBOX, INSTALLATIONS, Keep
from docalign_actors.github.payloads import Taken
from docalign_actors.github.ports import Inbox
from docalign_actors.github.reconciler_actor import NAME as RECONCILER
from docalign_actors.github.reconciler_actor import ReconcilerActor, ReconcilerParts
from docalign_actors.github.telemetry import GitHubFixed
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.intake import Intake
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem

_PATIENT = Policy(intensity=10, rest=30.0)
"""A moment without the database or without GitHub must not end the whole service."""


def assemble_inbox(system: ActorSystem, parts: DispatchParts) -> Callable[[Taken], Future[bool]]:
    """Starts the inbox and the dispatcher; gives the way into the inbox."""
    system.supervise(DISPATCH, lambda: DispatchActor(parts), _PATIENT)
    return way_into(system, parts.inbox)


def way_into(system: ActorSystem, inbox: Inbox) -> Callable[[Taken], Future[bool]]:
    """Starts the inbox alone, on which nothing else hangs; the answer comes when the delivery is committed."""
    intake: Intake[Keep] = Intake(lambda flush: system.tell(INBOX, flush), _PATIENT.mailbox)
    system.supervise(INBOX, lambda: InboxActor(intake, inbox), _PATIENT)

    def keep(taken: Taken) -> Future[bool]:
        asked = Keep(taken, Future())
        intake.add(asked)
        return asked.reply

    return keep


def assemble_telling(system: ActorSystem, parts: TellingParts, *, idle: float = 120.0, most_live: int = 200) -> None:
    """Starts those who tell GitHub; they hear of scans through the stream of events, so scans know nothing of them."""
    system.family(
        INSTALLATIONS, lambda key: InstallationActor(int(key), parts), _PATIENT, idle=idle, most_live=most_live
    )
    system.supervise(HERALD, lambda: HeraldActor(parts.outbox, parts.clock, parts.errands), _PATIENT)

    def hear(event: object) -> None:
        if isinstance(event, ScanMoved) and event.type == "pr" and event.kind != "progress" and not system.stopping:
            system.tell(HERALD, Moved(RepoId(event.repo_id), str(event.run_id), event.kind, event.stage))

    parts.events.subscribe(hear, ScanMoved)


def assemble_commands(system: ActorSystem, parts: CommandParts) -> None:
    """Starts the one who carries commands out; it hears of the ends of scans and fixes through the stream of events."""
    system.supervise(COMMANDS, lambda: CommandActor(parts), _PATIENT)

    def hear(event: object) -> None:
        ended = isinstance(event, GitHubFixed) or (isinstance(event, ScanMoved) and event.kind == "end")
        if ended and not system.stopping:
            system.tell(COMMANDS, CarryOut())

    parts.events.subscribe(hear, ScanMoved, GitHubFixed)


def command_waker(system: ActorSystem) -> Callable[[], None]:
    """Tells the commander that something is ready."""

    def wake() -> None:
        if not system.stopping:
            system.tell(COMMANDS, CarryOut())

    return wake


def assemble_reconciler(system: ActorSystem, parts: ReconcilerParts) -> None:
    """Starts the one who finds what no webhook told us."""
    system.supervise(RECONCILER, lambda: ReconcilerActor(parts), _PATIENT)
