"""Agent tasks in PostgreSQL: the store that the broker sees. Every method is one transaction.

However many requests there are in a batch, it takes a handful of statements and one commit: each wait for the database is
one more time that the interpreter has to be got back from the other threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import psycopg
from msgspec.structs import asdict, replace
from psycopg.types.json import Jsonb

from docalign_actors.agent_tasks import notices, outcomes
from docalign_actors.agent_tasks.errors import NotFailedError, NotInProgressError, TaskError, UnknownTaskError
from docalign_actors.agent_tasks.messages import (
    Abandon,
    Await,
    Claim,
    Create,
    Heartbeat,
    Nack,
    Op,
    Renew,
    Requeue,
    Submit,
    Subscribe,
    Tidy,
)  # fmt: skip
from docalign_actors.agent_tasks.model import (
    Location,
    Record,
    Status,
    Task,
    TaskId,
    moment,
    raw_json,
    record_of_failure,
)  # fmt: skip
from docalign_actors.agent_tasks.ports import Performed
from docalign_actors.contracts import COMMANDS
from docalign_actors.errors import DatabaseError
from docalign_actors.ids import new_id
from docalign_actors.outbound.backoff import Backoff
from docalign_actors.outbound.model import Letter
from docalign_actors.persistence import scan_tasks, subscriptions
from docalign_actors.persistence.agent_task_records import Placed, Seen, joined, read_record
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.outbox import put_letters
from docalign_actors.persistence.sql import query

_REPAIR_MOST = 500
_MOST_REMEMBERED = 20_000
_UNSEEN = "nobody was there any more to take it"
_NEW = ("id", "tenant_id", "command", "payload", "priority", "webhook", "max_attempts", "idempotency_key", "visible_at",
        "trace", "created_at")  # fmt: skip


Collect = Callable[[], list[Any]]
"""Reads the answers to statements that have been sent."""


class PostgresTaskStore:
    """What `agent_tasks.ports.TaskStore` asks for."""

    def __init__(self, database: Database, backoff: Backoff | None = None) -> None:
        self._database = database
        self._backoff = backoff or Backoff()
        self._others: dict[TaskId, None] = {}
        """Tasks claimed lately that are no scan's: their results are not looked up before they are written."""

    def perform(self, ops: Sequence[Op], now: datetime, *, notify: bool) -> Performed:
        def unit(connection: Connection) -> Performed:
            # One pipeline for all of it: what is asked goes out together, and what is written goes with the commit.
            with connection.pipeline():
                done = _Batch(connection, now, self._backoff, self._others).run(ops, notify=notify)
                connection.commit()
            return done

        try:
            return self._database.run(unit)
        except DatabaseError as error:
            # One that the database refuses must not take the others with it.
            if len(ops) == 1 or not isinstance(error.__cause__, psycopg.DataError | psycopg.IntegrityError):
                raise
        return joined([self._alone(op, now, notify=notify) for op in ops])

    def sweep(self, now: datetime, *, notify: bool) -> Performed:
        def unit(connection: Connection) -> Performed:
            return _Batch(connection, now, self._backoff, self._others).sweep(notify=notify)

        return self._database.run(unit)

    def next_moment(self) -> datetime | None:
        row = self._database.run(lambda c: c.execute(query("tasks_next_moment")).fetchone())
        return row[0] if row is not None else None

    def any_subscription(self, now: datetime) -> bool:
        def unit(connection: Connection) -> bool:
            connection.execute(query("tasks_forget_subscriptions"), {"now": now - timedelta(days=1)})
            return connection.execute(query("tasks_any_subscription"), {"now": now}).fetchone() is not None

        return self._database.run(unit)

    def _alone(self, op: Op, now: datetime, *, notify: bool) -> Performed:
        try:
            return self.perform([op], now, notify=notify)
        except DatabaseError as error:
            return Performed([TaskError(f"the database refuses it: {error}")], {})


