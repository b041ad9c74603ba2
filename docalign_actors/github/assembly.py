"""Joins the actors of this capability: who is started, under which name."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from docalign_actors.github.dispatch_actor import DispatchActor, DispatchParts
from docalign_actors.github.inbox_actor import InboxActor
from docalign_actors.github.messages import DISPATCH, INBOX, Keep
from docalign_actors.github.payloads import Taken
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem

_PATIENT = Policy(intensity=10, rest=30.0)
"""A moment without the database or without GitHub must not end the whole service."""


def assemble_inbox(system: ActorSystem, parts: DispatchParts) -> Callable[[Taken], Future[bool]]:
    """Starts the inbox and the dispatcher; gives the way into the inbox."""
    system.supervise(DISPATCH, lambda: DispatchActor(parts), _PATIENT)
    system.supervise(INBOX, lambda: InboxActor(parts.inbox), _PATIENT)

    def keep(taken: Taken) -> Future[bool]:
        reply: Future[bool] = Future()
        system.tell(INBOX, Keep(taken, reply))
        return reply

    return keep
