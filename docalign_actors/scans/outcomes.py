"""Decides what becomes of a run when an attempt of it ends, in whatever way. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from docalign_actors.scans.model import LONG_AGO, Run, RunId, ScanType, Status


class Rules(Struct, frozen=True):
    """attempts: how often a run is tried. delays: seconds before each next attempt. repairs: how often its worker may die."""

    attempts: int = 3
    delays: tuple[float, ...] = (1.0, 2.0, 4.0)
    repairs: int = 2
    jitter: float = 0.25


class Ending(Struct, frozen=True):
    """How one attempt ended. `permanent`: trying again cannot help."""

    kind: str
    """completed, partial, failed, cancelled; referred: it waits for agents; handed back: the service stops and somebody
    else shall do it; died: its worker is gone and left no word."""
    code: str = ""
    error: str = ""
    permanent: bool = False
    until: datetime = LONG_AGO
    """Of one that waits for agents: until when."""


class Next(Struct, frozen=True):
    """The status that follows, and what is written beside it."""

    status: Status
    attempt: int
    repairs: int
    not_before: datetime = LONG_AGO
    code: str = ""
    error: str = ""
    superseded_by: RunId | None = None


def after(run: Run, ending: Ending, rules: Rules, now: datetime, chance: float, successor: RunId | None = None) -> Next:
    """`chance` is in [0, 1): the jitter. `successor` is the run that waits for the same pull request, if one does."""
    attempt, repairs = run.attempt, run.repairs
    if ending.kind in ("completed", "partial"):
        return Next(Status(ending.kind), attempt + 1, repairs, code=ending.code, error=ending.error)
    if ending.kind == "cancelled" or (run.cancel_requested and ending.kind in ("died", "handed back", "referred")):
        return Next(Status.CANCELLED, attempt, repairs, superseded_by=successor)
    if successor is not None and run.type is ScanType.PR:
        # Its place is taken: to go back into the queue would put two runs of one pull request there.
        return Next(Status.CANCELLED, attempt, repairs, code=ending.code, error=ending.error, superseded_by=successor)
    if ending.kind == "referred":
        return Next(Status.QUEUED, attempt, repairs, ending.until)
    if ending.kind == "handed back":
        return Next(Status.QUEUED, attempt, repairs, code=ending.code, error=ending.error)
    if ending.kind == "died":
        repairs += 1
        if repairs > rules.repairs:
            text = f"Its worker died {repairs} times; the last word: {ending.error.rstrip('.') or 'none'}."
            return Next(Status.FAILED, attempt, repairs, code=ending.code or "DOCALIGN_E601", error=text)
        return Next(Status.QUEUED, attempt, repairs, code=ending.code, error=ending.error)
    attempt += 1
    if ending.permanent or attempt >= rules.attempts:
        return Next(
            Status.FAILED, attempt, repairs, code=ending.code, error=ending.error or "It failed without a word."
        )
    return Next(Status.QUEUED, attempt, repairs, now + delay(attempt, rules, chance), ending.code, ending.error)


def delay(attempt: int, rules: Rules, chance: float) -> timedelta:
    """How long to wait before the next attempt, when `attempt` of them have failed."""
    base = rules.delays[min(attempt, len(rules.delays)) - 1] if rules.delays else 0.0
    return timedelta(seconds=base * (1 + rules.jitter * chance))