class _Batch:
    """One transaction."""

    def __init__(self, connection: Connection, now: datetime, backoff: Backoff, others: dict[TaskId, None]) -> None:
        connection.execute(query("server_by_index"))
        self._connection = connection
        self._now = now
        self._backoff = backoff
        self._others = others
        self._ready: Counter[tuple[str, str]] = Counter()
        self._ended: list[tuple[Task, Record]] = []
        self._moments: list[datetime] = []

    def run(self, ops: Sequence[Op], *, notify: bool) -> Performed:
        """All of these came at about the same time, so their order is ours: new tasks first, claims last."""
        answers: list[Any] = [None] * len(ops)
        by_kind: dict[type, list[tuple[int, Any]]] = {}
        for number, op in enumerate(ops):
            by_kind.setdefault(type(op), []).append((number, op))
        steps: tuple[tuple[type, Callable[[Any], Collect]], ...] = (
            (Tidy, self._tidy), (Create, self._create), (Subscribe, self._subscribe), (Renew, self._renew), (Submit, self._submit),
            (Heartbeat, self._extend), (Nack, self._put_back), (Abandon, self._put_back), (Requeue, self._requeue),
            (Claim, self._claim), (Await, self._read),
        )  # fmt: skip
        # All statements are sent before the first answer is read.
        sent = [(by_kind[kind], step([op for _, op in by_kind[kind]])) for kind, step in steps if kind in by_kind]
        for asked, collect in sent:
            for (number, _), answer in zip(asked, collect(), strict=True):
                answers[number] = answer
        return self._finish(answers, notify=notify)

    def sweep(self, *, notify: bool) -> Performed:
        self._repair()()
        return self._finish([], notify=notify, postponed=subscriptions.tell_of_postponed(self._connection, self._now))

    def _finish(self, answers: list[Any], *, notify: bool, postponed: Sequence[Letter] = ()) -> Performed:
        letters = [notices.callback(t, r, new_id(), self._now) for t, r in self._ended if t.webhook] + [*postponed]
        if notify and self._ready:
            told, moments = subscriptions.tell_of_work(self._connection, self._ready, self._now)
            letters += told
            self._moments += moments
        sent = put_letters(self._connection, letters, self._now)
        ended = [task.id for task, _ in self._ended]
        answered = any(task.command in COMMANDS for task, _ in self._ended)
        return Performed(answers, dict(self._ready), ended, answered, min(self._moments, default=None), sent)

    def _tidy(self, ops: Sequence[Tidy]) -> Collect:
        for tenant, command, count in scan_tasks.announce(self._connection):
            self._ready[tenant, command] += count
        withdrawn = scan_tasks.withdraw(self._connection, self._now)
        self._ended.extend((task, record_of_failure(task)) for task in withdrawn)
        return lambda: [len(withdrawn)] * len(ops)

    def _create(self, ops: Sequence[Create]) -> Collect:
        values = {name: [getattr(op.task, name) for op in ops] for name in _NEW}
        cursor = self._connection.cursor(row_factory=struct_row(Task)).execute(query("tasks_create"), values)
        return lambda: self._created(ops, {task.id: task for task in cursor.fetchall()})

    def _created(self, ops: Sequence[Create], made: dict[TaskId, Task]) -> list[Any]:
        for task in made.values():
            if task.visible_at is None:
                self._ready[task.tenant_id, task.command] += 1
            else:
                self._moments.append(task.visible_at)
        answers: list[Any] = []
        for new in (op.task for op in ops):
            found = made.get(new.id)
            if found is None and new.idempotency_key is not None:
                found = self._task("of_key", {"tenant": new.tenant_id, "key": new.idempotency_key})
            if found is None:  # written by a first try whose answer was lost
                found = self._task("find", {"task": new.id, "tenant": new.tenant_id})
            answers.append(found if found is not None else UnknownTaskError())
        return answers

    def _claim(self, ops: Sequence[Claim]) -> Collect:
        """Those who want the same are served by one statement, in the order in which they came."""
        repaired = self._repair()
        sent: list[tuple[list[int], psycopg.Cursor[Placed]]] = []
        answers: list[list[Task]] = [[] for _ in ops]
        groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for number, op in enumerate(ops):
            groups.setdefault((op.tenant, op.commands), []).append(number)
        for (tenant, commands), numbers in groups.items():
            places = [number for number in numbers for _ in range(ops[number].count)]
            values = {
                "commands": list(commands or self._ready_commands(tenant)), "tenant": tenant, "count": len(places),
                "workers": [ops[number].worker for number in places], "now": self._now,
                "untils": [self._now + timedelta(seconds=ops[number].lease) for number in places],
            }  # fmt: skip
            cursor = self._connection.cursor(row_factory=struct_row(Placed))
            sent.append((places, cursor.execute(query("tasks_claim"), values)))

        def collect() -> list[Any]:
            repaired()
            for places, cursor in sent:
                for task in sorted(cursor.fetchall(), key=lambda placed: placed.nth):
                    answers[places[task.nth - 1]].append(task)
                    self._remember(task)
                    if task.lease_until is not None:
                        self._moments.append(task.lease_until)
            return answers

        return collect

    def _remember(self, task: Task) -> None:
        """Scans ask by their own commands only."""
        if task.command not in COMMANDS:
            self._others[task.id] = None
            if len(self._others) > _MOST_REMEMBERED:
                del self._others[next(iter(self._others))]

    def _ready_commands(self, tenant: str) -> list[str]:
        rows = self._connection.execute(query("tasks_ready_commands"), {"tenant": tenant}).fetchall()
        return [row[0] for row in rows]

    def _repair(self) -> Callable[[], None]:
        values = {"now": self._now, "limit": _REPAIR_MOST}
        cursor = self._connection.cursor(row_factory=struct_row(Task)).execute(query("tasks_repair"), values)

        def collect() -> None:
            for task in cursor.fetchall():
                if task.status is Status.FAILED:
                    self._ended.append((task, record_of_failure(task)))
                else:
                    self._ready[task.tenant_id, task.command] += 1

        return collect

    def _extend(self, ops: Sequence[Heartbeat]) -> Collect:
        values = [
            {"task": op.task, "tenant": op.tenant, "worker": op.worker, "now": self._now,
             "until": self._now + timedelta(seconds=op.extend)}
            for op in ops
        ]  # fmt: skip
        cursors = [
            self._connection.cursor(row_factory=struct_row(Seen)).execute(query("tasks_extend"), one) for one in values
        ]

        def collect() -> list[Any]:
            found = [cursor.fetchone() for cursor in cursors]
            return [
                seen if seen is not None and seen.changed else self._refusal(seen, op.worker)
                for op, seen in zip(ops, found, strict=True)
            ]

        return collect

    def _submit(self, ops: Sequence[Submit]) -> Collect:
        """All in one statement; a task that is named twice has its turn again in the next."""
        asked = [number for number, op in enumerate(ops) if op.task not in self._others]
        found = scan_tasks.unfit(self._connection, [ops[number] for number in asked], self._now) if asked else {}
        unfit = {asked[place]: error for place, error in found.items()}
        turns: list[dict[TaskId, int]] = []
        for number, op in enumerate(ops):
            if number in unfit:
                continue
            turn = next((turn for turn in turns if op.task not in turn), None)
            if turn is None:
                turns.append(turn := {})
            turn[op.task] = number
        cursors = [self._send_results([ops[number] for number in turn.values()]) for turn in turns]

        def collect() -> list[Any]:
            answers: list[Any] = [unfit.get(number) for number in range(len(ops))]
            for turn, cursor in zip(turns, cursors, strict=True):
                seen = {task.id: task for task in cursor.fetchall()}
                for task, number in turn.items():
                    answers[number] = self._ended_by(ops[number], seen.get(task))
            return answers

        return collect

    def _send_results(self, ops: Sequence[Submit]) -> psycopg.Cursor[Seen]:
        values: dict[str, Any] = {
            name: [getattr(op, name) for op in ops]
            for name in ("task", "tenant", "worker", "submission", "result", "error")
        }
        values["status"] = [op.status.value for op in ops]
        values["artifacts"] = [Jsonb([asdict(one) for one in op.artifacts]) for op in ops]
        cursor = self._connection.cursor(row_factory=struct_row(Seen))
        return cursor.execute(query("tasks_submit"), {**values, "now": self._now})

    def _ended_by(self, op: Submit, seen: Seen | None) -> Any:
        if seen is None or not (seen.changed or seen.submission == op.submission):
            return self._refusal(seen, op.worker)
        result = raw_json(op.result) if op.result is not None else None
        record = Record(str(op.task), op.status.value, moment(self._now), result, op.error, op.artifacts)
        if seen.changed:
            self._keep(op)
            ended = replace(seen, status=op.status, error=op.error, updated_at=self._now, ended_at=self._now)
            self._ended.append((ended, record))
        return record

    def _keep(self, op: Submit) -> None:
        for content in op.contents:
            self._connection.execute(query("tasks_keep_content"), {**asdict(content), "task": op.task})

    def _put_back(self, ops: Sequence[Nack | Abandon]) -> Collect:
        answers = [self._put_one_back(op) for op in ops]
        return lambda: answers

    def _put_one_back(self, op: Nack | Abandon) -> Any:
        task = self._task("lock", {"task": op.task, "tenant": op.tenant})
        refused = outcomes.refusal(task, op.worker, self._now)
        if refused is not None or task is None:
            return refused
        if isinstance(op, Nack):
            after = outcomes.after_nack(task, op.delay, op.reason, self._backoff, op.chance)
        else:
            after = outcomes.after_abandon(task, unseen=op.unseen)
        place = outcomes.place(after)
        dead = isinstance(after, outcomes.Dead)
        error = after.reason if isinstance(after, outcomes.Dead) else task.error
        if isinstance(op, Nack) and not dead:
            error = outcomes.clean(op.reason)
        delay = after.delay if isinstance(after, outcomes.Requeued) else 0
        visible = self._now + timedelta(seconds=delay) if place is Location.DELAYED else None
        put = replace(
            task, status=Status.FAILED if dead else Status.PENDING, location=place, visible_at=visible, error=error,
            ended_at=self._now if dead else None, worker_id="", lease_until=None, updated_at=self._now,
        )  # fmt: skip
        self._connection.execute(
            query("tasks_put_back"),
            {"task": put.id, "status": put.status.value, "location": place.value, "visible_at": visible, "error": error,
             "ended_at": put.ended_at, "now": self._now, "what": "nacked" if isinstance(op, Nack) else "abandoned",
             "reason": outcomes.clean(op.reason) if isinstance(op, Nack) else _UNSEEN * op.unseen,
             "undelivered": int(isinstance(op, Abandon) and op.unseen)},
        )  # fmt: skip
        if dead:
            self._ended.append((put, record_of_failure(put)))
        elif visible is not None:
            self._moments.append(visible)
        else:
            self._ready[put.tenant_id, put.command] += 1
        return after

    def _requeue(self, ops: Sequence[Requeue]) -> Collect:
        answers: list[Any] = []
        for op in ops:
            values = {"task": op.task, "tenant": op.tenant, "now": self._now}
            found = self._task("requeue", values)
            if found is not None:
                self._connection.execute(query("tasks_forget_result"), values)
                self._ready[found.tenant_id, found.command] += 1
                answers.append(found)
            else:
                known = self._task("find", values)
                answers.append(UnknownTaskError() if known is None else NotFailedError())
        return lambda: answers

    def _read(self, ops: Sequence[Await]) -> Collect:
        answers: list[Any] = []
        for op in ops:
            task = self._task("find", {"task": op.task, "tenant": op.tenant})
            answers.append((task, read_record(self._connection, task)) if task is not None else UnknownTaskError())
        return lambda: answers

    def _subscribe(self, ops: Sequence[Subscribe]) -> Collect:
        for op in ops:
            subscriptions.subscribe(self._connection, op.subscription)
        return lambda: [op.subscription for op in ops]

    def _renew(self, ops: Sequence[Renew]) -> Collect:
        found = [subscriptions.renew(self._connection, op.subscription, op.tenant, op.ttl, self._now) for op in ops]
        return lambda: [one if one is not None else UnknownTaskError() for one in found]

    def _refusal(self, seen: Seen | None, worker: str) -> TaskError:
        return outcomes.refusal(seen, worker, self._now) or NotInProgressError()

    def _task(self, name: str, values: dict[str, Any]) -> Task | None:
        return self._connection.cursor(row_factory=struct_row(Task)).execute(query(f"tasks_{name}"), values).fetchone()
