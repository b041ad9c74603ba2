"""What upkeep tells the stream of telemetry."""

from __future__ import annotations

from docalign_actors.telemetry.events import Event


class IncidentRecorded(Event, frozen=True, tag="incident.recorded"):
    """Something went wrong with an actor, and the database knows."""

    actor: str
    kind: str


class Swept(Event, frozen=True, tag="upkeep.swept"):
    """Old things went."""

    gone: dict[str, int]
