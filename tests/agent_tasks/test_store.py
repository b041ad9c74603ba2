"""The queue over a real PostgreSQL: order, leases, attempts, dead letters, keys, tenants."""

from __future__ import annotations

import threading
from typing import Any

import msgspec
import pytest

from docalign_actors.agent_tasks.messages import Await, Claim, Create, Submit
from docalign_actors.agent_tasks.model import Location, Status
from docalign_actors.agent_tasks.outcomes import Dead, Requeued
from docalign_actors.errors import ConstraintError
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.sql import query
from tests.agent_tasks.queue import Queue


@pytest.fixture
def queue(database: Database) -> Queue:
    return Queue(database)


def test_tasks_are_claimed_by_command_then_priority_then_age(queue: Queue) -> None:
    names = {
        queue.create("B", priority=9).id: "B9",
        queue.create("A", priority=0).id: "A0 first",
        queue.create("A", priority=0).id: "A0 second",
        queue.create("A", priority=5).id: "A5",
    }
    order = [names[queue.claim("A", "B")[0].id] for _ in range(4)]
    assert order == ["A5", "A0 first", "A0 second", "B9"]
    assert queue.claim("A", "B") == []


def test_a_batch_is_claimed_in_the_same_order(queue: Queue) -> None:
    made = [queue.create("A", priority=p).id for p in (1, 3, 2)]
    assert [task.id for task in queue.claim("A", count=10)] == [made[1], made[2], made[0]]


def test_without_commands_any_task_is_claimed(queue: Queue) -> None:
    queue.create("A"), queue.create("B")
    assert {task.command for task in queue.claim(count=10)} == {"A", "B"}


def test_a_claim_is_a_delivery_under_a_lease(queue: Queue) -> None:
    task = queue.create()
    claimed = queue.claim("X")[0]
    assert (claimed.id, claimed.attempts, claimed.worker_id, claimed.status) == (task.id, 1, "w", Status.IN_PROGRESS)
    assert claimed.lease_until is not None
    assert (claimed.lease_until - queue.now).total_seconds() == 60
    assert queue.claim("X") == []


def test_an_expired_task_goes_to_the_next_who_claims(queue: Queue) -> None:
    queue.create()
    first = queue.claim("X", worker="a")[0]
    queue.pass_time(60)
    again = queue.claim("X", worker="b")[0]
    assert (again.id, again.attempts, again.worker_id) == (first.id, 2, "b")
    assert str(queue.submit(first, "a")) == "not-owner"
    assert str(queue.heartbeat(first, "a")) == "not-owner"
    assert queue.submit(again, "b").status == "COMPLETED"


def test_a_result_of_an_expired_owner_is_refused_before_anybody_swept(queue: Queue) -> None:
    queue.create()
    task = queue.claim("X")[0]
    queue.pass_time(61)
    assert str(queue.submit(task)) == "not-in-progress"
    assert str(queue.heartbeat(task)) == "not-in-progress"


def test_attempts_count_deliveries_and_the_last_one_ends_in_a_dead_letter(queue: Queue) -> None:
    task = queue.create(maxAttempts=3)
    for delivery in (1, 2):
        assert queue.claim("X")[0].attempts == delivery
        assert queue.nack(task, delay=1) == Requeued(1)
        queue.pass_time(1)
    assert queue.claim("X")[0].attempts == 3
    assert queue.nack(task, reason="no model") == Dead("nacked on delivery 3 of 3: no model")
    row = queue.row(task)
    assert (row.status, row.location, row.error) == (
        Status.FAILED,
        Location.DEAD,
        "nacked on delivery 3 of 3: no model",
    )


def test_the_expiry_of_the_last_delivery_ends_in_a_dead_letter(queue: Queue) -> None:
    task = queue.create(maxAttempts=1)
    queue.claim("X")
    queue.pass_time(60)
    done = queue.store.sweep(queue.now, notify=False)
    assert list(done.ended) == [task.id]
    row = queue.row(task)
    assert (row.location, row.error) == (Location.DEAD, "lease expired on delivery 1 of 1")


