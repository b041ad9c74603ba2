"""The worker pool: a fixed number of permits for the whole service, first come first served, fair between repositories.

It waits on behalf of repositories whose actors may be asleep: a grant wakes the actor. After a restart it learns from the
database who holds a permit and who waits.
"""

from __future__ import annotations

from docalign_actors.clock import Clock
from docalign_actors.scans.messages import Look, PermitGranted, PermitReleased, PermitsWanted, Recount, StopGranting
from docalign_actors.scans.ports import ScanStore
from docalign_actors.scans.queueing import Permits
from docalign_actors.supervision.actor import Actor

_RECOUNT = 30.0
"""Seconds between two comparisons with the database: the net under every message that could have been lost."""


class WorkerPoolActor(Actor):
    """Hands out permits."""

    def __init__(self, store: ScanStore, number: int, clock: Clock) -> None:
        super().__init__()
        self._store = store
        self._number = number
        self._clock = clock
        self._permits = Permits(number)
        self._granting = True

    def started(self) -> None:
        self._permits = Permits(self._number)
        for run, permit, _ in self._store.running():
            self._permits.hold(run.repo_id, permit)
            # Its repository's actor may have died with the scan: let it look whether the scan is still its own.
            self.context.tell(f"repo/{run.repo_id}", Look())
        self._recount()
        self._grant()

    def receive(self, message: object) -> None:
        match message:
            case PermitsWanted(repos=repos):
                for repo in repos:
                    self._permits.want(repo)
            case PermitReleased(repo=repo, again=again):
                self._permits.release(repo)
                if again:
                    self._permits.want(repo)
            case Recount():
                self._recount()
            case StopGranting():
                self._granting = False
        self._grant()

    def _grant(self) -> None:
        if self._granting:
            for repo, permit in self._permits.grant():
                self.context.tell(f"repo/{repo}", PermitGranted(permit))

    def _recount(self) -> None:
        for repo in self._store.due_repos(self._clock.now()):
            self._permits.want(repo)
        running = {run.repo_id for run, _, _ in self._store.running()}
        self._permits.compare(running)
        for repo in running:
            self.context.tell(f"repo/{repo}", Look())
        self.context.after(_RECOUNT, Recount(), key="recount")
