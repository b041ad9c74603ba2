"""How many scans may be asked for in a UTC day. Looks at every limit before it counts against any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct

from docalign_actors.scans.model import Repo, Request, Trigger


class Counter(Struct, frozen=True):
    """What is counted: a repository, an organisation or a person, on one day."""

    scope: str
    subject: str
    day: date


class Limits(Struct, frozen=True):
    """The most scans of a day, for each scope."""

    repository: int = 100
    organisation: int = 1_000
    user: int = 1_000

    def of(self, scope: str) -> int:
        return {"repository": self.repository, "organisation": self.organisation, "user": self.user}[scope]


class Refusal(Struct, frozen=True):
    """Which limit stands in the way, and until when."""

    scope: str
    limit: int
    reset_at: datetime


def counters_of(request: Request, repo: Repo, day: date) -> tuple[Counter, ...]:
    """What a request counts against. Schedules and installations count against nothing, a person's wish against the person."""
    if request.trigger is Trigger.SCHEDULED:
        return ()
    if request.trigger is Trigger.MANUAL:
        return (Counter("user", request.user, day),) if request.user else ()
    found = [Counter("repository", str(repo.id), day)]
    if repo.organisation:
        found.append(Counter("organisation", repo.organisation, day))
    return tuple(found)


def reserve(
    demands: Sequence[tuple[Counter, ...]], used: Mapping[Counter, int], limits: Limits
) -> tuple[list[Refusal | None], dict[Counter, int]]:
    """For each demand a refusal or None, in order, and what the granted ones add."""
    added: dict[Counter, int] = {}
    answers: list[Refusal | None] = []
    for demand in demands:
        full = [c for c in demand if used.get(c, 0) + added.get(c, 0) >= limits.of(c.scope)]
        if full:
            answers.append(Refusal(full[0].scope, limits.of(full[0].scope), next_day(full[0].day)))
            continue
        for counter in demand:
            added[counter] = added.get(counter, 0) + 1
        answers.append(None)
    return answers, added


def next_day(day: date) -> datetime:
    """The instant at which a day's counters begin anew."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)
