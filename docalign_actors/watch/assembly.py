"""Joins the actors of this capability: who is started, under which name."""

from __future__ import annotations

import threading

from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.model import RunId, ScanType, Trigger
from docalign_actors.scans.stages import FETCH
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.watch.breaker_actor import NAME as CIRCUITS
from docalign_actors.watch.breaker_actor import BreakerActor
from docalign_actors.watch.deciding import Due, Wanted
from docalign_actors.watch.messages import CountScans, LookAround
from docalign_actors.watch.ports import Asking
from docalign_actors.watch.watcher_actor import NAME as WATCHER
from docalign_actors.watch.watcher_actor import WatcherActor, WatcherParts

_ANSWER = 15.0
_PATIENT = Policy(intensity=10, rest=30.0)
"""A moment without the database must not end the whole service."""


def asking(triggers: TriggerService) -> Asking:
    """Asks for scans as the schedule, and says in the run whether it is the first one."""

    def ask(due: Due, wanted: Wanted) -> RunId:
        user = f"schedule ({wanted.kind}: {wanted.why})"
        if wanted.type is ScanType.PUSH:
            asked = triggers.enqueue_push_scan(
                due.repo_id, wanted.before, wanted.after, trigger=Trigger.SCHEDULED, user=user
            )
        else:
            asked = triggers.enqueue_full_scan(due.repo_id, trigger=Trigger.SCHEDULED, user=user)
        return asked.result(_ANSWER)

    return ask


def assemble_circuits(system: ActorSystem, parts: WatcherParts) -> None:
    """Starts the one who counts; it hears of scans through the stream of events, so scans know nothing of it."""
    told = threading.Event()
    system.supervise(CIRCUITS, lambda: BreakerActor(parts.store, parts.clock, parts.events, told), _PATIENT)

    def hear(event: object) -> None:
        # A scan that was asked for is heard of when it starts: requests come by the thousand, and most concern no circuit.
        concerns = isinstance(event, ScanMoved) and (event.kind == "end" or event.stage == FETCH)
        if concerns and not told.is_set() and not system.stopping:
            told.set()
            system.tell(CIRCUITS, CountScans())

    parts.events.subscribe(hear, ScanMoved)


def assemble_watcher(system: ActorSystem, parts: WatcherParts) -> None:
    """Starts the one who looks."""
    system.supervise(WATCHER, lambda: WatcherActor(parts), _PATIENT)


def look_around(system: ActorSystem) -> None:
    """Something may be due earlier than was known."""
    if not system.stopping:
        system.tell(WATCHER, LookAround())
