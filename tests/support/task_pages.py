"""Views of the task queue and of the outbox, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from docalign_actors.agent_tasks.errors import UnknownTaskError
from docalign_actors.agent_tasks.model import Artifact, Event, Location, Record, Status, Task, TaskId
from docalign_actors.dashboard.task_views import Letters, Queue, TaskDetail, Tasks
from docalign_actors.outbound.model import LetterFigures, LetterView
from tests.support.views import NOW, XSS, ago, uid

_PAYLOAD = (
    '{"type":"verification","repository":"https://git.example.org/acme/payments.git","commit":"3f2a9c81",'
    '"claim":"Requests are given up after 10 seconds.","files":["src/client.py","docs/client.md"]}'
)


def task(number: int, status: Status = Status.PENDING, location: Location = Location.READY, **changes: Any) -> Task:
    ended = status.final
    values: dict[str, Any] = {
        "id": TaskId(uid(number)), "position": number, "tenant_id": "", "command": "docalign.verification", "payload": _PAYLOAD,
        "priority": 5, "webhook": "https://hooks.example.org/docalign", "status": status, "location": location, "attempts": 1,
        "max_attempts": 5, "visible_at": None, "worker_id": "", "lease_until": None, "error": "", "created_at": ago(hours=2),
        "updated_at": ago(minutes=3), "ended_at": ago(minutes=3) if ended else None,
    }  # fmt: skip
    return Task(**{**values, **changes})


def letter(number: int, status: str = "waiting", **changes: Any) -> LetterView:
    values: dict[str, Any] = {
        "id": uid(number), "position": number, "kind": "codeq.result", "url": f"https://hooks.example.org/docalign/{number}",
        "status": status, "attempts": 0, "last_error": "", "created_at": ago(minutes=number % 50),
        "ended_at": None if status == "waiting" else ago(minutes=1),
    }  # fmt: skip
    return LetterView(**{**values, **changes})


class EmptyTasks:
    """Nothing has been put in line."""

    queues: Sequence[Queue] = ()
    queued_tasks: Sequence[Task] = ()
    events: Sequence[Event] = ()
    record: Record | None = None
    out: Sequence[LetterView] = ()

    async def tasks(self, tenant: str, status: str, after: str) -> Tasks:
        found = [one for one in self.queued_tasks if one.status.value == status]
        return Tasks(queues=self.queues, tasks=found, after="more" if found and not after else "")

    async def task(self, tenant: str, task: UUID) -> TaskDetail:
        found = next((one for one in self.queued_tasks if one.id == task), None)
        if found is None:
            raise UnknownTaskError
        return TaskDetail(task=found, history=self.events, result=self.record if found.status.final else None)

    async def outgoing(self, tenant: str, status: str, after: str) -> Letters:
        dead = [one for one in self.out if one.status == "dead"]
        waiting = [one for one in self.out if one.status == "waiting"]
        failing = [one for one in waiting if one.attempts]
        found = {"dead": dead, "waiting": waiting, "failing": failing}.get(status, [o for o in self.out if o.ended_at])
        counted = LetterFigures(len(waiting), len(failing), len(dead))
        return Letters(figures=counted, letters=found, after="more" if found and not after else "")


class BusyTasks(EmptyTasks):
    """Much waits, and some of it for somebody to look at it."""

    queues = (
        Queue("docalign.claim_extraction", 31, 0, 4, 0), Queue("docalign.verification", 104_882, 310, 46, 12),
        Queue("a-command-with-a-long-name-" * 4, 1, 0, 0, 1),
    )  # fmt: skip
    queued_tasks = (
        task(501, Status.IN_PROGRESS, Location.IN_PROGRESS, worker_id="ci#01ab23cd/runner-7", lease_until=ago(seconds=-240)),
        task(502, Status.IN_PROGRESS, Location.IN_PROGRESS, worker_id="w#01ab23cd", lease_until=ago(seconds=1), attempts=4),
        task(503), task(504, location=Location.DELAYED, visible_at=ago(seconds=-55), attempts=2, error="the model did not answer"),
        task(505, Status.FAILED, Location.DEAD, attempts=5, error="nacked on delivery 5 of 5: the answer is no JSON: " + "x" * 180),
        task(506, Status.FAILED, Location.NONE, error="the repository cannot be read"),
        task(507, Status.COMPLETED, Location.NONE), task(508, command="a-command-with-a-long-name-" * 4),
    )  # fmt: skip
    events = (
        Event(ago(minutes=50), "expired", 1, "ci#01ab23cd/runner-3", ""),
        Event(ago(minutes=40), "nacked", 2, "ci#01ab23cd/runner-7", "the answer is no JSON: " + "no " * 60),
        Event(ago(minutes=30), "abandoned", 3, "ci#01ab23cd/runner-7", ""), Event(ago(minutes=9), "requeued", 3, "", "by hand"),
    )  # fmt: skip
    record = Record(str(uid(507)), "COMPLETED", NOW.isoformat(), {"verdict": "drifted", "evidence": [{"file": "src/client.py", "line": 41}]},
                    artifacts=(Artifact("answer.txt", "https://docs.example.org/v1/codeq/tasks/7/artifacts/answer.txt"),))  # fmt: skip
    out = (
        letter(601), letter(602, attempts=3, last_error="answered 503"), letter(603, kind="codeq.available"),
        letter(604, "dead", attempts=8, last_error="not delivered: the certificate is not trusted (unable to get local issuer certificate)"),
        letter(605, "dead", attempts=1, last_error="refused: 10.0.0.9 leads to 10.0.0.9, which is no public address",
               url="https://hooks.example.org/" + "a-very-long-path/" * 9),
        letter(606, "delivered", attempts=1),
    )  # fmt: skip


class HostileTasks(EmptyTasks):
    """Everything that a client can name is named to do harm."""

    queues = (Queue(XSS, 1, 1, 1, 1),)
    queued_tasks = (
        task(501, Status.IN_PROGRESS, Location.IN_PROGRESS, command=XSS, worker_id=XSS, payload=XSS, error=XSS, tenant_id=XSS, webhook="javascript:" + XSS),
        task(505, Status.FAILED, Location.DEAD, command=XSS, error=XSS, payload='"' + XSS.replace('"', "").replace("\0", "") + '"'),
    )  # fmt: skip
    events = (Event(NOW, XSS, 1, XSS, XSS),)
    record = Record("x", "FAILED", "", {XSS: XSS}, XSS, (Artifact(XSS, "javascript:alert(1)" + XSS),))
    out = (
        letter(604, "dead", url="javascript:" + XSS, last_error=XSS, kind=XSS),
        letter(601, url=XSS, kind=XSS, last_error=XSS),
    )


class TaskDeskBook:
    """Writes down what was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    async def requeue(self, tenant: str, task: UUID) -> None:
        self.asked.append(("requeue", task))

    async def purge(self, tenant: str, command: str) -> int:
        self.asked.append(("purge", command))
        return 1

    async def replay(self, tenant: str, letter: UUID) -> None:
        self.asked.append(("replay", letter))
