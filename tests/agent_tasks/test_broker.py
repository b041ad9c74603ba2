"""The broker: those who wait are woken by what they wait for, and nobody else is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from docalign_actors.agent_tasks.admission import TaskRequest, admit
from docalign_actors.agent_tasks.assembly import TaskQueue, assemble
from docalign_actors.agent_tasks.messages import Abandon, Await, Claim, Create, Heartbeat, Op, Sweep
from docalign_actors.agent_tasks.model import Status, Task, TaskId
from docalign_actors.agent_tasks.ports import Performed
from docalign_actors.clock import SystemClock
from docalign_actors.ids import new_id
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.database import Database
from docalign_actors.supervision.intake import StoppingError
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream

PATIENCE = 20.0


class Desk:
    """A broker on a real database and the real clock."""

    def __init__(self, database: Database, store: PostgresTaskStore | None = None) -> None:
        self.database = database
        self.clock = SystemClock()
        self.system = ActorSystem(EventStream(), clock=self.clock, escalate=lambda name, why: None)
        self.queue: TaskQueue = assemble(self.system, store or PostgresTaskStore(database), self.clock)

    def create(self, command: str = "X", **fields: Any) -> Task:
        request = msgspec.structs.replace(TaskRequest(command, msgspec.Raw(b"1")), **fields)
        new = admit(request, TaskId(new_id()), "", self.clock.now())
        found: Task = self.queue.ask(Create(new)).result(PATIENCE)
        return found

    def claim(
        self, command: str = "X", wait: float = 0.0, worker: str = "w", lease: float = 60.0
    ) -> Future[list[Task]]:
        until = self.clock.now() + timedelta(seconds=wait) if wait else None
        return self.queue.ask(Claim("", worker, (command,), lease, 1, until))

    def settle(self) -> None:
        """Whoever asked before this has been heard: messages are handled in their order."""
        self.claim("nothing of that name").result(PATIENCE)


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    made = Desk(database)
    yield made
    made.system.stop(5.0)


def test_one_task_wakes_one_of_those_who_wait_the_first(desk: Desk) -> None:
    first, second = desk.claim(wait=30, worker="a"), desk.claim(wait=30, worker="b")
    desk.settle()
    assert not first.done()
    task = desk.create()
    assert first.result(PATIENCE)[0].id == task.id
    desk.settle()
    assert not second.done()
    assert desk.create().id == second.result(PATIENCE)[0].id


def test_a_task_of_another_command_wakes_nobody(desk: Desk) -> None:
    waiting = desk.claim("X", wait=30)
    desk.create("Y")
    desk.settle()
    assert not waiting.done()


def test_one_who_left_gets_nothing_and_the_next_is_woken(desk: Desk) -> None:
    gone, there = desk.claim(wait=30), desk.claim(wait=30)
    desk.settle()
    assert gone.cancel()
    task = desk.create()
    assert there.result(PATIENCE)[0].id == task.id


def test_a_wait_ends_with_nothing(desk: Desk) -> None:
    assert desk.claim(wait=0.05).result(PATIENCE) == []


def test_a_delayed_task_wakes_the_one_who_waits_when_it_is_due(desk: Desk) -> None:
    waiting = desk.claim(wait=30)
    desk.settle()
    new = admit(TaskRequest("X", msgspec.Raw(b"1")), TaskId(new_id()), "", desk.clock.now())
    soon = msgspec.structs.replace(new, visible_at=desk.clock.now() + timedelta(seconds=0.2))
    desk.queue.ask(Create(soon)).result(PATIENCE)
    assert waiting.result(PATIENCE)[0].id == soon.id


def test_an_expired_lease_wakes_the_one_who_waits(desk: Desk) -> None:
    task = desk.create()
    desk.claim(lease=0.2, worker="a").result(PATIENCE)
    again = desk.claim(wait=30, worker="b").result(PATIENCE)[0]
    assert (again.id, again.attempts, again.worker_id) == (task.id, 2, "b")


def test_a_task_given_back_wakes_the_one_who_waits(desk: Desk) -> None:
    task = desk.create()
    desk.claim(worker="a").result(PATIENCE)
    waiting = desk.claim(wait=30, worker="b")
    desk.settle()
    desk.queue.ask(Abandon("", task.id, "a")).result(PATIENCE)
    assert waiting.result(PATIENCE)[0].id == task.id


def test_a_dead_letter_wakes_the_one_who_waits_for_its_result(desk: Desk) -> None:
    task = desk.create(max_attempts=1)
    reading = desk.queue.ask(Await("", task.id, desk.clock.now() + timedelta(seconds=30)))
    desk.claim(lease=0.2).result(PATIENCE)
    found, record = reading.result(PATIENCE)
    assert (found.status, record.error) == (Status.FAILED, "lease expired on delivery 1 of 1")


def test_one_who_waits_for_a_result_in_vain_gets_the_task(desk: Desk) -> None:
    task = desk.create()
    found, record = desk.queue.ask(Await("", task.id, desk.clock.now() + timedelta(seconds=0.05))).result(PATIENCE)
    assert (found.id, record) == (task.id, None)


def test_those_who_wait_are_told_when_the_service_stops(desk: Desk) -> None:
    waiting = desk.claim(wait=30)
    desk.settle()
    desk.system.stop(5.0)
    with pytest.raises(StoppingError):
        waiting.result(PATIENCE)


def test_one_refusal_is_the_answer_of_one(desk: Desk) -> None:
    wrong = desk.queue.ask(Heartbeat("", TaskId(new_id()), "w", 60.0))
    assert desk.create().status is Status.PENDING
    assert str(wrong.exception(PATIENCE)) == "not-found"


def test_a_wake_up_that_was_lost_is_made_good_by_the_sweeper(desk: Desk) -> None:
    waiting = desk.claim(wait=30)
    desk.settle()
    # Written past the broker, as after a crash between the commit and the wake-up.
    new = admit(TaskRequest("X", msgspec.Raw(b"1")), TaskId(new_id()), "", desk.clock.now())
    PostgresTaskStore(desk.database).perform([Create(new)], desk.clock.now(), notify=False)
    desk.system.tell("task-broker", Sweep())
    assert waiting.result(PATIENCE)[0].id == new.id


class Parting(PostgresTaskStore):
    """Somebody leaves when their claim has been committed and nobody has been told yet."""

    leaves: Future[list[Task]] | None = None

    def perform(self, ops: Sequence[Op], now: datetime, *, notify: bool) -> Performed:
        done = super().perform(ops, now, notify=notify)
        if self.leaves is not None and any(
            answer and isinstance(op, Claim) for op, answer in zip(ops, done.answers, strict=True)
        ):
            assert self.leaves.cancel()
            self.leaves = None
        return done


def test_what_was_claimed_for_one_who_left_at_that_moment_is_no_delivery(database: Database) -> None:
    store = Parting(database)
    desk = Desk(database, store)
    try:
        store.leaves = desk.claim(wait=30, worker="gone")
        desk.settle()
        task = desk.create(max_attempts=1)
        again = desk.claim(wait=30, worker="there").result(PATIENCE)[0]
        assert (again.id, again.attempts, again.worker_id) == (task.id, 1, "there")
    finally:
        desk.system.stop(5.0)
