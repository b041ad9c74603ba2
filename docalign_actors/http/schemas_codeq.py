"""What the wire of the task queue takes and gives. What is zero or empty is left out of answers, as its clients expect."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, field

from docalign_actors.agent_tasks.admission import TaskRequest
from docalign_actors.agent_tasks.model import Record, WireTask
from docalign_actors.outbound.model import LetterView


class WireError(Struct, frozen=True):
    """What went wrong, in words that clients know to the letter."""

    error: str


class TaskBatch(Struct, frozen=True):
    """1 to 100 tasks."""

    tasks: list[TaskRequest] = []


class TaskOutcome(Struct, frozen=True, omit_defaults=True):
    """What became of one of a batch: the task, or an error."""

    task: WireTask | None = None
    error: str = ""


class TaskOutcomes(Struct, frozen=True):
    """One for each, in their order."""

    results: list[TaskOutcome]


class ClaimRequest(Struct, frozen=True, rename="camel"):
    """`count` is for batches: 1 to 10. `waitSeconds` is not: up to 30."""

    commands: list[str] | None = None
    lease_seconds: int = 0
    wait_seconds: int = 0
    count: int = 0


class ClaimedTasks(Struct, frozen=True):
    """At least one."""

    tasks: list[WireTask]


class HeartbeatRequest(Struct, frozen=True, rename="camel"):
    """How long the lease lasts from now."""

    extend_seconds: int = 0


class Beat(Struct, frozen=True):
    """The lease lasts."""

    ok: bool = True


class NackRequest(Struct, frozen=True, rename="camel"):
    """Why not, and when it may be tried again; without `delaySeconds`, by the back-off."""

    delay_seconds: int = 0
    reason: str = ""


class Abandoned(Struct, frozen=True):
    """Where the task is now."""

    status: Literal["requeued", "dlq"]


class Nacked(Struct, frozen=True, rename="camel"):
    """Where the task is now, and for how long it waits."""

    status: Literal["requeued", "dlq"]
    delay_seconds: int


class ArtifactRequest(Struct, frozen=True, rename="camel"):
    """Something that belongs to a result: by its address, or with its content."""

    name: str = ""
    url: str = ""
    content_base64: str = ""
    content_type: str = ""


class ResultRequest(Struct, frozen=True, rename="camel"):
    """`status` is COMPLETED with a `result`, or FAILED with an `error`."""

    status: str = ""
    result: msgspec.Raw = field(default_factory=lambda: msgspec.Raw(b"null"))
    error: str = ""
    artifacts: list[ArtifactRequest] | None = None
    task_id: str = ""
    """In a batch: of which task."""


class ResultBatch(Struct, frozen=True):
    """1 to 100 results."""

    results: list[ResultRequest] = []


class ResultOutcome(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What became of one of a batch."""

    task_id: str
    result: Record | None = None
    error: str = ""


class ResultOutcomes(Struct, frozen=True):
    """One for each, in their order."""

    results: list[ResultOutcome]


class RenewRequest(Struct, frozen=True, rename="camel"):
    """How long it lasts from now; 0 is as long as it was made for."""

    ttl_seconds: int = 0


class SubscriptionAnswer(Struct, frozen=True, rename="camel"):
    """A subscription, and until when it lasts."""

    subscription_id: str
    expires_at: str


class TaskAndResult(Struct, frozen=True):
    """A task that has ended, and how."""

    task: WireTask
    result: Record


class ResultQuery(Struct, frozen=True, rename="camel"):
    """How long to wait for the result: up to 60."""

    wait_seconds: int = 0


class QueueFigures(Struct, frozen=True, rename="camel"):
    """How many tasks of a command lie where."""

    command: str
    ready: int
    delayed: int
    in_progress: int
    dlq: int


class Deleted(Struct, frozen=True):
    """How many are gone."""

    deleted: int


class CleanupRequest(Struct, frozen=True):
    """Tasks that ended before then (RFC 3339; by default, before the time for which they are kept), at most so many."""

    limit: int = 0
    before: str = ""


class Cleaned(Struct, frozen=True):
    """How many are gone."""

    deleted: int
    before: str
    limit: int


class TaskQuery(Struct, frozen=True):
    """A page of tasks; `before` is `next` of the page before."""

    status: Literal["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"] = "FAILED"
    limit: int = 50
    before: int = 2**62


class TaskPage(Struct, frozen=True, omit_defaults=True):
    """Newest first. `next` is there if there is more."""

    tasks: list[WireTask]
    next: int = 0


class LetterPage(Struct, frozen=True):
    """Callbacks that were given up, newest first."""

    webhooks: list[LetterView]


class Replayed(Struct, frozen=True):
    """It waits to be sent."""

    status: Literal["requeued"] = "requeued"
