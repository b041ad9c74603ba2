"""Decides which run of a repository is next, and which repository gets a free permit. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from datetime import datetime
from itertools import count

from msgspec import Struct

from docalign_actors.scans.model import RepoId, Run, Status


class Start(Struct, frozen=True):
    """This run may start now."""

    run: Run


class WaitUntil(Struct, frozen=True):
    """Nothing is due before this instant."""

    instant: datetime


class Nothing(Struct, frozen=True):
    """There is nothing to do, or something is being done already."""


Step = Start | WaitUntil | Nothing


def next_step(runs: Iterable[Run], now: datetime) -> Step:
    """First come, first served among what is due; a run that waits for its next attempt holds up nobody behind it."""
    queued = sorted((r for r in runs if r.status is not Status.RUNNING), key=lambda r: r.position)
    if any(r.status is Status.RUNNING for r in runs):
        return Nothing()
    due = [r for r in queued if r.not_before <= now]
    if due:
        return Start(due[0])
    return WaitUntil(min(r.not_before for r in queued)) if queued else Nothing()


class Permits:
    """Numbered permits, handed out in the order in which repositories asked.

    A repository waits at most once and holds at most one, and joins the end of the line again for its next run: so none
    can starve the others, however much it asks for.
    """

    def __init__(self, number: int) -> None:
        self._free = sorted(range(1, number + 1), reverse=True)
        self._held: dict[RepoId, int] = {}
        self._line: OrderedDict[RepoId, None] = OrderedDict()
        self._times = count(1)
        self._since: dict[RepoId, int] = {}
        self._idle: frozenset[tuple[RepoId, int]] = frozenset()

    @property
    def held(self) -> dict[RepoId, int]:
        return dict(self._held)

    @property
    def waiting(self) -> Sequence[RepoId]:
        return tuple(self._line)

    def hold(self, repo: RepoId, permit: int) -> None:
        """A permit that a repository holds already: learnt from the database after a restart."""
        if permit in self._free and repo not in self._held:
            self._free.remove(permit)
            self._hold(repo, permit)

    def _hold(self, repo: RepoId, permit: int) -> None:
        self._held[repo] = permit
        self._since[repo] = next(self._times)

    def want(self, repo: RepoId) -> None:
        """Joins the line, unless it stands there or holds one."""
        if repo not in self._held:
            self._line.setdefault(repo)

    def forget(self, repo: RepoId) -> None:
        """Leaves the line."""
        self._line.pop(repo, None)

    def release(self, repo: RepoId) -> None:
        """Gives a permit back. One that was not held changes nothing."""
        permit = self._held.pop(repo, None)
        if permit is not None:
            self._free.append(permit)

    def compare(self, running: Set[RepoId]) -> None:
        """Takes back what the database does not know of.

        Between a grant and the start of its scan nothing runs: only who was idle at two looks, under the same grant, has lost it.
        """
        idle = frozenset((repo, self._since[repo]) for repo in self._held if repo not in running)
        for repo, _ in idle & self._idle:
            self.release(repo)
        self._idle = idle

    def grant(self) -> list[tuple[RepoId, int]]:
        """Hands out what is free."""
        granted: list[tuple[RepoId, int]] = []
        while self._free and self._line:
            repo, _ = self._line.popitem(last=False)
            permit = self._free.pop()
            self._hold(repo, permit)
            granted.append((repo, permit))
        return granted
