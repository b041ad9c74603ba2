"""Tasks and results as they are read, and what came of batches that were carried out one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

import msgspec

from docalign_actors.agent_tasks.model import Artifact, Record, Task, TaskId, moment, raw_json, record_of_failure
from docalign_actors.agent_tasks.ports import Performed
from docalign_actors.persistence.database import Connection
from docalign_actors.persistence.sql import query


class Seen(Task, frozen=True):
    """A task as it was before a statement that may have changed it."""

    changed: bool = False
    submission: UUID | None = None


class Placed(Task, frozen=True):
    """A task that was claimed, and for which of the places."""

    nth: int = 0


def read_record(connection: Connection, task: Task) -> Record | None:
    """The result of a task, if it has ended."""
    if not task.status.final:
        return None
    row = connection.execute(query("tasks_result"), {"task": task.id}).fetchone()
    if row is None:
        return record_of_failure(task)
    status, result, error, artifacts, at = row
    kept = tuple(msgspec.convert(artifacts, list[Artifact]))
    return Record(str(task.id), status, moment(at), raw_json(result) if result is not None else None, error, kept)


def joined(parts: Sequence[Performed]) -> Performed:
    """All of them as one."""
    ready: Counter[tuple[str, str]] = Counter()
    ended: list[TaskId] = []
    for part in parts:
        ready.update(part.ready)
        ended += part.ended
    moments = [part.soonest for part in parts if part.soonest is not None]
    answers = [answer for part in parts for answer in part.answers]
    answered = any(part.answered for part in parts)
    return Performed(answers, ready, ended, answered, min(moments, default=None), sum(part.letters for part in parts))
