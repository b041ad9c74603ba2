"""Wakes the chroniclers of repositories that have something to say.

It hears of scans and of deliveries through the stream of events, which is quick and may be lost; and looks at the database,
which is slow and is not.
"""

from __future__ import annotations

from docalign_actors.applications.chronicle_actor import LOW
from docalign_actors.applications.messages import CHRONICLES, Look, Round
from docalign_actors.applications.ports import Chronicle
from docalign_actors.supervision.actor import Actor

_EVERY = 15.0
_MOST = 1_000


class AppHeraldActor(Actor):
    """One of them."""

    def __init__(self, chronicle: Chronicle) -> None:
        super().__init__()
        self._chronicle = chronicle

    def started(self) -> None:
        self._round()

    def receive(self, message: object) -> None:
        match message:
            case Round():
                self._round()

    def _round(self) -> None:
        for repo in self._chronicle.repos_with_work(LOW, _MOST):
            self.context.tell(f"{CHRONICLES}/{repo}", Look())
        self.context.after(_EVERY, Round(), key="round")
