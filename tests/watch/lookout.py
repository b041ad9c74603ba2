"""Everything around the watcher, for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from docalign_actors.clock import SystemClock
from docalign_actors.errors import DocAlignError
from docalign_actors.findings.report import Report, Summary
from docalign_actors.hosts.belongings import Belongings
from docalign_actors.hosts.heads import GitHeads
from docalign_actors.ids import new_id
from docalign_actors.parts.watching import HeadsWithCredentials
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.watch import PostgresWatchStore
from docalign_actors.scans.addresses import parse_repository_url
from docalign_actors.scans.admission import run_of
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import Counts, RepoId, Request, RunId, Status, Trigger
from docalign_actors.scans.outcomes import Next
from docalign_actors.scans.ports import Results
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.events import ActorStarted
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.assembly import asking, assemble_circuits, assemble_watcher
from docalign_actors.watch.circuit import Rules
from docalign_actors.watch.deciding import Head, Numbers
from docalign_actors.watch.events import CircuitMoved, HeadLooked, ScanAsked
from docalign_actors.watch.lookers import LookerParts
from docalign_actors.watch.messages import LookAround
from docalign_actors.watch.watcher_actor import NAME, WatcherParts
from tests.support.clock import ManualClock
from tests.support.repository import Repository
from tests.support.waiting import told

PATIENCE = 60.0


class Lookout:
    """The watcher with its actors. `round` lets time pass until everything has been looked at once more."""

    def __init__(
        self, database: Database, folder: Path, *, numbers: Numbers | None = None, rules: Rules | None = None, github: bool = False,
        heads: Any = None, lookers: int = 4, store: Callable[[PostgresWatchStore], Any] = lambda store: store, watch: bool = True,
    ) -> None:  # fmt: skip
        self.database = database
        self.folder = folder
        self.clock = ManualClock(datetime.now(UTC) + timedelta(hours=1))
        self.events = EventStream(clock=self.clock)
        self._changed = threading.Condition()
        self.heard: list[Any] = []
        self.events.subscribe(self._hear)
        # Handlers are timed by the machine's clock: one that is under way when a test moves the other is not late.
        self.system = ActorSystem(self.events, clock=SystemClock(), escalate=lambda name, why: None)
        if watch:
            self.clock.on_advance(self.look_around)
        self.scans = PostgresScanStore(database)
        self.belongings = Belongings(folder / "data")
        self.repos = RepoStore(database, self.belongings.forget, self.clock)
        self.numbers = numbers or Numbers()
        self.store = PostgresWatchStore(database, self.numbers, rules or Rules(), github=github)
        self.triggers = TriggerService(self.scans, self.ingest, lambda name, message: None)
        self.heads = heads or HeadsWithCredentials(GitHeads(10.0), self.belongings.credentials)
        looking = LookerParts(self.heads, asking(self.triggers), self.clock, self.events, self.numbers, lookers)
        self.parts = WatcherParts(store(self.store), looking, self.clock, self.events)
        assemble_circuits(self.system, self.parts)
        if watch:
            assemble_watcher(self.system, self.parts)
            self.until(lambda: any(isinstance(e, ActorStarted) and e.name == NAME for e in self.heard))
            # It looks around once of itself when it starts; what a test registers afterwards is not to be caught by that look.
            self.system.ask(NAME, LookAround(), PATIENCE)

    def _hear(self, event: Any) -> None:
        with self._changed:
            self.heard.append(event)
            self._changed.notify_all()

    def ingest(self, request: Request) -> Future[RunId]:
        """What the ingest actor does, without the batch."""
        answer: Future[RunId] = Future()
        found = self.scans.enqueue([request], [RunId(new_id())], self.clock.now().date(), lambda d: [None] * len(d))
        answer.set_result(run_of(found[0]))
        return answer

    # Repositories

    def git(self, name: str = "project", files: dict[str, str | bytes] | None = None) -> Repository:
        root = self.folder / name
        root.mkdir()
        return Repository(root, {"README.md": "# Title\n"} if files is None else files)

    def register(self, url: str | Path) -> RepoId:
        """Whoever registers has half a minute by the database's clock, which a test cannot move; here it is by the test's."""
        known = self.repos.register(parse_repository_url(str(url))).id
        soon = self.clock.now() + timedelta(seconds=30)
        self.rows("UPDATE watch_schedules SET check_at = %s WHERE repo_id = %s AND looked_at IS NULL", soon, known)
        return known

    def watched(self, name: str = "project") -> tuple[Repository, RepoId]:
        """A repository whose first scan is over."""
        git = self.git(name)
        repo = self.register(git.root)
        self.scan_all(self.ask(repo))
        return git, repo

    # Scans

    def ask(self, repo: RepoId, trigger: Trigger = Trigger.MANUAL) -> RunId:
        return self.triggers.enqueue_full_scan(repo, trigger=trigger).result(0)

    def scan_all(self, *runs: RunId) -> None:
        """Ends these runs as a scan of what is there now would."""
        for run in runs:
            repo, url, commit = self.rows(
                "SELECT p.id, p.url, r.commit_sha FROM scan_runs r JOIN repos p ON p.id = r.repo_id WHERE r.id = %s",
                run,
            )[0]
            head = self.heads.look(repo, url, "")
            facts = ScanFacts(head.branch, commit or head.sha)
            results = Results(Report(Summary()), (), facts, Counts(), knowledge=True)
            lease = self._start(run)
            done = self.scans.store_results(run, lease, lambda r, s: Next(Status.COMPLETED, 1, 0), results, 1)
            assert done is not None
            self.events.publish(ScanMoved(run, repo, 1, "end", "completed"))

    def fail(self, run: RunId, code: str = "DOCALIGN_E106") -> None:
        lease = self._start(run)
        failed = Next(Status.FAILED, 3, 0, code=code, error="it could not be fetched")
        assert self.scans.settle(run, lease, lambda r, s: failed) is not None
        repo = self.rows("SELECT repo_id FROM scan_runs WHERE id = %s", run)[0][0]
        self.events.publish(ScanMoved(run, repo, 1, "end", "failed"))

    def _start(self, run: RunId) -> UUID:
        lease = new_id()
        assert self.scans.start(run, 1, lease) is not None
        return lease

    # What came of it

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.transaction() as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def runs(self, repo: RepoId) -> list[tuple[Any, ...]]:
        """Type, trigger, before, after, kind and status of the runs that the schedule asked for."""
        return self.rows(
            "SELECT type, trigger, base_ref, commit_sha, requested_by, status, id FROM scan_runs"
            " WHERE repo_id = %s AND requested_by LIKE 'schedule%%' ORDER BY position", repo
        )  # fmt: skip

    def whys(self, repo: RepoId) -> list[str]:
        return [run[4].removeprefix("schedule (").removesuffix(")") for run in self.runs(repo)]

    def circuit(self, repo: RepoId) -> tuple[str, int]:
        view = self.store.circuit(repo)
        return view.state, view.failures

    def looks(self, repo: RepoId) -> list[str]:
        with self._changed:
            return [e.outcome for e in self.heard if isinstance(e, HeadLooked) and e.repo_id == repo]

    def moves(self, repo: RepoId) -> list[tuple[str, str]]:
        with self._changed:
            return [(e.before, e.after) for e in self.heard if isinstance(e, CircuitMoved) and e.repo_id == repo]

    def asked(self) -> list[ScanAsked]:
        with self._changed:
            return [e for e in self.heard if isinstance(e, ScanAsked)]

    def until(self, look: Callable[[], object]) -> None:
        """Looks again whenever something happens."""
        with self._changed:
            assert told(self._changed, look, PATIENCE), self.heard[-20:]

    # Time

    def round(self, repo: RepoId, seconds: float = 301.0) -> None:
        """Time passes; waits until the repository was due, and is due again later."""
        self.clock.advance(seconds)
        self.settled(repo)

    def settled(self, repo: RepoId) -> None:
        """Until nothing is due of it, and the watcher has said what came of it: it answers after everything that it was told."""
        self.until(lambda: not self._is_due(repo))
        self.system.ask(NAME, LookAround(), PATIENCE)

    def _is_due(self, repo: RepoId) -> bool:
        rows = self.rows("SELECT 1 FROM watch_schedules WHERE repo_id = %s AND due_at <= %s", repo, self.clock.now())
        return bool(rows)

    def look_around(self) -> None:
        self.system.tell(NAME, LookAround())

    def stop(self) -> None:
        self.system.stop(5.0)


class GatedHeads:
    """Looks that stop at a gate until the test opens it."""

    def __init__(self, head: Head | None = None) -> None:
        self.gate = threading.Event()
        self.head = head or Head("main", "a" * 40)
        self.looks: list[str] = []
        self.error: DocAlignError | None = None
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def look(self, repo: RepoId, url: str, scanned: str, others: Collection[str] = ()) -> Head:
        with self._lock:
            self.looks.append(url)
            self._now += 1
            self.most = max(self.most, self._now)
        assert self.gate.wait(PATIENCE)
        with self._lock:
            self._now -= 1
        if self.error is not None:
            raise self.error
        return self.head

    def close(self) -> None:
        self.gate.set()