def test_what_the_sweeper_brings_back_can_be_claimed(queue: Queue) -> None:
    queue.create()
    queue.claim("X")
    queue.create(delaySeconds=60)
    queue.pass_time(60)
    assert queue.store.sweep(queue.now, notify=False).ready == {("", "X"): 2}
    assert len(queue.claim("X", count=10)) == 2


def test_a_heartbeat_never_shortens_a_lease(queue: Queue) -> None:
    queue.create()
    task = queue.claim("X", lease=300)[0]
    queue.heartbeat(task, extend=10)
    assert queue.row(task).lease_until == task.lease_until
    queue.heartbeat(task, extend=600)
    assert (queue.row(task).lease_until - queue.now).total_seconds() == 600  # type: ignore[operator]


def test_a_delayed_task_is_claimed_when_it_is_due_and_not_before(queue: Queue) -> None:
    queue.create(delaySeconds=10)
    queue.pass_time(9.9)
    assert queue.claim("X") == []
    queue.pass_time(0.1)
    assert len(queue.claim("X")) == 1


def test_an_abandoned_task_is_ready_at_once(queue: Queue) -> None:
    queue.create()
    task = queue.claim("X")[0]
    assert queue.abandon(task) == Requeued(0)
    assert queue.claim("X", worker="b")[0].attempts == 2


def test_a_nack_without_a_delay_backs_off(queue: Queue) -> None:
    queue.create()
    assert queue.nack(queue.claim("X")[0]) == Requeued(5)
    assert queue.row(queue.create()).status is Status.PENDING


def test_the_same_key_gives_the_same_task(queue: Queue) -> None:
    first = queue.create(idempotencyKey="k")
    assert queue.create(idempotencyKey="k") == first
    assert queue.create(idempotencyKey="k", tenant="other").id != first.id
    queue.submit(queue.claim("X")[0])
    assert queue.create(idempotencyKey="k").status is Status.COMPLETED


def test_a_key_twice_in_one_batch_is_one_task(queue: Queue) -> None:
    ops = [Create(msg) for msg in (_new(queue), _new(queue))]
    answers = queue.store.perform(ops, queue.now, notify=False).answers
    assert answers[0] == answers[1]


def _new(queue: Queue) -> Any:
    from docalign_actors.agent_tasks.admission import TaskRequest, admit
    from docalign_actors.agent_tasks.model import TaskId

    return admit(TaskRequest("X", msgspec.Raw(b"1"), idempotency_key="k"), TaskId(new_id()), "", queue.now)


def test_a_result_sent_twice_is_written_once(queue: Queue) -> None:
    queue.create()
    task = queue.claim("X")[0]
    submission = new_id()
    assert queue.submit(task, submission=submission) == queue.submit(task, submission=submission)
    assert str(queue.submit(task)) == "not-in-progress"


def test_a_failed_task_can_be_put_back_in_line(queue: Queue) -> None:
    task = queue.create(maxAttempts=1)
    queue.submit(queue.claim("X")[0], error="broken")
    assert queue.requeue(task).attempts == 0
    queue.submit(queue.claim("X")[0])
    assert str(queue.requeue(task)) == "not-failed"


def test_a_tenant_sees_nothing_of_another(queue: Queue) -> None:
    task = queue.create(tenant="a")
    assert queue.claim("X", tenant="b") == []
    mine = queue.claim("X", tenant="a")[0]
    foreign = msgspec.structs.replace(mine, tenant_id="b")
    for ask in (queue.heartbeat, queue.nack, queue.abandon, queue.submit):
        assert str(ask(foreign)) == "not-found"
    assert str(queue.do(Await("b", task.id))) == "not-found"


