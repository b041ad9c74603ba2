"""Whatever producers, workers and crashes do in whatever order: nothing is lost, no task has two owners, each ends once.

The machine keeps a model of the queue beside a real PostgreSQL and compares after every step. A restart throws the broker's
store away and begins with a new one; a crash rolls a batch back that was about to be committed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from docalign_actors.agent_tasks.errors import TaskError
from docalign_actors.agent_tasks.messages import Claim, Create, Submit
from docalign_actors.agent_tasks.model import Location, Record, Status, Task, TaskId
from docalign_actors.agent_tasks.outcomes import Dead, Requeued
from docalign_actors.ids import new_id
from docalign_actors.persistence.agent_tasks import PostgresTaskStore, _Batch
from docalign_actors.persistence.database import Database
from tests.agent_tasks.queue import FIXED, Queue
from tests.support.database import EMPTY, create_database, drop_database

WORKERS = st.sampled_from(["a", "b", "c"])
COMMANDS = ("X", "Y")
LEASE = 60.0


class Known(msgspec.Struct):
    """What the model believes of a task."""

    task: Task
    status: str = "PENDING"
    owner: str = ""
    lease_until: Any = None
    visible_at: Any = None
    attempts: int = 0
    ends: int = 0


class CrashError(Exception):
    """The process dies before the commit."""


class Queues(RuleBasedStateMachine):
    deliveries = Bundle("deliveries")
    database: Database

    @initialize()
    def begin(self) -> None:
        with self.database.transaction() as connection:
            connection.execute(EMPTY)
        self.queue = Queue(self.database)
        self.known: dict[UUID, Known] = {}
        self.keys: dict[str, UUID] = {}

    # What happens

    @rule(
        command=st.sampled_from(COMMANDS),
        priority=st.integers(0, 9),
        attempts=st.integers(1, 3),
        delay=st.sampled_from([0, 0, 30]),
        key=st.sampled_from(["", "", "k1", "k2"]),
    )
    def enqueue(self, command: str, priority: int, attempts: int, delay: int, key: str) -> None:
        task = self.queue.create(
            command, priority=priority, maxAttempts=attempts, delaySeconds=delay, idempotencyKey=key
        )
        if key in self.keys:
            assert task.id == self.keys[key]
            return
        if key:
            self.keys[key] = task.id
        assert task.id not in self.known
        visible = self.queue.now + timedelta(seconds=delay) if delay else None
        self.known[task.id] = Known(task, visible_at=visible)

    @rule(target=deliveries, worker=WORKERS, commands=st.permutations(COMMANDS), count=st.integers(1, 3))
    def claim(self, worker: str, commands: list[str], count: int) -> Any:
        self._repair()
        expected = sorted(
            (one for one in self.known.values() if one.status == "PENDING" and one.visible_at is None),
            key=lambda one: (commands.index(one.task.command), -one.task.priority, one.task.position),
        )[:count]
        got = self.queue.claim(*commands, worker=worker, count=count, lease=LEASE)
        assert [task.id for task in got] == [one.task.id for one in expected]
        for task, one in zip(got, expected, strict=True):
            one.status, one.owner, one.attempts = "IN_PROGRESS", worker, one.attempts + 1
            one.lease_until = self.queue.now + timedelta(seconds=LEASE)
            assert task.attempts == one.attempts
        return multiple(*((task.id, worker) for task in got))

    @rule(delivery=deliveries)
    def heartbeat(self, delivery: tuple[UUID, str]) -> None:
        one, mine = self._mine(delivery)
        answer = self.queue.heartbeat(one.task, delivery[1], LEASE)
        assert isinstance(answer, TaskError) == (not mine)
        if mine:
            one.lease_until = max(one.lease_until, self.queue.now + timedelta(seconds=LEASE))

    @rule(delivery=consumes(deliveries), delay=st.sampled_from([0, 10]))
    def nack(self, delivery: tuple[UUID, str], delay: int) -> None:
        one, mine = self._mine(delivery)
        answer = self.queue.nack(one.task, delivery[1], delay)
        if not mine:
            assert isinstance(answer, TaskError)
        elif one.attempts >= one.task.max_attempts:
            assert isinstance(answer, Dead)
            self._end(one, "FAILED")
        else:
            assert answer == Requeued(delay or 5)
            self._back(one, delay or 5)

    @rule(delivery=consumes(deliveries))
    def abandon(self, delivery: tuple[UUID, str]) -> None:
        one, mine = self._mine(delivery)
        answer = self.queue.abandon(one.task, delivery[1])
        if not mine:
            assert isinstance(answer, TaskError)
        elif one.attempts >= one.task.max_attempts:
            assert isinstance(answer, Dead)
            self._end(one, "FAILED")
        else:
            assert answer == Requeued(0)
            self._back(one, 0)

    @rule(delivery=deliveries, failed=st.booleans(), twice=st.booleans())
    def result(self, delivery: tuple[UUID, str], failed: bool, twice: bool) -> None:
        one, mine = self._mine(delivery)
        submission = new_id()
        answer = self.queue.submit(one.task, delivery[1], error="broken" if failed else "", submission=submission)
        assert isinstance(answer, Record) == mine
        if mine:
            self._end(one, "FAILED" if failed else "COMPLETED")
        if mine and twice:  # the answer was lost and the same transaction is run again
            again = self.queue.submit(one.task, delivery[1], error="broken" if failed else "", submission=submission)
            assert isinstance(again, Record)

    @rule(delivery=deliveries, failed=st.booleans())
    def result_that_comes_too_late(self, delivery: tuple[UUID, str], failed: bool) -> None:
        """The lease has run out and nobody has swept yet."""
        self.queue.pass_time(LEASE + 1)
        self.result(delivery, failed, twice=False)
        self.heartbeat(delivery)

    @rule(worker=WORKERS, count=st.integers(1, 3))
    def claim_whose_answer_is_lost(self, worker: str, count: int) -> None:
        """It was committed, and the worker never heard of it: the lease brings it back."""
        self.claim(worker, list(COMMANDS), count)

    @rule(seconds=st.sampled_from([1, 10, 31, 61]))
    def time_passes(self, seconds: int) -> None:
        self.queue.pass_time(seconds)

    @rule()
    def sweep(self) -> None:
        self._repair()
        self.queue.store.sweep(self.queue.now, notify=False)

    @rule()
    def restart(self) -> None:
        self.queue.store = PostgresTaskStore(self.database, FIXED)

    @rule(worker=WORKERS)
    def crash_before_the_commit(self, worker: str) -> None:
        """Nothing that was not committed has happened."""
        held = next((one for one in self.known.values() if one.status == "IN_PROGRESS"), None)
        ops: list[Any] = [Claim("", worker, COMMANDS, LEASE, 10)]
        if held is not None:
            ops.append(Submit("", held.task.id, held.owner, new_id(), Status.COMPLETED, "{}", ""))
        if self.known:
            ops.append(Create(_copy(next(iter(self.known.values())).task, self.queue.now)))
        try:
            with self.database.transaction() as connection:
                _Batch(connection, self.queue.now, FIXED, {}).run(ops, notify=False)
                raise CrashError
        except CrashError:
            pass

    # What the model knows

    def _mine(self, delivery: tuple[UUID, str]) -> tuple[Known, bool]:
        one = self.known[delivery[0]]
        holds = one.status == "IN_PROGRESS" and one.owner == delivery[1] and one.lease_until > self.queue.now
        return one, holds

    def _repair(self) -> None:
        now = self.queue.now
        for one in self.known.values():
            if one.status == "PENDING" and one.visible_at is not None and one.visible_at <= now:
                one.visible_at = None
            elif one.status == "IN_PROGRESS" and one.lease_until <= now:
                if one.attempts >= one.task.max_attempts:
                    self._end(one, "FAILED")
                else:
                    self._back(one, 0)

    def _back(self, one: Known, delay: int) -> None:
        one.status, one.owner, one.lease_until = "PENDING", "", None
        one.visible_at = self.queue.now + timedelta(seconds=delay) if delay else None

    def _end(self, one: Known, status: str) -> None:
        one.status, one.owner, one.lease_until, one.ends = status, "", None, one.ends + 1

    # What always holds

    @invariant()
    def nothing_is_lost_and_nothing_else_is_there(self) -> None:
        if not hasattr(self, "queue"):
            return
        rows = self.queue.rows(
            "SELECT id, status, worker_id, lease_until, attempts, location, visible_at FROM agent_tasks"
        )
        assert {row[0] for row in rows} == set(self.known)
        for identity, status, worker, lease, attempts, location, visible in rows:
            one = self.known[identity]
            assert (status, worker, lease, attempts) == (one.status, one.owner, one.lease_until, one.attempts)
            assert visible == one.visible_at
            assert (location == Location.DEAD.value) <= (status == "FAILED")

    @invariant()
    def each_task_ends_once(self) -> None:
        if hasattr(self, "queue"):
            assert all(one.ends == (one.status in ("COMPLETED", "FAILED")) for one in self.known.values())
            results = self.queue.rows("SELECT task_id, status FROM agent_task_results")
            assert all(self.known[task].status == status for task, status in results)
            completed = {identity for identity, one in self.known.items() if one.status == "COMPLETED"}
            assert completed <= {task for task, _ in results}


def _copy(task: Task, now: Any) -> Any:
    from docalign_actors.agent_tasks.admission import TaskRequest, admit

    return admit(TaskRequest(task.command, msgspec.Raw(b"1")), TaskId(new_id()), "", now)


def test_any_interleaving_loses_nothing_delivers_to_one_and_ends_once() -> None:
    url = create_database()
    with Database(url, pool_size=2) as database:
        Queues.database = database
        from hypothesis.stateful import run_state_machine_as_test

        run_state_machine_as_test(
            Queues,
            settings=settings(
                max_examples=60, stateful_step_count=30, deadline=None,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )  # fmt: skip
    drop_database(url)
