"""The herald: wakes the installations that have something to tell.

It hears of scans through the stream of events, which is quick and may be lost; and looks at the database, which is slow and
is not.
"""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.github.errands import Errands
from docalign_actors.github.messages import INSTALLATIONS, Progress, Tell
from docalign_actors.github.outbox import Outbox
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.actor import Actor

NAME = "github-herald"
_LOOK_EVERY = 15.0
_MOST_KNOWN = 10_000


class Moved(Struct, frozen=True, tag="github.moved"):
    """A scan of a pull request was queued, came further, or ended."""

    repo: RepoId
    run: str
    kind: str
    stage: str = ""


class Look(Struct, frozen=True, tag="github.look"):
    """To itself: who has something to tell?"""


class HeraldActor(Actor):
    """Knows which installation a repository belongs to."""

    def __init__(self, outbox: Outbox, clock: Clock, errands: tuple[Errands, ...] = ()) -> None:
        super().__init__()
        self._errands = errands
        self._outbox = outbox
        self._clock = clock
        self._known: dict[RepoId, int] = {}

    def started(self) -> None:
        self._look()

    def receive(self, message: object) -> None:
        match message:
            case Look():
                self._look()
            case Moved(repo=repo, run=run, kind=kind, stage=stage):
                installation = self._installation(repo)
                if installation is not None:
                    news = Progress(run, stage) if kind == "stage" else Tell()
                    self.context.tell(f"{INSTALLATIONS}/{installation}", news)

    def _look(self) -> None:
        self._known.clear()  # a repository may have moved to another installation
        now = self._clock.now()
        found = [*self._outbox.installations(now), *(i for one in self._errands for i in one.installations(now))]
        for installation in dict.fromkeys(found):
            self.context.tell(f"{INSTALLATIONS}/{installation}", Tell())
        self.context.after(_LOOK_EVERY, Look(), key="look")

    def _installation(self, repo: RepoId) -> int | None:
        found = self._known.get(repo)
        if found is None:
            found = self._outbox.installation_of(repo)
            if found is not None and len(self._known) < _MOST_KNOWN:
                self._known[repo] = found
        return found