def test_one_wrong_request_does_not_take_the_batch_with_it(queue: Queue) -> None:
    bad = msgspec.structs.replace(_new(queue), command="a\0b", idempotency_key=None)
    good = msgspec.structs.replace(_new(queue), idempotency_key=None)
    first, second = queue.store.perform([Create(bad), Create(good)], queue.now, notify=False).answers
    assert "database refuses" in str(first)
    assert second.id == good.id


def test_many_who_claim_at_once_get_each_task_once(database: Database, queue: Queue) -> None:
    for _ in range(40):
        queue.create()
    got: list[Any] = []

    def work(number: int) -> None:
        while tasks := queue.store.perform([Claim("", f"w{number}", ("X",), 60.0, 3)], queue.now, notify=False).answers[
            0
        ]:
            got.extend(task.id for task in tasks)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(got) == len(set(got)) == 40


def test_a_task_that_contradicts_itself_cannot_be_written(queue: Queue) -> None:
    task = queue.create()
    for change in (
        "status = 'IN_PROGRESS'", "location = 'INPROG_SET'", "attempts = 9", "worker_id = 'w'", "lease_until = now()",
        "status = 'FAILED', location = 'DLQ_SET', ended_at = now()", "location = 'DELAYED_ZSET'", "priority = 10",
    ):  # fmt: skip
        with pytest.raises(ConstraintError):
            queue.database.run(
                lambda c, change=change: c.execute(
                    f"UPDATE agent_tasks SET {change} WHERE id = %s".encode(), (task.id,)
                )
            )  # type: ignore[misc]
    queue.submit(queue.claim("X")[0])
    with pytest.raises(ConstraintError):
        queue.database.run(
            lambda c: c.execute("UPDATE agent_tasks SET status = 'FAILED', error = 'x' WHERE id = %s", (task.id,))
        )


def test_a_claim_costs_the_same_however_many_wait(fresh_database: Database) -> None:
    queue = Queue(fresh_database)
    queue.database.run(
        lambda c: c.execute(
            "INSERT INTO agent_tasks (id, tenant_id, command, payload, priority, status, location, max_attempts, created_at, updated_at)"
            " SELECT gen_random_uuid(), '', 'X', '1', n %% 10, 'PENDING', 'PENDING_LIST', 5, now(), now()"
            " FROM generate_series(1, 20000) n".replace("%%", "%").encode()
        )
    )
    queue.database.run(lambda c: c.execute("ANALYZE agent_tasks"))
    values = {"commands": ["X"], "tenant": "", "count": 1, "workers": ["w"], "untils": [queue.now], "now": queue.now}
    with queue.database.transaction() as connection:
        row = connection.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query("tasks_claim"), values).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 100


def test_a_result_is_read_back_as_it_was_sent(queue: Queue) -> None:
    task = queue.create()
    claimed = queue.claim("X")[0]
    queue.do(Submit("", claimed.id, "w", new_id(), Status.COMPLETED, '{"b": 2.50}', ""))
    found, record = queue.do(Await("", task.id))
    assert found.status is Status.COMPLETED
    assert bytes(record.result) == b'{"b": 2.50}'


def test_tasks_that_ended_long_ago_are_swept_and_others_are_not(queue: Queue) -> None:
    from docalign_actors.persistence.housekeeping import PostgresHousekeeper
    from docalign_actors.upkeep.ports import Keep

    old, waiting = queue.create(), queue.create()
    queue.submit(queue.claim("X")[0])
    queue.database.run(
        lambda c: c.execute("UPDATE agent_tasks SET ended_at = now() - interval '31 days' WHERE ended_at IS NOT NULL")
    )
    assert PostgresHousekeeper(queue.database).sweep(Keep())["agent_tasks"] == 1
    assert queue.rows("SELECT id FROM agent_tasks") == [(waiting.id,)]
    assert queue.rows("SELECT task_id FROM agent_task_results WHERE task_id = %s", old.id) == []
