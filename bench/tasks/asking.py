"""Workers that create a task, claim one and complete it, over HTTP; and the same in SQL alone."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from uuid import uuid4

import psycopg
from msgspec import Struct

COMMAND = "BENCH"


class Figures(Struct):
    """Of one round: cycles a second, and how long claims took, in milliseconds."""

    cycles: float
    p50: float
    p95: float
    p99: float

    @classmethod
    def of(cls, cycles: int, seconds: float, claims: list[float]) -> Figures:
        claims.sort()
        at = [claims[min(len(claims) - 1, int(len(claims) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
        return cls(cycles / seconds, *at)


async def over_http(port: int, token: str, workers: int, seconds: float) -> Figures:
    claims: list[float] = []
    done = [0]
    began = time.perf_counter()
    await asyncio.gather(*(_worker(port, token, number, began + seconds, claims, done) for number in range(workers)))
    return Figures.of(done[0], time.perf_counter() - began, claims)


async def _worker(port: int, token: str, number: int, end: float, claims: list[float], done: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    common = (
        f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nX-Worker-Id: w{number}\r\n"
        "Content-Type: application/json\r\n"
    )

    async def ask(path: str, body: bytes) -> tuple[int, bytes]:
        head = f"POST /v1/codeq{path} HTTP/1.1\r\n{common}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return int(answer[9:12]), await reader.readexactly(int(length)) if length else b""

    create = json.dumps({"command": COMMAND, "payload": {"n": number}}).encode()
    claim = json.dumps({"commands": [COMMAND], "leaseSeconds": 60, "waitSeconds": 5}).encode()
    result = json.dumps({"status": "COMPLETED", "result": {"ok": True}}).encode()
    while time.perf_counter() < end:
        status, text = await ask("/tasks", create)
        _check(status == 202, text)
        asked = time.perf_counter()
        status, text = await ask("/tasks/claim", claim)
        claims.append(time.perf_counter() - asked)
        _check(status == 200, text)
        status, text = await ask(f"/tasks/{json.loads(text)['id']}/result", result)
        _check(status == 200, text)
        done[0] += 1
    writer.close()


def _check(fine: bool, text: bytes) -> None:
    if not fine:
        raise RuntimeError(text.decode("utf-8", "replace"))


_CREATE = """INSERT INTO agent_tasks
(id, tenant_id, command, payload, priority, status, location, max_attempts, created_at, updated_at)
VALUES (%s, '', %s, '{"n": 1}', 0, 'PENDING', 'PENDING_LIST', 5, now(), now())"""
_CLAIM = """UPDATE agent_tasks SET status = 'IN_PROGRESS', location = 'INPROG_SET', worker_id = 'w', attempts = attempts + 1,
lease_until = now() + interval '60 s', updated_at = now() WHERE id = (SELECT id FROM agent_tasks
WHERE tenant_id = '' AND command = %s AND location = 'PENDING_LIST'
ORDER BY priority DESC, position LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id"""
_COMPLETE = """UPDATE agent_tasks SET status = 'COMPLETED', location = 'NONE', worker_id = '', lease_until = NULL, ended_at = now(),
updated_at = now() WHERE id = %s AND status = 'IN_PROGRESS'"""


def in_sql(url: str, workers: int, seconds: float) -> Figures:
    """One connection and one transaction a statement for each worker: what a queue without the service would do."""
    claims: list[float] = []
    counts: list[int] = []
    began = time.perf_counter()

    def work() -> None:
        done = 0
        with psycopg.connect(url, autocommit=True) as connection:
            while time.perf_counter() < began + seconds:
                connection.execute(_CREATE, (uuid4(), COMMAND))
                asked = time.perf_counter()
                row = connection.execute(_CLAIM, (COMMAND,)).fetchone()
                claims.append(time.perf_counter() - asked)
                if row is not None:
                    connection.execute(_COMPLETE, (row[0],))
                    done += 1
        counts.append(done)

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Figures.of(sum(counts), time.perf_counter() - began, claims)
