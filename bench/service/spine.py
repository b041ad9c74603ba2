"""The actors over a real PostgreSQL, with scans that end at once: what is measured is the service, not the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg

from docalign_actors.clock import SystemClock
from docalign_actors.findings.report import Report, Summary
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.scans.assembly import ScanNumbers, ScanParts, assemble
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.messages import ProcessEnded, ReportMade, ScanFacts, StageReached
from docalign_actors.scans.ports import Job, Started
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream

UNLIMITED = Limits(10**9, 10**9, 10**9)
STAGES = ("fetch", "extraction", "index", "verification")


class InstantProcess:
    """A scan without content."""

    def __init__(self, tell: Callable[[object], None], work: ThreadPoolExecutor) -> None:
        self._ended = False
        work.submit(self._run, tell)

    def _run(self, tell: Callable[[object], None]) -> None:
        if not self._ended:
            tell(StageReached("extraction", 1, 1))
            tell(ReportMade(Report(Summary(claims=1, verified=1)), ScanFacts("main", "f" * 40)))
        tell(ProcessEnded(0))

    def hurry(self) -> None: ...

    def end(self) -> None:
        self._ended = True


class InstantProcesses:
    """Starts scans that end at once, in a few threads."""

    def __init__(self) -> None:
        self._work = ThreadPoolExecutor(5)

    def start(self, job: Job, tell: Callable[[object], None]) -> InstantProcess:
        return InstantProcess(tell, self._work)


class EndlessProcess:
    """A scan that goes on, a stage at a time when told to, until it is ended."""

    def __init__(self, tell: Callable[[object], None]) -> None:
        self.tell = tell
        self.ended = threading.Event()

    def hurry(self) -> None: ...

    def end(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self.tell(ProcessEnded(-9))


class EndlessProcesses:
    """Starts scans that only a cancellation ends."""

    def __init__(self) -> None:
        self.started: list[EndlessProcess] = []

    def start(self, job: Job, tell: Callable[[object], None]) -> EndlessProcess:
        self.started.append(EndlessProcess(tell))
        return self.started[-1]


class BenchSpine:
    """The actors, and a few shortcuts."""

    def __init__(self, database: Database, processes: InstantProcesses | EndlessProcesses, permits: int = 5) -> None:
        self.database = database
        self.store = PostgresScanStore(database)
        self.events = EventStream()
        self.system = ActorSystem(self.events, clock=SystemClock(), escalate=_loudly)

        def make_job(started: Started) -> Job:
            return Job(str(started.run.id), str(started.run.repo_id), started.repo.url, started.run.type.value, "")

        parts = ScanParts(self.store, processes, SystemClock(), self.events, new_id, make_job)
        numbers = ScanNumbers(permits=permits, limits=UNLIMITED, mailbox=1_000_000)
        self.triggers = assemble(self.system, parts, numbers)

    def stop(self) -> None:
        self.system.stop(10.0)


def _loudly(name: str, reason: str) -> None:
    raise SystemExit(f"{name} failed too often: {reason}")


def add_repositories(database: Database, number: int) -> list[UUID]:
    """Rows of repositories that nobody will ever fetch from."""
    ids = [new_id() for _ in range(number)]
    copying = "COPY repos (id, url, name, organisation) FROM STDIN"
    with database.transaction() as connection, connection.cursor() as cursor, cursor.copy(copying) as copy:
        for one in ids:
            copy.write_row((one, f"/bench/{one}", str(one)[-8:], ""))
    return ids


def add_history(url: str, database: Database, repos: list[UUID], number: int) -> None:
    """Runs that have ended, and statistics of them: a service that has been at work for a while."""
    copying = "COPY scan_runs (id, repo_id, type, trigger, commit_sha, status, completed_at) FROM STDIN"
    with database.transaction() as connection, connection.cursor() as cursor, cursor.copy(copying) as copy:
        for i in range(number):
            copy.write_row((new_id(), repos[i % len(repos)], "push", "push", f"{i:040d}", "completed", "2026-01-01"))
    with psycopg.connect(url, autocommit=True) as outside:
        outside.execute("ANALYZE")
