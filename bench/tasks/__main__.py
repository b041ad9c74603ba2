"""scripts/bench-tasks: create → claim → complete, over HTTP, in SQL alone and by procrastinate, with few and many workers and
tasks that wait."""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import tempfile
from pathlib import Path

import psycopg

from bench.tasks.asking import COMMAND, Figures, in_sql, over_http
from bench.tasks.procrastinating import available, by_procrastinate
from bench.tasks.serving import serve
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server

_FILL = """INSERT INTO agent_tasks
(id, tenant_id, command, payload, priority, status, location, max_attempts, created_at, updated_at)
SELECT gen_random_uuid(), '', %s, '{"n": 1}', n %% 10, 'PENDING', 'PENDING_LIST', 5, now(), now() FROM generate_series(1, %s) n"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-tasks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for how long each round is measured")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 50])
    parser.add_argument("--waiting", type=int, nargs="+", default=[0, 10_000, 100_000])
    parser.add_argument(
        "--with-procrastinate",
        action="store_true",
        help="install it into a folder that is thrown away, and measure it too",
    )
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} cores, load {' '.join(f'{f:.2f}' for f in os.getloadavg())}, fsync on")
    print(
        f"{'':>10} {'waiting':>8} {'workers':>8} {'requests/s':>11} {'cycles/s':>9} {'claim p50':>10} {'p95':>8} {'p99 ms':>8}"
    )
    for waiting in given.waiting:
        with tempfile.TemporaryDirectory(prefix="docalign-bench-") as folder, Server(Path(folder)) as server:
            migrate(server.url)
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute(_FILL, (COMMAND, waiting))
                connection.execute("VACUUM ANALYZE agent_tasks")
            for workers in given.workers:
                _tidy(server.url)
                _show("SQL alone", waiting, workers, in_sql(server.url, workers, given.seconds))
                _tidy(server.url)
                if available():
                    found = by_procrastinate(server.url, waiting, workers, given.seconds)
                    _show("procrast.", waiting, workers, found)
                    _tidy(server.url)
                _show("HTTP", waiting, workers, _over_http(server.url, workers, given.seconds))
    if not available():
        print("procrastinate is not installed, so it was not measured; --with-procrastinate installs it for this run")
    print(f"machine: load {' '.join(f'{f:.2f}' for f in os.getloadavg())} at the end")
    return 0


def _tidy(url: str) -> None:
    """No round pays for what the one before it left to be vacuumed and written back."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _over_http(url: str, workers: int, seconds: float) -> Figures:
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=serve, args=(url, there), daemon=True)
    server.start()
    try:
        if not here.poll(60):
            raise RuntimeError("the server did not start")
        port, token = here.recv()
        asyncio.run(over_http(port, token, workers, 1.0))
        return asyncio.run(over_http(port, token, workers, seconds))
    finally:
        server.kill()
        server.join(10)


def _show(kind: str, waiting: int, workers: int, found: Figures) -> None:
    print(
        f"{kind:>10} {waiting:>8,} {workers:>8} {found.cycles * 3:>11,.0f} {found.cycles:>9,.0f} "
        f"{found.p50:>10.1f} {found.p95:>8.1f} {found.p99:>8.1f}",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
