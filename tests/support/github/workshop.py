"""The service around a fake GitHub: its webhook over HTTP, its actors, a real database; scans that are stepped or real."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from docalign_actors.clock import SystemClock
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.serving import ServerThread
from docalign_actors.github.answers import Answers
from docalign_actors.github.assembly import (
    assemble_commands,
    assemble_inbox,
    assemble_reconciler,
    assemble_telling,
    command_waker,
)
from docalign_actors.github.command_actor import CommandParts
from docalign_actors.github.dispatch_actor import DispatchParts
from docalign_actors.github.dispatching import Dispatches
from docalign_actors.github.figures import count
from docalign_actors.github.herald_actor import NAME as HERALD
from docalign_actors.github.herald_actor import Look
from docalign_actors.github.installation_actor import TellingParts
from docalign_actors.github.pacing import WriteLimits
from docalign_actors.github.pull_scans import PullScans
from docalign_actors.github.reconciler_actor import ReconcilerParts
from docalign_actors.hosts.diffs import MirrorDiffs
from docalign_actors.hosts.github.client import GitHubClient
from docalign_actors.hosts.github.credentials import AppCredentials
from docalign_actors.hosts.github.installation import InstallationHost
from docalign_actors.hosts.github.workbench import InstallationWorkbench
from docalign_actors.http.api_repos import remove_from
from docalign_actors.http.server import make_app
from docalign_actors.http.services import FixServices, HttpSettings, Services, Webhooks
from docalign_actors.parts.github import rule_summary
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.dispatches import PostgresDispatches
from docalign_actors.persistence.github import PostgresInbox
from docalign_actors.persistence.github_commands import PostgresCommandBook
from docalign_actors.persistence.github_fixes import PostgresFixes
from docalign_actors.persistence.github_outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.scans.assembly import ScanNumbers, waits_no_longer
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.ports import Job, Processes, Started
from docalign_actors.settings.kinds import Secret
from docalign_actors.telemetry.metrics import Metrics
from tests.support.spine import Spine
from tests.support.waiting import until


class Fixes:
    """Takes wishes for fixes and remembers them."""

    def __init__(self) -> None:
        self.asked: list[tuple[RepoId, int | None, tuple[str, ...], str, str]] = []

    def ask_fix(self, repo: RepoId, pull: int | None, findings: tuple[str, ...], asked_by: str, source: str) -> bool:
        if source in (one[-1] for one in self.asked):
            return False
        self.asked.append((repo, pull, findings, asked_by, source))
        return True


class Workshop(Spine):
    """with Workshop(…) as shop: what GitHub tells it is carried out, and what it tells GitHub is there to be seen."""

    def __init__(
        self, database: Database, github: FakeGitHub, processes: Processes, numbers: ScanNumbers | None = None, mirrors: Path | None = None,
        second_look: float = 0.0, *, fixing: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(database, processes, numbers, mirrors)
        self.github = github
        self.inbox = PostgresInbox(database, github.address)
        self.tokens = TokenStore(database, SystemClock())
        self.services: Services
        self.book = PostgresCommandBook(database)
        self.scans = PullScans(self.triggers, self.inbox, self.book)
        self.fixes = Fixes()
        commands = CommandParts(
            self.book, self.triggers, self.scans, SystemClock(), self.events, self.fixes if fixing else None, rule_summary,
            "https://docs.example.org",
        )  # fmt: skip
        assemble_commands(self.system, commands)
        parts = DispatchParts(
            self.inbox,
            self.triggers,
            SystemClock(),
            lambda repo: remove_from(self.services.repos, self.events, self.system, repo),
            self.told,
            self.scans,
            self.book,
            lambda: github.app.bot["login"],
        )
        self.keep = assemble_inbox(self.system, parts)
        self.outbox = PostgresOutbox(database, "https://docs.example.org")
        self.client = GitHubClient(
            AppCredentials(github.app.id, Secret(github.app.private_key), github.base), SystemClock(), timeout=5
        )
        assemble_telling(
            self.system,
            TellingParts(
                self.outbox,
                lambda number: InstallationHost(self.client.talk(number)),
                SystemClock(),
                self.events,
                self.rescan,
                MirrorDiffs(self.mirrors),
                PostgresFixes(database),
                lambda number: InstallationWorkbench(self.client.talk(number)),
                writes=WriteLimits(0.0),
                errands=(
                    Answers(self.book, command_waker(self.system)),
                    Dispatches(PostgresDispatches(database), "docalign-scan", partial(waits_no_longer, self.system)),
                ),
                second_look=second_look,
            ),
        )
        metrics = Metrics(self.events)
        count(self.events, metrics.registry)
        secrets = (Secret(github.hooks.secret), Secret("the one before"))
        self.services = Services(
            triggers=self.triggers, system=self.system, database=database, tokens=self.tokens, repos=RepoStore(database),
            views=Views(database), events=self.events, metrics=metrics.render, clock=SystemClock(),
            settings=HttpSettings(), webhooks=Webhooks(github.app.id, secrets, self.keep, body_limit=200_000),
            fixes=FixServices(PostgresFixes(database), self.told),
        )  # fmt: skip
        self._server = ServerThread(make_app(self.services), with_lifespan=True)
        self.address = self._server.address

    def told(self) -> None:
        """A check may have to say that there is no scan."""
        self.system.tell(HERALD, Look())

    def job(self, started: Started) -> Job:
        """With the token of its installation, as the service does it."""
        job = super().job(started)
        installation = self.outbox.installation_of(started.run.repo_id)
        return msgspec.structs.replace(job, token=self.client.token(installation).reveal() if installation else "")

    def reconcile(self) -> None:
        """From now on, a round every now and then."""
        push = lambda repo, before, after: self.triggers.enqueue_push_scan(repo, before, after)  # noqa: E731
        assemble_reconciler(
            self.system,
            ReconcilerParts(
                self.inbox, self.client, self.rescan, push, self.outbox.pause, self.github.app.id, every=0.5
            ),
        )

    def rescan(self, repo: RepoId, number: int, base: str, head: str) -> None:
        self.scans.ask(repo, number, base, head)

    def __enter__(self) -> Workshop:
        self._server.start()
        self.github.hooks.url = f"{self.address}/webhooks/github"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self.stop()

    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens.create('viktor', Role.VIEWER)}"}

    def settle(self) -> None:
        """Until everything that GitHub has sent so far is carried out."""
        self.github.hooks.wait()
        until(lambda: not self.rows("SELECT FROM github_deliveries WHERE status = 'waiting'"))

    def settle_all(self) -> None:
        """Until nothing is open any more: no delivery, no scan, nothing to tell."""
        self.settle()
        open_work = (
            "SELECT FROM scan_runs WHERE status IN ('queued', 'running') UNION ALL SELECT FROM github_checks WHERE told < wanted"
            " UNION ALL SELECT FROM github_deliveries WHERE status = 'waiting'"
            " UNION ALL SELECT FROM github_commands WHERE state <> 'told' OR rescan"
            " UNION ALL SELECT FROM github_pulls WHERE rescan_by <> ''"
            " UNION ALL SELECT FROM github_fixes WHERE state IN ('asked', 'making')"
        )
        until(lambda: not self.rows(open_work), 60)

    def runs(self, *columns: str) -> list[tuple[Any, ...]]:
        return self.rows(f"SELECT {', '.join(columns)} FROM scan_runs ORDER BY position")
