"""Agent tasks: the queues, tasks by status, and one task with what became of its deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from docalign_actors.agent_tasks.errors import UnknownTaskError
from docalign_actors.agent_tasks.model import Location, Record, Status, Task
from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Action, Page, Problem, Shown, Visit
from docalign_actors.dashboard.parts import (
    alert,
    button,
    chip,
    code,
    empty,
    facts,
    figures,
    hidden,
    link,
    post,
    region,
    row,
    scroller,
    steps,
    table,
)  # fmt: skip
from docalign_actors.dashboard.paths import uuid
from docalign_actors.dashboard.task_views import Queue, TaskDesk, TaskDetail, TaskReader, Tasks
from docalign_actors.dashboard.words import MINUS, when
from docalign_actors.reporting.style import plural

LONGEST = 20_000
"""Characters of a payload or a result that a page shows; the API gives all of it."""
WORDS = {
    Status.PENDING: "waiting", Status.IN_PROGRESS: "in progress", Status.COMPLETED: "completed", Status.FAILED: "failed"
}  # fmt: skip
TONES = {Status.PENDING: "quiet", Status.IN_PROGRESS: "busy", Status.COMPLETED: "good", Status.FAILED: "bad"}
EVENT_TONES = {
    "created": "quiet", "requeued": "quiet", "abandoned": "quiet", "in progress": "busy", "completed": "good", "failed": "bad",
    "dead letter": "bad",
}  # fmt: skip
FILTERS = (Status.IN_PROGRESS, Status.PENDING, Status.FAILED, Status.COMPLETED)


def pages(reader: TaskReader, desk: TaskDesk) -> list[Page]:
    async def load_list(visit: Visit) -> Tasks:
        return await reader.tasks(visit.tenant, _status(visit).value, visit.query.get("after", ""))

    async def load_one(visit: Visit) -> TaskDetail:
        return await reader.task(visit.tenant, _id(visit))

    async def requeue(visit: Visit) -> str:
        await desk.requeue(visit.tenant, _id(visit))
        return f"/tasks/{_id(visit)}"

    async def purge(visit: Visit) -> str:
        await desk.purge(visit.tenant, visit.form.get("command", ""))
        return "/tasks"

    many = Page(path="/tasks", title="Tasks", load=load_list, render=render_list, nav=35, topics=("actors",))
    one = Page(path="/tasks/{id}", title="Task", load=load_one, render=render_one, topics=("actors",),
               actions=(Action("/tasks/{id}/requeue", requeue, "admin"),))  # fmt: skip
    purging = Page(path="/tasks/purge", title="Purge", load=load_list, render=render_purge,
                   actions=(Action("/tasks/purge", purge, "admin"),))  # fmt: skip
    return [many, one, purging]


def _id(visit: Visit) -> UUID:
    return uuid(visit.params["id"], UnknownTaskError)


def _status(visit: Visit) -> Status:
    wanted = visit.query.get("status", "")
    return Status(wanted) if wanted in Status.__members__ else FILTERS[0]


def status(task: Task) -> Markup:
    """What a task is to those who look after it: a delayed one waits for its time, a dead letter for somebody."""
    if task.location is Location.DELAYED:
        return chip("delayed", "quiet")
    if task.location is Location.DEAD:
        return chip("dead letter", "bad")
    return chip(WORDS[task.status], TONES[task.status])


def render_list(visit: Visit, view: Tasks) -> Shown:
    wanted = _status(visit)
    filters = h("nav", h("ul", [
        h("li", h("a", WORDS[one].capitalize(), href=f"/tasks?status={one.value}", aria_current="true" if one is wanted else None))
        for one in FILTERS
    ]), class_="filters", aria_label="Tasks by status")  # fmt: skip
    onwards = steps("/tasks", visit.query, view.after, first=not visit.query.get("after"))
    found = listing(visit, view.tasks) if view.tasks else empty(f"No task is {WORDS[wanted]}.")
    queues = _queues(visit, view.queues) if view.queues else empty("No task waits, is in progress or is a dead letter.")
    return Shown(f"Tasks: {WORDS[wanted]}", join(
        h("h1", "Tasks"), _totals(view.queues), region("queues", "Queues", queues),
        filters, region("tasks", "Newest first", found, onwards),
    ))  # fmt: skip


def _totals(queues: Sequence[Queue]) -> Markup:
    dead = sum(queue.dead for queue in queues)
    return h("div", figures([
        ("Ready", sum(queue.ready for queue in queues), ""), ("Delayed", sum(queue.delayed for queue in queues), ""),
        ("In progress", sum(queue.in_progress for queue in queues), ""), ("Dead letters", dead, "bad" if dead else ""),
    ]), id="figures", data_region=True)  # fmt: skip


def _queues(visit: Visit, queues: Sequence[Queue]) -> Markup:
    may = visit.may("admin")
    columns = [("Command", ""), *((name, "number") for name in ("Ready", "Delayed", "In progress", "Dead letters"))]
    rows = [
        row(f"queue-{queue.command}", [
            ("Command", "", code(queue.command, 80)), ("Ready", "number", queue.ready), ("Delayed", "number", queue.delayed),
            ("In progress", "number", queue.in_progress), ("Dead letters", "number", queue.dead),
            *([("", "end", _to_purge(queue))] if may else []),
        ])
        for queue in queues
    ]  # fmt: skip
    return table([*columns, ("", "")] if may else columns, rows, "Queues by command")


def _to_purge(queue: Queue) -> Node:
    if not queue.dead:
        return MINUS
    address = f"/tasks/purge?{urlencode({'command': queue.command})}"
    return link(
        address, "Purge …", class_="button plain danger", aria_label=f"Purge the dead letters of {queue.command}"
    )


def listing(visit: Visit, tasks: Sequence[Task]) -> Markup:
    """Tasks one below the other."""
    columns = [("Task", ""), ("Status", ""), ("Deliveries", "number"), ("Worker", ""), ("Changed", "")]
    return table(columns, [_row(visit, task) for task in tasks], "Tasks")


def _row(visit: Visit, task: Task) -> Markup:
    told = h("div", task.error[:200], class_="soft sub") if task.error else None
    return row(str(task.id), [
        ("Task", "", join(link(f"/tasks/{task.id}", task.command[:80]), h("div", code(str(task.id)), class_="soft sub"), told)),
        ("Status", "", status(task)),
        ("Deliveries", "number", f"{task.attempts:,} of {task.max_attempts:,}"),
        ("Worker", "", task.worker_id or MINUS),
        ("Changed", "", when(task.updated_at, visit.now)),
    ])  # fmt: skip


def render_one(visit: Visit, view: TaskDetail) -> Shown:
    task = view.task
    again = None
    if task.status is Status.FAILED and visit.may("admin"):
        again = post(visit, f"/tasks/{task.id}/requeue", button("Put back in line", look="main"))
    head = h(
        "div", h("h1", task.command[:120], class_="name"), status(task), h("div", again, class_="buttons"), class_="title",
        id="task-title", data_region=True,
    )  # fmt: skip
    trouble = alert(Problem("FAILED", task.error)) if task.status is Status.FAILED and not visit.problem else None
    return Shown(f"Task {task.command[:60]}", join(
        link("/tasks", "Tasks", class_="up"), head, h("div", trouble, id="trouble", data_region=True), _about(visit, task),
        _history(visit, view), region("payload", "Payload", _text(task.payload, "Payload")), _result(view.result),
    ))  # fmt: skip


def _about(visit: Visit, task: Task) -> Markup:
    return h("div", facts([
        ("Deliveries", f"{task.attempts:,} of {task.max_attempts:,}"), ("Priority", str(task.priority)),
        ("Worker", task.worker_id or None),
        ("Lease until", _until(task.lease_until, visit.now)), ("Not before", _until(task.visible_at, visit.now)),
        ("Created", when(task.created_at, visit.now)), ("Changed", when(task.updated_at, visit.now)),
        ("Ended", when(task.ended_at, visit.now) if task.ended_at else None),
        ("Tenant", task.tenant_id or None), ("Told at its end", code(task.webhook) if task.webhook else None),
        ("Id", code(str(task.id))),
    ]), id="about", data_region=True)  # fmt: skip


def _until(at: datetime | None, now: datetime) -> Node:
    if at is None:
        return None
    seconds = round((at - now).total_seconds())
    return join(f"{at:%H:%M:%S} UTC", f" (in {seconds:,} s)" if seconds > 0 else " (over)")


def _history(visit: Visit, view: TaskDetail) -> Markup:
    task = view.task
    columns = [("When", ""), ("What", ""), ("Delivery", "number"), ("Worker", "wide"), ("Reason", "")]
    told: list[tuple[datetime, str, int, str, str]] = [(task.created_at, "created", 0, "", "")]
    told += [(one.at, one.what, one.attempt, one.worker_id, one.reason) for one in view.history]
    if task.status is Status.IN_PROGRESS:
        told.append(
            (task.updated_at, "in progress", task.attempts, task.worker_id, "claimed, or its lease was extended")
        )
    if task.ended_at is not None and not any(one.what in ("completed", "failed") for one in view.history):
        told.append((task.ended_at, "dead letter" if task.location is Location.DEAD else WORDS[task.status], task.attempts,
                     "", task.error))  # fmt: skip
    rows = [
        row(f"event-{n}", [
            ("When", "", when(at, visit.now)), ("What", "", chip(what, EVENT_TONES.get(what, "warn"))),
            ("Delivery", "number", attempt or MINUS), ("Worker", "wide", worker or MINUS),
            ("Reason", "row-wide", reason[:500] or MINUS),
        ])
        for n, (at, what, attempt, worker, reason) in enumerate(told)
    ]  # fmt: skip
    return region("history", "History", table(columns, rows, "What happened to it, oldest first"))


def _text(text: str, label: str) -> Markup:
    try:
        shown = msgspec.json.format(text, indent=2)
    except (msgspec.DecodeError, RecursionError):
        shown = text
    more = h("p", f"The first {LONGEST:,} of {len(shown):,} characters; the API gives all of it.", class_="note")
    return join(scroller(shown[:LONGEST], label), more if len(shown) > LONGEST else None)


def _result(record: Record | None) -> Markup:
    if record is None or record.result is None:
        return h("div", id="result", data_region=True)
    artifacts = h("ul", [h("li", link(one.url, one.name)) for one in record.artifacts]) if record.artifacts else None
    return region("result", "Result", _text(msgspec.json.encode(record.result).decode(), "Result"), artifacts)


def render_purge(visit: Visit, view: Tasks) -> Shown:
    """Asks before it is done: a link leads here, only the form forgets."""
    command = visit.form.get("command", "") or visit.query.get("command", "")
    dead = next((queue.dead for queue in view.queues if queue.command == command), 0)
    form = post(
        visit, "/tasks/purge", hidden("command", command),
        h("div", button("Purge", look="main danger"), link("/tasks", "Keep them", class_="button plain"), class_="buttons"),
    )  # fmt: skip
    told = f"{plural(dead, 'task')} that nobody could do, with what is known of them, will be forgotten. There is no way back."
    body = join(
        link("/tasks", "Tasks", class_="up"), h("h1", "Purge the dead letters of ", code(command, 80), "?"),
        h("p", told if dead else "There are none."), form if dead and visit.may("admin") else None,
    )  # fmt: skip
    return Shown("Purge", body)
