"""Durable enqueue over HTTP, at 32 connections: the service's batches beside one INSERT a request on a pool of 8
connections, and beside the same handler with no database at all.

The three are served by three processes, one after the other, a few times in turns, and asked by one and the same client.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from uuid import UUID, uuid4

from msgspec import Struct

from bench.service.spine import BenchSpine, EndlessProcesses
from docalign_actors.clock import SystemClock
from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings, Services
from docalign_actors.http.serving import Serving, run_loop
from docalign_actors.ids import new_id
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.scans.model import Request, RunId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.metrics import Metrics

CONNECTIONS = 32
KINDS = ("no database", "one INSERT each, pool of 8", "docalign")


class Figures(Struct):
    """Of one kind: requests a second and the 99th percentile in milliseconds, of each turn."""

    rates: list[float] = []
    p99: list[float] = []


def measure(url: str, repos: list[UUID], *, turns: int, seconds: float) -> dict[str, Figures]:
    """The figures of each kind."""
    found = {kind: Figures() for kind in KINDS}
    for _ in range(turns):
        for kind in KINDS:
            rate, p99 = _one_turn(kind, url, repos, seconds)
            found[kind].rates.append(rate)
            found[kind].p99.append(p99)
    return found


def _one_turn(kind: str, url: str, repos: list[UUID], seconds: float) -> tuple[float, float]:
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(kind, url, there), daemon=True)
    server.start()
    try:
        if not here.poll(60):
            raise RuntimeError("the server did not start")
        port, token = here.recv()
        return asyncio.run(_ask(port, token, repos, seconds))
    finally:
        server.kill()
        server.join(10)


def _serve(kind: str, url: str, pipe: Connection) -> None:
    logs.configure("json", "WARNING")
    tune()  # as the service does
    database = Database(url, pool_size=8)
    database.open()
    # One permit, held by a scan that never ends: nothing but the enqueueing is at work.
    spine = BenchSpine(database, EndlessProcesses(), permits=1)
    triggers = spine.triggers
    if kind != KINDS[2]:
        ingest = _without_database if kind == KINDS[0] else _one_insert_each(database)
        triggers = TriggerService(spine.store, ingest, spine.system.tell)
    tokens = TokenStore(database, SystemClock())
    services = Services(
        triggers=triggers, system=spine.system, database=database, tokens=tokens, repos=RepoStore(database),
        views=Views(database), events=spine.events, metrics=Metrics(spine.events).render, clock=SystemClock(),
        settings=HttpSettings(port=0),
    )  # fmt: skip
    serving = Serving(make_app(services), services)
    settle_down()
    pipe.send((int(serving.bind().rpartition(":")[2]), tokens.create("bench", Role.ADMIN)))
    run_loop(serving.serve())


def _without_database(_: Request) -> Future[RunId]:
    answer: Future[RunId] = Future()
    answer.set_result(RunId(new_id()))
    return answer


def _one_insert_each(database: Database) -> Callable[[Request], Future[RunId]]:
    threads = ThreadPoolExecutor(8)

    def insert(request: Request) -> RunId:
        run = RunId(new_id())
        with database.transaction() as connection:
            connection.execute(
                "INSERT INTO scan_runs (id, repo_id, type, trigger, base_ref, commit_sha) VALUES (%s, %s, 'push', 'push', %s, %s)",
                (run, request.repo_id, request.base_ref, request.commit_sha),
            )
        return run

    return lambda request: threads.submit(insert, request)


async def _ask(port: int, token: str, repos: list[UUID], seconds: float) -> tuple[float, float]:
    times: list[float] = []
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_connection(port, token, repos, number, end, times) for number in range(CONNECTIONS)))
    times.sort()
    return len(times) / seconds, times[int(len(times) * 0.99)] * 1000 if times else 0.0


async def _connection(port: int, token: str, repos: list[UUID], number: int, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    turn = number
    while time.perf_counter() < end:
        turn += CONNECTIONS
        body = b'{"type":"push","before":"%s","after":"%s"}' % (b"0" * 40, uuid4().hex.encode() + b"00000000")
        head = (
            f"POST /api/repos/{repos[turn % len(repos)]}/scans HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 202"):
            raise RuntimeError(answer.decode("utf-8", "replace") + (await reader.read(2000)).decode("utf-8", "replace"))
        length = int(
            next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")).split(b":")[1]
        )
        await reader.readexactly(length)
        times.append(time.perf_counter() - began)
    writer.close()


def median(figures: list[float]) -> float:
    return statistics.median(figures)
