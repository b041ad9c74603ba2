"""What our HTTP side costs: asking for a scan, with an ingest that answers at once, against a bare handler.

    python -m bench.http_enqueue [seconds of each round] [connections]

Each application is served by the same server in a process of its own; they are asked in turns. The ratios count, not the
figures; that of processor time is steady on a machine that does other things as well. No database is involved: the token
is known, and the ingest is a stub.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import socket
import statistics
import sys
import time
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from docalign_actors.clock import SystemClock
from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings, Services
from docalign_actors.persistence.tokens import Role, TokenInfo
from docalign_actors.scans.model import RunId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.stream import EventStream

REPO = UUID(int=1)
RUN = RunId(UUID(int=2))
SECRET = "docalign_o_" + "A" * 43
BODY = b'{"type": "push", "before": "%s", "after": "%s"}' % (b"a" * 40, b"b" * 40)
ROUNDS = 5


class _Tokens:
    """Knows one token, without a database."""

    def on_revoke(self, tell: Any) -> None: ...

    def find(self, secret: str) -> TokenInfo | None:
        return TokenInfo(UUID(int=3), "bench", Role.OPERATOR, False, datetime.now(UTC))


def _ingest(_: Any) -> Future[RunId]:
    answer: Future[RunId] = Future()
    answer.set_result(RUN)
    return answer


async def _bare(request: Request) -> Response:
    """The least that a handler can do: read the JSON, answer with JSON."""
    await request.json()
    return JSONResponse({"scan_run_id": str(RUN)}, 202)


def _ours() -> Starlette:
    nothing = cast(Any, None)
    services = Services(
        triggers=TriggerService(nothing, _ingest, nothing),
        system=nothing, database=nothing, tokens=cast(Any, _Tokens()), repos=nothing, views=nothing, events=EventStream(),
        metrics=nothing, clock=SystemClock(), settings=HttpSettings(token_cache_seconds=3_600),
    )  # fmt: skip
    return make_app(services)


def serve(listening: socket.socket, which: str) -> None:
    logs.configure(level="INFO")  # as the service does
    app = _ours() if which == "ours" else Starlette(routes=[Route("/{path:path}", _bare, methods=["POST"])])
    config = uvicorn.Config(app, log_level="error", access_log=False, http="h11")
    asyncio.run(uvicorn.Server(config).serve([listening]))


async def _connection(port: int, until: float, took: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST /api/repos/{REPO}/scans HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {SECRET}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
    ).encode()
    while time.perf_counter() < until:
        began = time.perf_counter()
        writer.write(head + BODY)
        answer = await reader.readuntil(b"\r\n\r\n")
        if b" 202 " not in answer[:16]:
            raise RuntimeError(answer)
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        took.append(time.perf_counter() - began)
    writer.close()


async def measure(port: int, seconds: float, connections: int) -> tuple[int, float, float]:
    """Requests, requests a second, and the 99th percentile in milliseconds."""
    took: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(_connection(port, began + seconds, took) for _ in range(connections)))
    return len(took), len(took) / (time.perf_counter() - began), sorted(took)[int(len(took) * 0.99)] * 1_000


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(seconds: float = 3.0, connections: int = 32) -> None:
    """Alternates, so that whatever else the machine does falls on both."""
    servers: dict[str, tuple[multiprocessing.Process, int]] = {}
    for which in ("bare", "ours"):
        listening = socket.create_server(("127.0.0.1", 0))
        process = multiprocessing.Process(target=serve, args=(listening, which), daemon=True)
        process.start()
        servers[which] = (process, listening.getsockname()[1])
        listening.close()
    try:
        rates: dict[str, list[float]] = {"bare": [], "ours": []}
        slowest: dict[str, list[float]] = {"bare": [], "ours": []}
        costs: dict[str, list[float]] = {"bare": [], "ours": []}
        for _ in range(ROUNDS):
            for which, (process, port) in servers.items():
                used = processor_seconds(process.pid or 0)
                count, rate, p99 = asyncio.run(measure(port, seconds, connections))
                rates[which].append(rate)
                slowest[which].append(p99)
                costs[which].append((processor_seconds(process.pid or 0) - used) / count * 1e6)
        for which in rates:
            rate, p99, cost = (statistics.median(each[which]) for each in (rates, slowest, costs))
            print(f"{which}: {rate:,.0f} requests/s, p99 {p99:.1f} ms, {cost:.0f} µs of processor time a request")
        for name, ratios in (
            ("requests a second", [ours / bare for ours, bare in zip(rates["ours"], rates["bare"], strict=True)]),
            ("processor time", [bare / ours for ours, bare in zip(costs["ours"], costs["bare"], strict=True)]),
        ):
            print(f"ours to bare by {name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    finally:
        for process, _ in servers.values():
            process.terminate()


if __name__ == "__main__":
    main(*(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0, int(sys.argv[2]) if len(sys.argv) > 2 else 32))
