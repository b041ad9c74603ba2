"""Webhooks over HTTP at 32 connections: the inbox's batches beside one INSERT a request on a pool of 8 connections, and
beside the same handler with no database at all. The dispatcher is left out: nothing but the taking is at work.

The three are served by three processes, one after the other, a few times in turns, and asked by one and the same client.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from uuid import uuid4

import uvicorn

from bench.service.enqueue import CONNECTIONS, KINDS, Figures
from bench.service.spine import BenchSpine, EndlessProcesses
from docalign_actors.clock import SystemClock
from docalign_actors.github.assembly import way_into
from docalign_actors.github.messages import DISPATCH
from docalign_actors.github.payloads import Taken
from docalign_actors.http.server import make_app
from docalign_actors.http.services import Services, Webhooks
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.github import PostgresInbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.tokens import TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.settings.kinds import Secret
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.metrics import Metrics

SECRET = "a secret of the benchmark"
SIZE = 20_000
"""Bytes of a payload: about what GitHub sends for a pull request."""
_HEAD = {"ref": "feature", "sha": "a" * 40, "repo": {"id": 7, "full_name": "acme/tool"}}
_PAYLOAD = {
    "action": "synchronize", "number": 7, "installation": {"id": 1},
    "repository": {"id": 7, "full_name": "acme/tool", "default_branch": "main"},
    "pull_request": {"number": 7, "state": "open", "head": _HEAD, "base": {**_HEAD, "ref": "main"}, "user": {"login": "ada"},
                     "updated_at": "2026-01-01T00:00:00Z"},
}  # fmt: skip


class Sink(Actor):
    """Where the dispatcher would be."""

    def receive(self, message: object) -> None:
        """It is enough that something waits."""


def measure(url: str, *, turns: int, seconds: float) -> dict[str, Figures]:
    """The figures of each kind."""
    found = {kind: Figures() for kind in KINDS}
    for _ in range(turns):
        for kind in KINDS:
            rate, p99 = _one_turn(kind, url, seconds)
            found[kind].rates.append(rate)
            found[kind].p99.append(p99)
    return found


def _one_turn(kind: str, url: str, seconds: float) -> tuple[float, float]:
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(kind, url, there), daemon=True)
    server.start()
    try:
        if not here.poll(60):
            raise RuntimeError("the server did not start")
        return asyncio.run(_ask(here.recv(), seconds))
    finally:
        server.kill()
        server.join(10)


def _serve(kind: str, url: str, pipe: Connection) -> None:
    logs.configure("json", "WARNING")
    tune()  # as the service does
    database = Database(url, pool_size=8)
    database.open()
    spine = BenchSpine(database, EndlessProcesses(), permits=1)
    keep = _inbox(spine, database) if kind == KINDS[2] else _nothing if kind == KINDS[0] else _one_insert_each(database)
    services = Services(
        triggers=spine.triggers, system=spine.system, database=database, tokens=TokenStore(database, SystemClock()),
        repos=RepoStore(database), views=Views(database), events=spine.events, metrics=Metrics(spine.events).render,
        clock=SystemClock(), webhooks=Webhooks(1, (Secret(SECRET), Secret()), keep),
    )  # fmt: skip
    config = uvicorn.Config(make_app(services), port=0, log_level="error", access_log=False)
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        settle_down()
        pipe.send(server.servers[0].sockets[0].getsockname()[1])
        await serving

    asyncio.run(run())


def _nothing(taken: Taken) -> Future[bool]:
    answer: Future[bool] = Future()
    answer.set_result(True)
    return answer


def _one_insert_each(database: Database) -> Callable[[Taken], Future[bool]]:
    threads = ThreadPoolExecutor(8)

    def insert(taken: Taken) -> bool:
        with database.transaction() as connection:
            connection.execute(
                "INSERT INTO github_deliveries (app_id, delivery_id, event, action, installation_id, status, content)"
                " VALUES (%s, %s, %s, %s, %s, 'waiting', %s)",
                (taken.app_id, taken.delivery, taken.event, taken.action, taken.installation, taken.content.decode()),
            )
        return True

    return lambda taken: threads.submit(insert, taken)


def _inbox(spine: BenchSpine, database: Database) -> Callable[[Taken], Future[bool]]:
    spine.system.supervise(DISPATCH, lambda: Sink())
    return way_into(spine.system, PostgresInbox(database, "https://github.com"))


async def _ask(port: int, seconds: float) -> tuple[float, float]:
    body = json.dumps(_PAYLOAD).encode()
    body = json.dumps({**_PAYLOAD, "filler": "x" * (SIZE - len(body))}).encode()
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    head = (
        f"POST /webhooks/github HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"X-GitHub-Event: pull_request\r\nX-Hub-Signature-256: sha256={signature}\r\nContent-Length: {len(body)}\r\n"
    )
    times: list[float] = []
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_connection(port, head, body, end, times) for _ in range(CONNECTIONS)))
    times.sort()
    return len(times) / seconds, times[int(len(times) * 0.99)] * 1000 if times else 0.0


async def _connection(port: int, head: str, body: bytes, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < end:
        whole = f"{head}X-GitHub-Delivery: {uuid4()}\r\n\r\n".encode() + body
        began = time.perf_counter()
        writer.write(whole)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 202"):
            raise RuntimeError(answer.decode("utf-8", "replace"))
        lines = answer.lower().split(b"\r\n")
        await reader.readexactly(int(next(li for li in lines if li.startswith(b"content-length")).split(b":")[1]))
        times.append(time.perf_counter() - began)
    writer.close()
