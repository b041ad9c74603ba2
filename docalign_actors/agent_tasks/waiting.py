"""Those who wait: claims for a task, readers for a result. Pure book-keeping, in the order in which they came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

from docalign_actors.agent_tasks.messages import Ask, Await, Claim
from docalign_actors.agent_tasks.model import TaskId

Key = tuple[str, str]
"""Tenant and command."""


class Waiting:
    """Every Ask that waits, until something happens that it waits for or its time is up."""

    def __init__(self) -> None:
        self._claims: dict[int, Ask] = {}
        self._readers: dict[TaskId, list[Ask]] = {}

    def add(self, ask: Ask) -> None:
        match ask.op:
            case Claim():
                self._claims[id(ask)] = ask
            case Await(task=task):
                self._readers.setdefault(task, []).append(ask)
            case _:
                raise AssertionError(ask)

    def claims_for(self, ready: Mapping[Key, int]) -> list[Ask]:
        """Takes out the claims that these new tasks may serve: as many as there are tasks, first come first served."""
        left = Counter(ready)
        taken: list[Ask] = []
        for ask in list(self._claims.values()) if left else ():
            if ask.reply.done():  # nobody is there any more
                self._claims.pop(id(ask))
                continue
            key = _served_by(ask.op, left)
            if key is not None:
                left[key] -= ask.op.count if isinstance(ask.op, Claim) else 1
                taken.append(self._claims.pop(id(ask)))
        return taken

    def readers_of(self, ended: Iterable[TaskId]) -> list[Ask]:
        """Takes out those who wait for the results of these tasks."""
        return [ask for task in ended for ask in self._readers.pop(task, ())]

    def all(self) -> list[Ask]:
        """Takes everybody out."""
        everybody = [*self._claims.values(), *(ask for asks in self._readers.values() for ask in asks)]
        self._claims.clear()
        self._readers.clear()
        return everybody

    def due(self, now: datetime) -> list[Ask]:
        """Takes out those whose time is up."""
        everybody = self.all()
        for ask in everybody:
            if (until := until_of(ask)) is not None and until > now:
                self.add(ask)
        return [ask for ask in everybody if (until := until_of(ask)) is None or until <= now]

    def next_end(self) -> datetime | None:
        """When the first of them has waited long enough."""
        readers = (ask for asks in self._readers.values() for ask in asks)
        ends = [until for ask in (*self._claims.values(), *readers) if (until := until_of(ask)) is not None]
        return min(ends, default=None)

    def __len__(self) -> int:
        return len(self._claims) + sum(map(len, self._readers.values()))


def until_of(ask: Ask) -> datetime | None:
    return ask.op.until if isinstance(ask.op, Claim | Await) else None


def _served_by(op: object, ready: Mapping[Key, int]) -> Key | None:
    if not isinstance(op, Claim):
        return None
    if op.commands:
        return next((key for c in op.commands if ready.get(key := (op.tenant, c), 0) > 0), None)
    return next((key for key, count in ready.items() if key[0] == op.tenant and count > 0), None)
