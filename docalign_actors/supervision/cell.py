"""What the kit knows of one address: the record behind a name, which outlives the incarnations of the actor."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pykka

from docalign_actors.supervision.mailbox import Parcel
from docalign_actors.supervision.poison import Poison
from docalign_actors.supervision.policy import History, Policy

if TYPE_CHECKING:
    from docalign_actors.supervision.actor import Actor
    from docalign_actors.supervision.incarnation import Incarnation

State = Literal["asleep", "starting", "running", "restarting", "stopped"]


class Family:
    """Virtual actors of one prefix: as many addresses as there are keys, a thread only for those that have something to do."""

    def __init__(
        self, prefix: str, make: Callable[[str], Actor], policy: Policy, *, idle: float, most_live: int
    ) -> None:
        self.prefix = prefix
        self.make = make
        self.policy = policy
        self.idle = idle
        self.most_live = most_live
        self.closed = False
        """No new members any more: the system is stopping."""
        self.members: dict[str, Cell] = {}
        self.live: OrderedDict[str, Cell] = OrderedDict()
        """Those with a thread, the one that was written to last at the end."""
        self.waiting: deque[Cell] = deque()
        """Those with messages but without a thread, because there are as many as there may be."""
        self.activations = 0
        self.passivations = 0
        self.peak = 0
        """Most threads at one time."""


class Cell:
    """One address. Everything here is read and written under the directory's lock, unless it says otherwise."""

    __slots__ = (
        "children",
        "closing",
        "current",
        "family",
        "history",
        "kind",
        "last_error",
        "make",
        "name",
        "parent",
        "pending",
        "poison",
        "policy",
        "queued",
        "ref",
        "restarts",
        "spawned_by",
        "state",
        "wedged",
        "when_childless",
    )

    def __init__(
        self,
        name: str,
        make: Callable[[], Actor],
        policy: Policy,
        *,
        family: Family | None = None,
        spawned_by: Incarnation | None = None,
    ) -> None:
        self.name = name
        self.make = make
        self.policy = policy
        self.family = family
        self.spawned_by = spawned_by
        """The incarnation of the parent: a later one is not told how this child ended."""
        self.parent: Cell | None = spawned_by.cell if spawned_by else None
        self.kind = ""
        self.state: State = "asleep"
        self.current: Incarnation | None = None
        """The incarnation that has, or is about to get, or is about to give back, a thread."""
        self.ref: pykka.ActorRef[Any] | None = None
        """Where messages go at this moment; none while there is no incarnation that takes any."""
        self.pending: deque[Parcel] = deque()
        """Messages for the next incarnation."""
        self.closing = False
        """It was asked to stop for good: no further messages, no restart."""
        self.queued = False
        """It waits for a place in its family."""
        self.when_childless: Callable[[], None] | None = None
        """What is to be done once the last child of an incarnation that is over has gone."""
        self.children: dict[str, Cell] = {}
        self.history = History()
        self.restarts = 0
        self.last_error = ""
        self.poison: Poison | None = None
        """Set once a message failed."""
        self.wedged: deque[tuple[object, str, int]] = deque()
        """Messages, with error and count, on which an incarnation was given up: the next one is told."""

    def depth(self) -> int:
        """How many messages wait."""
        if self.ref is not None and self.current is not None:
            return len(self.current.inbox.waiting)
        return len(self.pending)

    def oldest(self) -> Parcel | None:
        """The message that waits longest."""
        if self.ref is not None and self.current is not None:
            return self.current.inbox.oldest()
        return self.pending[0] if self.pending else None
