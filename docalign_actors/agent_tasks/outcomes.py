"""What follows a delivery: nack, abandon, expiry, result. Pure; time and chance are passed in.

`attempts` counts deliveries: it grows when a task is claimed, and never otherwise. A task whose last delivery came to
nothing is a dead letter.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from docalign_actors.agent_tasks.errors import (
    NotInProgressError,
    NotOwnerError,
    TaskError,
    UnfitResultError,
    UnknownTaskError,
)
from docalign_actors.agent_tasks.model import Location, Status, Task
from docalign_actors.contracts import BadResultError, check_result, read_task
from docalign_actors.outbound.backoff import Backoff

LONGEST_REASON = 2_000


class Requeued(Struct, frozen=True):
    """It goes back in line, after this many seconds."""

    delay: int = 0


class Dead(Struct, frozen=True):
    """It has been delivered as often as it may be."""

    reason: str


After = Requeued | Dead


def after_nack(task: Task, wanted: int, reason: str, backoff: Backoff, chance: float) -> After:
    """`wanted` seconds if the worker names them, within the longest delay; by the back-off otherwise."""
    said = clean(reason) or "the worker gave no reason"
    if task.attempts >= task.max_attempts:
        return Dead(f"nacked on delivery {task.attempts} of {task.max_attempts}: {said}"[:LONGEST_REASON])
    if wanted > 0:
        return Requeued(round(min(float(wanted), backoff.most)))
    return Requeued(round(backoff.delay(task.attempts, chance)))


def after_abandon(task: Task, *, unseen: bool = False) -> After:
    """Given back at once; but a delivery it was, unless nobody was there any more to take it."""
    if not unseen and task.attempts >= task.max_attempts:
        return Dead(f"abandoned on delivery {task.attempts} of {task.max_attempts}")
    return Requeued()


def after_expiry(task: Task) -> After:
    """Nobody heard from its worker for as long as the lease lasted."""
    if task.attempts >= task.max_attempts:
        return Dead(f"lease expired on delivery {task.attempts} of {task.max_attempts}")
    return Requeued()


def refusal(task: Task | None, worker: str, now: datetime) -> TaskError | None:
    """Why this worker may not write for this task; None if it may."""
    if task is None:
        return UnknownTaskError()
    if task.status is not Status.IN_PROGRESS or task.lease_until is None:
        return NotInProgressError()
    if task.worker_id != worker:
        return NotOwnerError()
    if task.lease_until <= now:
        return NotInProgressError()
    return None


def unfit(task: Task, result: str) -> TaskError | None:
    """Why a scan cannot use this result of a task that it asked, in words that an agent can act on; None if it can."""
    try:
        check_result(read_task(task.command, task.payload), result)
    except BadResultError as error:
        return UnfitResultError(str(error)[:LONGEST_REASON])
    except ValueError:  # the task is of another version: whoever made it will see
        return None
    return None


def place(after: After) -> Location:
    """Where a task lies then."""
    match after:
        case Dead():
            return Location.DEAD
        case Requeued(delay=delay):
            return Location.DELAYED if delay > 0 else Location.READY


def clean(text: str) -> str:
    """What a worker said, fit to be kept: no NUL, no lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode().strip()[:LONGEST_REASON]
