"""Everything between a scan's results and an application's receiver: a real database, real git, real sockets."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from docalign_actors.applications.admission import checked_subscription
from docalign_actors.applications.assembly import assemble
from docalign_actors.applications.chronicle_actor import ChronicleParts
from docalign_actors.applications.keys import master_key
from docalign_actors.applications.manner import EventManner, Numbers
from docalign_actors.applications.messages import CHRONICLES, Look
from docalign_actors.applications.model import LETTER, AppId, SubscriptionId
from docalign_actors.applications.parts import Limits
from docalign_actors.clock import SystemClock
from docalign_actors.findings.model import Finding, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.hosts.trees_of_mirrors import MirrorTrees
from docalign_actors.ids import new_id
from docalign_actors.outbound.actor import assemble as assemble_outbound
from docalign_actors.outbound.messages import Post
from docalign_actors.outbound.sending import HttpSender
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.chronicle import PostgresChronicle, keep_outcomes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.merging import merge
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import RepoId, Request, RunId, ScanType, Trigger
from docalign_actors.scans.outcomes import Ending, Rules, after
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream
from tests.support.clock import ManualClock
from tests.support.outbox import pass_time
from tests.support.repository import Repository
from tests.support.waiting import until

Event = dict[str, Any]
PATIENCE = 20.0
"""Seconds that a receiver has on the machine's own clock: more than any of them takes, however busy the machine is."""


