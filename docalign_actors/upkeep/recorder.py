"""Writes incidents among the actors into the database, in a thread of its own: who fails must not wait for that."""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.events import ActorFailed, ActorFenced, Escalated, MessageQuarantined
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.upkeep.events import IncidentRecorded
from docalign_actors.upkeep.ports import IncidentLog

NAME = "recorder"


class Record(Struct, frozen=True, tag="recorder.record"):
    """Write this down."""

    actor: str
    kind: str
    error: str
    trace: str = ""


class RecorderActor(Actor):
    """Keeps the book of incidents."""

    def __init__(self, log: IncidentLog, events: EventStream) -> None:
        super().__init__()
        self._log = log
        self._events = events

    def receive(self, message: object) -> None:
        match message:
            case Record(actor=actor, kind=kind, error=error, trace=trace):
                self._log.record(actor, kind, error, trace)
                self._events.publish(IncidentRecorded(actor, kind))


def incident_of(event: object) -> Record | None:
    """What an event of the kit is as an incident. The recorder's own failures would never end: they are left to the log."""
    match event:
        case ActorFailed(name=name, error=error, trace=trace, stack=stack) if name != NAME:
            return Record(name, "failed", f"{error}\n{stack}"[:8000], trace)
        case ActorFenced(name=name, kind=kind, seconds=seconds, stack=stack) if name != NAME:
            return Record(name, "fenced", f"{kind} took more than {seconds:.0f} s\n{stack}"[:8000])
        case MessageQuarantined(name=name, kind=kind, times=times, error=error) if name != NAME:
            return Record(name, "quarantined", f"{kind} failed {times} times: {error}"[:8000])
        case Escalated(name=name, reason=reason):
            return Record(name, "escalated", reason[:8000])
    return None


def record_incidents(system: ActorSystem, log: IncidentLog, events: EventStream) -> None:
    """From now on."""
    system.supervise(NAME, lambda: RecorderActor(log, events), Policy(rest=30.0))

    def note(event: object) -> None:
        incident = incident_of(event)
        if incident is not None and not system.stopping:
            system.tell(NAME, incident)

    events.subscribe(note, ActorFailed, ActorFenced, MessageQuarantined, Escalated)
