"""What went wrong in the actor system, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docalign_actors.dashboard.actors import address, spoken
from docalign_actors.dashboard.html import Markup, h, join
from docalign_actors.dashboard.page import Page, Shown, Visit
from docalign_actors.dashboard.parts import chip, empty, link, region, scroller, steps
from docalign_actors.dashboard.views import Incidents, Reader
from docalign_actors.dashboard.words import when
from docalign_actors.scans.views import IncidentView

NOTHING = "No actor has failed."
TONES = {"failed": "bad", "restarted": "warn", "fenced": "bad", "escalated": "bad", "gave_up": "bad"}


def page(reader: Reader) -> Page:
    async def load(visit: Visit) -> Incidents:
        return await reader.incidents(visit.query.get("after", ""))

    return Page(path="/incidents", title="Incidents", load=load, render=render, nav=50, topics=("incident",))


def render(visit: Visit, view: Incidents) -> Shown:
    onwards = steps("/incidents", visit.query, view.after, first=not visit.query.get("after"))
    return Shown(
        "Incidents",
        join(
            h("h1", "Incidents"),
            region("incidents", "Newest first", incident_list(visit, view.incidents, view.names), onwards),
        ),
    )


def incident_list(
    visit: Visit, incidents: Sequence[IncidentView], names: Mapping[str, str], nothing: str = NOTHING
) -> Markup:
    """Incidents one below the other; a long error is folded."""
    if not incidents:
        return empty(nothing)
    return h("ul", [_incident(visit, incident, names) for incident in incidents], class_="incidents")


def _incident(visit: Visit, incident: IncidentView, names: Mapping[str, str]) -> Markup:
    first, _, rest = incident.error.strip().partition("\n")
    actor = link(address(incident.actor), spoken(incident.actor, names), class_="name", title=incident.actor)
    kind = chip(incident.kind.replace("_", " "), TONES.get(incident.kind, "warn"))
    head = h("p", kind, " ", actor, " ", h("span", when(incident.at, visit.now), class_="soft"))
    told = h("p", first, class_="error-line") if first else None
    more = (
        h("details", h("summary", "The whole error"), scroller(incident.error, f"Error of {incident.actor}"))
        if rest.strip()
        else None
    )
    trace = h("p", "trace ", h("code", incident.trace), class_="soft sub") if incident.trace else None
    return h("li", head, told, more, trace, data_key=str(incident.id))
