"""The actor kit on Pykka. It knows nothing of documentation.

What it promises:
- A name is looked up at each send; a message is begun once, or it is a dead letter, counted and shown. Between one sender and
  one actor messages keep their order.
- An actor that fails on a `tell` is made anew after a delay and reads its state again; what waited in its mailbox is dead
  letters, what comes in the meantime waits for it. An error in answer to an `ask` goes to the asker alone.
- Too many failures end in an escalation, or in a rest if the policy says so. A message that failed five times is quarantined.
- A handler past its deadline is fenced and replaced: it cannot be stopped, but it reaches nobody any more.
- Members of a family have a thread only while they have something to do, never more than `most_live` of them.
- Children end with their parent, and all of them have ended before their parent comes back or its end is told.
- Nobody waits for one who may wait for them: an `ask` towards an ancestor, or around a circle, is refused.
- No event is published while the kit holds its lock.

Where to read on: `system.py` (what others see), `directory.py` (names and mailboxes), `supervisor.py` and `lifecycle.py` (who
lives), `incarnation.py` (one life), `policy.py` and `poison.py` (the decisions).
"""

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
