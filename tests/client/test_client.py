"""The client against the real server, over real sockets."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest

from docalign_actors.client import Lease, LeaseLostError, QueueError, Task, TaskClient, UnreachableError, work
from docalign_actors.http.serving import Serving
from docalign_actors.persistence.database import Database
from docalign_actors.telemetry.events import MessageHandled
from tests.agent_tasks.wire import PATIENCE, WireHouse


@pytest.fixture
def house(database: Database) -> Iterator[WireHouse]:
    made = WireHouse(database)
    yield made
    made.system.stop(5.0)


@pytest.fixture
def address(house: WireHouse) -> Iterator[str]:
    serving = Serving(house.app, house.services)
    found = serving.bind()
    thread = threading.Thread(target=lambda: asyncio.run(serving.serve()))
    thread.start()
    yield found
    serving.stop()
    thread.join(PATIENCE)


@pytest.fixture
def client(house: WireHouse, address: str) -> Iterator[TaskClient]:
    made = TaskClient(address, house.secret())
    yield made
    made.close()


def test_a_task_goes_round(client: TaskClient) -> None:
    made = client.create("X", {"n": [1, "ü"]}, priority=3)
    task = client.claim(["X"])
    assert task is not None
    assert (task.id, task.payload, task.attempts) == (made.id, {"n": [1, "ü"]}, 1)
    client.heartbeat(task)
    client.complete(task, {"done": True})
    assert client.result(task.id).result == {"done": True}
    assert client.task(task.id).status == "COMPLETED"
    assert client.claim(["X"]) is None


def test_what_the_queue_refuses_is_an_error_with_its_words(client: TaskClient) -> None:
    with pytest.raises(QueueError, match="400: invalid body: 'command' is required"):
        client.create("", 1)
    with pytest.raises(QueueError, match="404: result not found"):
        client.result(client.create("X", 1).id)


def test_many_tasks_are_created_in_few_requests(client: TaskClient) -> None:
    made = client.create_many("X", range(230), priority=2)
    assert [task.payload for task in made] == list(range(230))
    assert len({task.id for task in made}) == 230
    with pytest.raises(QueueError, match="'payload' is required"):
        client.create_many("X", [1, None])
    assert client.create_many("X", []) == []


def test_a_lost_lease_has_an_error_of_its_own(client: TaskClient, house: WireHouse) -> None:
    client.create("X", 1)
    task = client.claim(["X"], lease=10)
    assert task is not None
    house.clock.pass_time(11)
    with pytest.raises(LeaseLostError):
        client.heartbeat(task)
    with pytest.raises(LeaseLostError):
        client.complete(task, {})


def test_tasks_are_failed_nacked_and_given_back(client: TaskClient) -> None:
    for _ in range(3):
        client.create("X", 1)
    first, second, third = client.claim_many(5, ["X"])
    assert client.fail(first, "cannot be done").error == "cannot be done"
    assert client.nack(second, "later") == "requeued"
    client.abandon(third)
    assert client.task(third.id).status == "PENDING"


def test_a_queue_that_is_not_there_is_said_to_be_unreachable() -> None:
    with pytest.raises(UnreachableError):
        TaskClient("http://127.0.0.1:1", "t").claim()
    with pytest.raises(ValueError, match="no http or https address"):
        TaskClient("ftp://x", "t")


def test_a_worker_does_what_comes_and_gives_back_what_fails(client: TaskClient, house: WireHouse, address: str) -> None:
    stop, failed = threading.Event(), threading.Event()

    def handle(task: Task, lease: Lease) -> object:
        if task.payload == "bad":
            failed.set()
            raise ValueError("no")
        return {"square": task.payload**2}

    worker = TaskClient(address, house.secret(), worker="one")
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(work(worker, ["X"], handle, stop=stop)))
    thread.start()
    bad = client.create("X", "bad", max_attempts=1)
    good = client.create("X", 7)
    assert client.result(good.id, wait=20).result == {"square": 49}
    assert client.result(bad.id, wait=20).error == "nacked on delivery 1 of 1: ValueError: no"
    stop.set()
    last = client.create("X", 1)  # wakes the claim that waits
    client.result(last.id, wait=20)
    thread.join(PATIENCE)
    assert counts == [2]


def test_one_who_hangs_up_while_waiting_takes_nothing_with_him(
    client: TaskClient, house: WireHouse, address: str
) -> None:
    heard = threading.Condition()
    asks = [0]

    def note(event: object) -> None:
        if isinstance(event, MessageHandled) and event.name == "task-broker" and "flush" in event.kind.lower():
            with heard:
                asks[0] += 1
                heard.notify_all()

    def wait_for(count: int) -> None:
        with heard:
            assert heard.wait_for(lambda: asks[0] >= count, PATIENCE), asks

    house.events.subscribe(note, MessageHandled)
    host, port = address.removeprefix("http://").split(":")
    body = b'{"commands": ["X"], "waitSeconds": 30}'
    with socket.create_connection((host, int(port))) as gone:
        gone.sendall(
            f"POST /v1/codeq/tasks/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {house.secret()}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        wait_for(2)  # it found nothing, and waits
    got: list[Task | None] = []
    other = TaskClient(address, house.secret(), worker="other")
    thread = threading.Thread(target=lambda: (got.append(other.claim(["X"], wait=20)), other.close()))
    thread.start()
    wait_for(4)  # the second one waits behind the first
    made = client.create("X", 1)
    thread.join(PATIENCE)
    assert got[0] is not None
    assert got[0].id == made.id
