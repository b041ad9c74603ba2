"""scripts/bench-service: how fast the service takes work, starts it, stops it, and what ten thousand repositories cost."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from bench.service import enqueue
from bench.service.spine import BenchSpine, EndlessProcesses, InstantProcesses, add_history, add_repositories
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.telemetry import logs

PARTS = ("enqueue", "start", "cancel", "many", "startup")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-service", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--turns", type=int, default=3, help="how often each kind of enqueueing is measured")
    parser.add_argument("--seconds", type=float, default=5.0, help="for how long, each time")
    parser.add_argument("--repositories", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=60_000)
    given = parser.parse_args()
    wanted = given.parts or list(PARTS)
    unknown = set(wanted) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    logs.configure("console", "WARNING")  # otherwise each of the many scans says how it ended
    print(
        f"machine               {os.cpu_count()} cores, load {' '.join(f'{f:.2f}' for f in os.getloadavg())}, fsync on"
    )
    for part in PARTS:
        if part in wanted:
            with _database() as (url, database):
                {"enqueue": _enqueue, "start": _start, "cancel": _cancel, "many": _many, "startup": _startup}[part](
                    url, database, given
                )
    return 0


@contextmanager
def _database() -> Iterator[tuple[str, Database]]:
    """A PostgreSQL of its own, as durable as the service's."""
    with tempfile.TemporaryDirectory(prefix="docalign-bench-") as folder, Server(Path(folder)) as server:
        migrate(server.url)
        with Database(server.url, pool_size=8) as database:
            yield server.url, database


def _enqueue(url: str, database: Database, given: argparse.Namespace) -> None:
    repos = add_repositories(database, 200)
    add_history(url, database, repos, 20_000)
    found = enqueue.measure(url, repos, turns=given.turns, seconds=given.seconds)
    rates = {kind: enqueue.median(figures.rates) for kind, figures in found.items()}
    print(
        f"\ndurable enqueue over HTTP, {enqueue.CONNECTIONS} connections, median of {given.turns} turns of {given.seconds:.0f} s"
    )
    for kind, figures in found.items():
        print(f"  {kind:<28} {rates[kind]:>7.0f} a second   p99 {enqueue.median(figures.p99):>6.1f} ms")
    own, bare, nothing = rates[enqueue.KINDS[2]], rates[enqueue.KINDS[1]], rates[enqueue.KINDS[0]]
    print(f"  docalign is {own / bare:.2f} x one INSERT each (goal 1.5), {own / nothing:.2f} x no database (goal 0.6)")


def _start(url: str, database: Database, given: argparse.Namespace) -> None:
    """By the database's own clock: from the commit of the request to the commit of the start."""
    spine = BenchSpine(database, InstantProcesses())
    repos = add_repositories(database, 50)
    for repo in repos:
        _ended(spine, spine.triggers.enqueue_full_scan(RepoId(repo)).result(30))
    with database.transaction() as connection:
        rows = connection.execute(
            "SELECT extract(epoch FROM started_at - created_at)::float * 1000 FROM scan_runs"
        ).fetchall()
    spine.stop()
    figures = sorted(row[0] for row in rows)
    print("\nrequest → scan started, idle service")
    print(
        f"  median {statistics.median(figures):.1f} ms, slowest of {len(figures)} {figures[-1]:.1f} ms (goal: median under 20)"
    )


def _cancel(url: str, database: Database, given: argparse.Namespace) -> None:
    """Scans that would go on for ever, cancelled while they run."""
    endless = EndlessProcesses()
    spine = BenchSpine(database, endless)
    figures = []
    for repo in add_repositories(database, 30):
        run = spine.triggers.enqueue_full_scan(RepoId(repo)).result(30)
        _until(lambda run=run: _status(database, run) == "running")
        began = time.perf_counter()
        spine.triggers.cancel_scan(run)
        _until(lambda run=run: _status(database, run) == "cancelled")
        figures.append((time.perf_counter() - began) * 1000)
    left = [process for process in endless.started if not process.ended.is_set()]
    spine.stop()
    print("\ncancel → stopped, in the middle of a stage")
    print(
        f"  median {statistics.median(figures):.1f} ms, slowest of {len(figures)} {max(figures):.1f} ms; still at work: {len(left)}"
    )


