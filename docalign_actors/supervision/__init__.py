"""The actor kit on Pykka: supervision, restarts, virtual actors, timers, bounded mailboxes. It knows nothing of documentation."""

from docalign_actors.supervision.actor import Actor, ChildEnded
from docalign_actors.supervision.context import Context
from docalign_actors.supervision.errors import (
    ActorEnded,
    AskRefused,
    AskTimeout,
    Fenced,
    NameTaken,
    NotAccepting,
    UnknownActor,
)
from docalign_actors.supervision.mailbox import Reply
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.snapshot import ActorInfo, FamilyInfo
from docalign_actors.supervision.system import ActorSystem

__all__ = [
    "Actor",
    "ActorEnded",
    "ActorInfo",
    "ActorSystem",
    "AskRefused",
    "AskTimeout",
    "ChildEnded",
    "Context",
    "FamilyInfo",
    "Fenced",
    "NameTaken",
    "NotAccepting",
    "Policy",
    "Reply",
    "UnknownActor",
]
