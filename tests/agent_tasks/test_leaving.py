"""A client that goes away while its claim waits takes no task with it."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec

from docalign_actors.agent_tasks.messages import Claim, Op
from docalign_actors.http.server import make_app
from tests.agent_tasks.wire import PATIENCE, WireHouse


class Interposed:
    """The queue, but for one who leaves just before the answer to a claim that waits is there."""

    def __init__(self, house: WireHouse) -> None:
        self._queue = house.services.tasks.queue  # type: ignore[union-attr]
        self.asked = threading.Event()
        self.leave: Any = None

    def ask(self, op: Op) -> Future[Any]:
        reply = self._queue.ask(op)
        if not isinstance(op, Claim) or op.until is None:
            return reply
        late: Future[Any] = Future()

        def pass_on(done: Future[Any]) -> None:
            self.leave()
            late.set_result(done.result())

        late.set_running_or_notify_cancel()  # the answer is on its way: it cannot be called off any more
        reply.add_done_callback(pass_on)
        self.asked.set()
        return late


async def claim_and_leave(house: WireHouse, queue: Interposed) -> list[dict[str, Any]]:
    """What was sent to a client that left."""
    loop, left = asyncio.get_running_loop(), asyncio.Event()
    queue.leave = lambda: loop.call_soon_threadsafe(left.set)
    body = json.dumps({"commands": ["X"], "waitSeconds": 20}).encode()
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        if part is None:
            await left.wait()
        return part or {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {"host": "127.0.0.1", "authorization": f"Bearer {house.secret()}", "content-length": str(len(body))}
    scope = {
        "type": "http", "method": "POST", "path": "/v1/codeq/tasks/claim", "query_string": b"", "http_version": "1.1",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    tasks = msgspec.structs.replace(house.services.tasks, queue=queue)  # type: ignore[type-var]
    app = make_app(dataclasses.replace(house.services, tasks=tasks), None)
    await asyncio.wait_for(app(scope, receive, send), PATIENCE)
    return sent


def wait_for_either(asked: threading.Event, waiting: Future[Any]) -> None:
    waiting.add_done_callback(lambda _: asked.set())
    assert asked.wait(PATIENCE)
    if waiting.done():
        waiting.result()


def test_a_task_that_comes_when_its_client_has_left_goes_to_the_next_and_was_not_delivered(house: WireHouse) -> None:
    queue = Interposed(house)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: asyncio.run(claim_and_leave(house, queue)))
        wait_for_either(queue.asked, waiting)
        task = house.create(maxAttempts=1)
        assert waiting.result(PATIENCE) is not None
    again = house.claim(waitSeconds=20)
    assert (again["id"], again["attempts"]) == (task["id"], 1)