def _many(url: str, database: Database, given: argparse.Namespace) -> None:
    repos = add_repositories(database, given.repositories)
    spine = BenchSpine(database, InstantProcesses())
    before, threads = _memory(), threading.active_count()
    peak_threads, peak_memory = threads, before
    began = time.perf_counter()
    waiting: deque[Future[RunId]] = deque()
    accepted = bytearray()  # 16 bytes each: what grows shall be the service, not the benchmark
    on_the_way: list[float] = []
    for number in range(given.messages):
        repo = RepoId(repos[(number * 7919) % len(repos)])
        waiting.append(spine.triggers.enqueue_pr_scan(repo, 1 + number % 3, "main", f"{number:040x}"))
        if len(waiting) >= 500:
            accepted += waiting.popleft().result(60).bytes
        if number % 500 == 0:
            peak_threads, peak_memory = max(peak_threads, threading.active_count()), max(peak_memory, _memory())
        if (number + 1) % (given.messages // 6) == 0:
            on_the_way.append(_memory())
    while waiting:
        accepted += waiting.popleft().result(120).bytes
    taken = time.perf_counter() - began
    while _open(database):
        peak_threads, peak_memory = max(peak_threads, threading.active_count()), max(peak_memory, _memory())
        threading.Event().wait(0.5)
    whole = time.perf_counter() - began
    with database.transaction() as connection:
        outcomes: dict[str, int] = dict(
            connection.execute("SELECT status, count(*) FROM scan_runs GROUP BY 1").fetchall()
        )
    after = _memory()
    runs = {UUID(bytes=bytes(accepted[at : at + 16])) for at in range(0, len(accepted), 16)}
    with database.transaction() as connection:
        known = connection.execute("SELECT count(*) FROM scan_runs WHERE id = ANY(%s)", (list(runs),)).fetchone()
    spine.stop()
    print(f"\n{given.repositories:,} repositories, {given.messages:,} messages")
    lost = len(runs) - (known or (0,))[0]
    print(f"  accepted {len(runs):,} in {taken:.0f} s, all ended after {whole:.0f} s: {outcomes}; lost: {lost}")
    each = ", ".join(f"{megabytes:.0f}" for megabytes in on_the_way)
    print(
        f"  memory {before:.0f} MB before, {each} after each sixth, {peak_memory:.0f} at the most, {after:.0f} when all had ended"
    )
    print(f"  threads {threads} before, {peak_threads} at the most")


def _startup(url: str, database: Database, given: argparse.Namespace) -> None:
    repos = add_repositories(database, given.repositories)
    copying = "COPY scan_runs (id, repo_id, type, trigger) FROM STDIN"
    with database.transaction() as connection, connection.cursor() as cursor, cursor.copy(copying) as copy:
        for repo in repos:
            copy.write_row((repo, repo, "full", "scheduled"))
    began = time.perf_counter()
    spine = BenchSpine(database, InstantProcesses())
    answers = time.perf_counter() - began
    _until(lambda: _count(database, "status = 'completed'") > 0)
    first = time.perf_counter() - began
    while _open(database):
        threading.Event().wait(0.5)
    whole = time.perf_counter() - began
    spine.stop()
    print(f"\nstart-up with {given.repositories:,} queued runs")
    print(f"  actors up after {answers:.2f} s, first scan ended after {first:.2f} s")
    print(f"  all ended after {whole:.0f} s ({len(repos) / whole:.0f} a second)")


def _ended(spine: BenchSpine, run: RunId) -> None:
    _until(lambda: _status(spine.database, run) not in ("queued", "running"))


def _status(database: Database, run: UUID) -> str:
    with database.transaction() as connection:
        row = connection.execute("SELECT status FROM scan_runs WHERE id = %s", (run,)).fetchone()
    return str(row[0]) if row else ""


def _open(database: Database) -> int:
    return _count(database, "status IN ('queued', 'running')")


def _count(database: Database, condition: str) -> int:
    with database.transaction() as connection:
        row = connection.execute(f"SELECT count(*) FROM scan_runs WHERE {condition}".encode()).fetchone()
    return int(row[0]) if row else 0


def _until(look: object) -> None:
    end = time.monotonic() + 60
    while not look():  # type: ignore[operator]
        if time.monotonic() > end:
            raise RuntimeError("it did not happen within a minute")
        threading.Event().wait(0.001)


def _memory() -> float:
    """Resident megabytes of this process, now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
