"""What can be wrong with a request to the task queue. The text is what clients of the wire read, to the letter."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError


class TaskError(DocAlignError):
    """The task queue refuses this."""

    code = "DOCALIGN_E440"
    hint = "docs/agent-tasks.md says what each request takes."
    status = 400


class BadTaskError(TaskError):
    """The request is malformed."""


class UnfitResultError(TaskError):
    """The result does not fit the task."""

    code = "DOCALIGN_E443"
    hint = "Hand in a result that the task's schema allows; the lease lasts still."
    status = 422


class UnknownTaskError(TaskError):
    """not-found"""

    code = "DOCALIGN_E404"
    status = 404


class NotOwnerError(TaskError):
    """not-owner"""

    code = "DOCALIGN_E441"
    hint = "Another worker has the task: stop working on it."
    status = 403


class NotInProgressError(TaskError):
    """not-in-progress"""

    code = "DOCALIGN_E442"
    hint = "The lease has run out, or the task has ended: stop working on it."
    status = 409


class NotAllowedTaskError(TaskError):
    """The token does not allow that."""

    code = "DOCALIGN_E423"
    status = 403


class NotFailedError(TaskError):
    """not-failed"""

    status = 409