class World:
    """The service without its scans' processes: a test says what a scan found. Time passes when nothing else can happen."""

    def __init__(
        self, database: Database, folder: Path, attempts: int = 5, inline: int = 65_536, chunked: int = 2**20,
        patience: float = PATIENCE,
    ) -> None:  # fmt: skip
        self.database = database
        self.folder = folder
        self.patience = patience
        self.clock = ManualClock(datetime.now(UTC))
        self.events = EventStream(clock=self.clock)
        self.scans = PostgresScanStore(database)
        self.store = ApplicationStore(database, self.clock)
        self.log = DeliveryLog(database, self.clock)
        self.trees = MirrorTrees(folder / "mirrors")
        self.key = master_key(folder)
        self.limits = Limits(inline, chunked)
        numbers = Numbers(attempts, self.limits, "https://docs.example.org")
        self.manner = EventManner(self.trees, self.store, self.key, numbers)
        self.asked_for: list[RepoId] = []
        self.clock.on_advance(self.post)
        self.system = self.start()

    def start(self) -> ActorSystem:
        # Handlers are timed by the machine's clock: one that is under way when a test moves the other is not late.
        self.system = ActorSystem(self.events, clock=SystemClock(), escalate=lambda name, why: None)
        outbox = PostgresOutbox(self.database, {LETTER: keep_outcomes})
        manners = {LETTER: self.manner}
        sender = HttpSender("", allow_private=True, seconds=self.patience, manners=manners)
        assemble_outbound(self.system, outbox, sender, self.clock, manners=manners, events=self.events)
        parts = ChronicleParts(
            PostgresChronicle(self.database),
            self.trees,
            self.clock,
            self.events,
            self.limits,
            new_id,
            self.asked_for.append,
        )
        assemble(self.system, parts)
        return self.system

    def stop(self) -> None:
        self.system.stop(5.0)

    # Repositories and scans

    def register(self, repository: Repository) -> RepoId:
        repo = RepoId(new_id())
        self.rows("INSERT INTO repos (id, url, name) VALUES (%s, %s, %s)", repo, str(repository.root), "project")
        return repo

    def begin(self, repo: RepoId, kind: ScanType = ScanType.FULL) -> tuple[RunId, UUID]:
        """A running scan and its lease."""
        pull = 7 if kind is ScanType.PR else None
        trigger = {ScanType.FULL: Trigger.MANUAL, ScanType.PR: Trigger.PR, ScanType.PUSH: Trigger.PUSH}[kind]
        run, lease = RunId(new_id()), new_id()
        request = Request(repo, kind, trigger, pull, commit_sha=str(run))
        self.scans.enqueue([request], [run], self.clock.now().date(), lambda demands: [None] * len(demands))
        assert self.scans.start(run, 1, lease) is not None
        return run, lease

    def scan(
        self, repo: RepoId, repository: Repository, *, drifted: Sequence[str] = (), verified: Sequence[str] = (),
        kind: ScanType = ScanType.FULL, branch: str = "main", tell: bool = True,
    ) -> RunId:  # fmt: skip
        """A scan of the branch as it is now, with these claims found to be false, and these true."""
        mirror = Mirror(self.folder / "mirrors" / f"{repo}.git")
        mirror.fetch(str(repository.root), timeout=30)
        found = [_finding(text, Verdict.DRIFTED) for text in drifted] + [
            _finding(text, Verdict.VERIFIED) for text in verified
        ]
        summary = Summary(claims=len(found), verified=len(verified), drifted=len(drifted))
        head = self.trees.tip(repo, branch)
        results = merge(
            Report(summary, found, commit=head), ScanFacts(branch, head), (), knowledge=kind is not ScanType.PR
        )
        run, lease = self.begin(repo, kind)
        self.scans.store_results(run, lease, self._decide(Ending("completed")), results, 1)
        if tell:
            self.events.publish(ScanMoved(run, repo, 1, "end", "completed", type=kind.value))
        return run

    def fail(self, repo: RepoId, kind: ScanType = ScanType.FULL, error: str = "no such host") -> RunId:
        run, lease = self.begin(repo, kind)
        self.scans.settle(run, lease, self._decide(Ending("failed", "DOCALIGN_E106", error, permanent=True)))
        self.events.publish(ScanMoved(run, repo, 1, "end", "failed", type=kind.value))
        return run

    def _decide(self, ending: Ending) -> Any:
        return lambda run, successor: after(run, ending, Rules(), self.clock.now(), 0.0, successor)

    # Applications

    def app(self, url: str, name: str = "reader") -> AppId:
        return self.store.add(name, url)[0]

    def subscribe(
        self, app: AppId, repo: RepoId, paths: Sequence[str] = (), events: Sequence[str] = (), branch: str = ""
    ) -> SubscriptionId:
        made = self.store.subscribe(app, repo, checked_subscription(branch, paths, events))
        self.look(repo)
        return made

    def look(self, repo: RepoId) -> None:
        self.system.tell(f"{CHRONICLES}/{repo}", Look())

    def post(self) -> None:
        self.system.tell("outbound", Post())

    # What is written down

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.transaction() as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def subscription(self, subscription: SubscriptionId) -> tuple[Any, ...]:
        return self.rows("SELECT status, phase, failure, answer FROM app_subscriptions WHERE id = %s", subscription)[0]

    def has(self, subscription: SubscriptionId) -> dict[str, str]:
        """The files that an application has received, by their blobs."""
        statement = "SELECT name, received FROM app_holdings WHERE subscription_id = %s AND sort = 'file' AND received IS NOT NULL"
        return {name: version.split()[1] for name, version in self.rows(statement, subscription)}

    def quiet(self, repo: RepoId) -> None:
        """Until everything that happened has been told, or cannot be."""

        def settled() -> bool:
            notes = self.rows("SELECT 1 FROM journal_notes WHERE repo_id = %s", repo)
            behind = self.rows(
                "SELECT 1 FROM app_subscriptions s JOIN journal_branches b USING (repo_id, branch) LEFT JOIN outbox_lanes l USING (lane)"
                " WHERE s.repo_id = %s AND s.status = 'active' AND (s.phase <> 'following' OR s.position < b.position OR l.waiting > 0)",
                repo,
            )
            return not notes and not behind

        self.until(settled)

    def until(self, happened: Callable[[], object]) -> None:
        """Lets time pass, from one attempt to the next, until this has happened."""

        def look() -> object:
            return happened() or pass_time(self.database, self.clock)

        until(look)


def _finding(text: str, verdict: Verdict) -> Finding:
    return Finding(
        f"f-{text}", "missing-path", "path", verdict, Severity.HIGH, 1.0, text, f"There is no `{text}`.",
        (Mention("README.md", 3, 1, text, text),), claim_id=f"c-{text}",
    )  # fmt: skip


def told(bodies: Sequence[bytes]) -> list[Event]:
    return [json.loads(body) for body in bodies]


def spoken(event: Event) -> str:
    """An event in few words."""
    kind = event["event"]
    if "file" in event:
        file = event["file"]
        old = f"{file['previous_path']} → " if file["previous_path"] else ""
        return f"{kind} {old}{file['path']}"
    if "claim" in event:
        return f"{kind} {event['claim']['text'] if 'text' in event['claim'] else event['claim']['id']}"
    return str(kind)


Answer = Callable[[int, Event], int]


def in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
