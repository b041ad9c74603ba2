"""The actors of scans over a real database, with scans that a test steps by hand or that really run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from docalign_actors.agent_tasks.assembly import assemble as assemble_tasks
from docalign_actors.agent_tasks.messages import Tidy
from docalign_actors.clock import SystemClock
from docalign_actors.findings.report import Report, Summary
from docalign_actors.ids import new_id
from docalign_actors.persistence.agent_tasks import PostgresTaskStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.waits import PostgresWaits
from docalign_actors.scans.assembly import ScanNumbers, ScanParts, assemble, tasks_changed
from docalign_actors.scans.messages import (
    CitationsChecked,
    ProcessEnded,
    Referral,
    ReportMade,
    ScanFacts,
    ScanFailed,
    StageReached,
)
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.outcomes import Rules
from docalign_actors.scans.ports import Job, Processes, Started
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream
from tests.support.waiting import told

PATIENCE = 20.0


class SteppedProcess:
    """A scan that does what the test says, when the test says it."""

    def __init__(self, job: Job, tell: Callable[[object], None]) -> None:
        self.job = job
        self.tell = tell
        self.hurried = threading.Event()
        self.ended = threading.Event()

    def reach(self, stage: str, done: int = 1, total: int = 1) -> None:
        self.tell(StageReached(stage, done, total))

    def report(
        self, report: Report | None = None, facts: ScanFacts | None = None, referrals: tuple[Referral, ...] = ()
    ) -> None:
        known = facts or ScanFacts("main", "f" * 40)
        made = report or Report(Summary(claims=3, verified=2, drifted=1))
        self.tell(ReportMade(made, known, self.hurried.is_set(), referrals))

    def find(self, *lines: int) -> None:
        """Says where what agents cited stands."""
        self.tell(CitationsChecked(lines))

    def fail(self, error: str = "no such repository", code: str = "DOCALIGN_E106", *, permanent: bool = False) -> None:
        self.tell(ScanFailed(code, error, permanent))

    def die(self) -> None:
        self.tell(ProcessEnded(-9, "killed"))

    def hurry(self) -> None:
        self.hurried.set()

    def end(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self.tell(ProcessEnded(-9, "ended"))


class SteppedProcesses:
    """Hands the processes that are started to the test, in order."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.started: list[SteppedProcess] = []

    def start(self, job: Job, tell: Callable[[object], None]) -> SteppedProcess:
        process = SteppedProcess(job, tell)
        with self._changed:
            self.started.append(process)
            self._changed.notify_all()
        return process

    def wait_for(self, number: int) -> SteppedProcess:
        """The n-th process, counted from 1."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.started) >= number, PATIENCE), (
                f"{len(self.started)} of {number}"
            )
            return self.started[number - 1]

    def at_work(self) -> list[SteppedProcess]:
        return [p for p in self.started if not p.ended.is_set()]


class Spine:
    """Everything between the trigger service and the processes."""

    def __init__(
        self, database: Database, processes: Processes, numbers: ScanNumbers | None = None, mirrors: Path | None = None
    ) -> None:
        self.database = database
        self.store = PostgresScanStore(database)
        self.events = EventStream()
        self._changed = threading.Condition()
        self.events.subscribe(lambda _: self._notify())
        self.escalated: list[tuple[str, str]] = []
        self.system = ActorSystem(
            self.events, clock=SystemClock(), escalate=lambda name, why: self.escalated.append((name, why))
        )

        self.mirrors = mirrors or Path("/nonexistent")
        self.queue = assemble_tasks(
            self.system, PostgresTaskStore(database), SystemClock(), answered=lambda: tasks_changed(self.system)
        )
        parts = ScanParts(
            self.store, processes, SystemClock(), self.events, new_id, self.job, PostgresWaits(database),
            lambda: self.queue.do(Tidy()),
        )  # fmt: skip
        self.numbers = numbers or ScanNumbers(rules=Rules(delays=(0.01, 0.01, 0.01)))
        self.triggers = assemble(self.system, parts, self.numbers)

    def job(self, started: Started) -> Job:
        run = started.run
        return Job(
            str(run.id), str(run.repo_id), started.repo.url, run.type.value,
            str(self.mirrors / f"{run.repo_id}.git"), self.database.url, run.base_ref, run.commit_sha,
        )  # fmt: skip

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def add_repo(self, url: str = "", organisation: str = "") -> RepoId:
        repo = RepoId(new_id())
        with self.database.transaction() as connection:
            connection.execute(
                "INSERT INTO repos (id, url, name, organisation) VALUES (%s, %s, %s, %s)",
                (repo, url or f"/repositories/{repo}", str(repo)[:8], organisation),
            )
        return repo

    def row(self, run: RunId | UUID) -> dict[str, Any]:
        with self.database.transaction() as connection:
            cursor = connection.execute("SELECT * FROM scan_runs WHERE id = %s", (run,))
            names = [column.name for column in cursor.description or ()]
            found = cursor.fetchone()
            assert found is not None, f"no run {run}"
            return dict(zip(names, found, strict=True))

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.transaction() as connection:
            return connection.execute(statement.encode(), values).fetchall()

    def wait_until(self, look: Callable[[], bool]) -> None:
        """Looks again whenever something happens."""
        with self._changed:
            assert told(self._changed, look, PATIENCE)

    def wait_for_status(self, run: RunId, *statuses: str) -> dict[str, Any]:
        self.wait_until(lambda: self.row(run)["status"] in statuses)
        return self.row(run)

    def stop(self) -> None:
        self.system.stop(5.0)
