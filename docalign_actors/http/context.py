"""What all routes have in common: the services, and what is made of them once for each application."""

from __future__ import annotations

from dataclasses import dataclass

from docalign_actors.http.auth import Gate
from docalign_actors.http.bridge import Bridge
from docalign_actors.http.desk import Desk
from docalign_actors.http.hub import Hub
from docalign_actors.http.readiness import Readiness
from docalign_actors.http.services import Services
from docalign_actors.http.signing import SignIn
from docalign_actors.http.throttle import Throttle


@dataclass(frozen=True, slots=True)
class Context:
    """services: what the application is given; gate: who may; sign_in: cookies; desk: threads; bridge: answers of actors;
    hub: live streams."""

    services: Services
    desk: Desk
    bridge: Bridge
    gate: Gate
    sign_in: SignIn
    hub: Hub
    readiness: Readiness

    @classmethod
    def of(cls, services: Services) -> Context:
        settings = services.settings
        desk = Desk()
        gate = Gate(services.tokens, desk, services.clock, cache_seconds=settings.token_cache_seconds)
        sign_in = SignIn(services.tokens, gate, desk, Throttle(services.clock), settings.session_hours)
        return cls(
            services, desk, Bridge(), gate, sign_in, Hub(services.events, settings.streams), Readiness(services, desk)
        )
