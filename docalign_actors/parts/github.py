"""The GitHub App's part of the composition root: credentials → client → inbox, dispatcher and those who tell GitHub.

github-inbox          webhooks into the database, many in one commit
github-dispatch       what they lead to, in order
github/<installation> what GitHub is told, one request at a time
github-herald         wakes those who have something to tell
github-commands       what people ask for in comments
github-reconciler     finds what no webhook told us
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from uuid import UUID

from loguru import logger

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
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
from docalign_actors.github.herald_actor import NAME as HERALD
from docalign_actors.github.herald_actor import Look
from docalign_actors.github.installation_actor import TellingParts
from docalign_actors.github.messages import DISPATCH, Dispatch
from docalign_actors.github.pacing import WriteLimits
from docalign_actors.github.pull_scans import PullScans
from docalign_actors.github.reconciler_actor import ReconcilerParts
from docalign_actors.github.tally import Tally
from docalign_actors.hosts.diffs import MirrorDiffs
from docalign_actors.hosts.github.client import GitHubClient
from docalign_actors.hosts.github.credentials import AppCredentials, credentials_of
from docalign_actors.hosts.github.installation import InstallationHost
from docalign_actors.hosts.github.workbench import InstallationWorkbench
from docalign_actors.http.api_repos import remove_from
from docalign_actors.http.services import FixServices, Webhooks
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.dispatches import PostgresDispatches
from docalign_actors.persistence.github import PostgresInbox
from docalign_actors.persistence.github_commands import PostgresCommandBook
from docalign_actors.persistence.github_fixes import PostgresFixes
from docalign_actors.persistence.github_outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.scans.assembly import waits_no_longer
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.model import GitHubSettings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream


class GitHubAccess:
    """Who the App is. It is there before any actor: a scan that was queued at the last stop needs its token at once."""

    def __init__(self, credentials: AppCredentials, settings: GitHubSettings, database: Database, clock: Clock) -> None:
        self.app_id = credentials.app_id
        self.client = GitHubClient(credentials, clock, timeout=settings.timeout)
        self._outbox = PostgresOutbox(database)

    def token_for(self, repo: RepoId) -> str:
        """What git needs to read a repository; "" for one that is not GitHub's. Asks GitHub at most once an hour."""
        installation = self._outbox.installation_of(repo)
        return self.client.token(installation).reveal() if installation is not None else ""


def open_access(settings: GitHubSettings, database: Database, clock: Clock) -> GitHubAccess | None:
    """None where the settings name no App."""
    credentials = credentials_of(settings)
    return GitHubAccess(credentials, settings, database, clock) if credentials is not None else None


class GitHubApp:
    """Everything of the App that runs in this process."""

    def __init__(
        self, access: GitHubAccess, settings: GitHubSettings, public_url: str, database: Database, system: ActorSystem,
        triggers: TriggerService, clock: Clock, events: EventStream, mirrors: Path, event_type: str = "docalign-scan",
        forget: Callable[[UUID, bool], None] = lambda repo, running: None,
    ) -> None:  # fmt: skip
        self._system = system
        self._triggers = triggers
        self._client = access.client
        self._outbox = PostgresOutbox(
            database, public_url, comment_when_clean=settings.comment_when_clean, web_url=settings.web_url
        )
        inbox = PostgresInbox(database, settings.web_url)
        book = PostgresCommandBook(database)
        self._scans = PullScans(triggers, inbox, book)
        dispatches = Dispatches(PostgresDispatches(database), event_type, partial(waits_no_longer, system))
        telling = TellingParts(
            self._outbox, self._host, clock, events, self._rescan, MirrorDiffs(mirrors), PostgresFixes(database), self._bench,
            writes=WriteLimits(settings.write_interval, settings.writes_per_minute, settings.writes_per_hour),
            errands=(Answers(book, command_waker(system)), dispatches),
        )  # fmt: skip
        assemble_telling(system, telling)
        self.fixes = FixServices(PostgresFixes(database), self._told)
        commands = CommandParts(
            book, triggers, self._scans, clock, events, self.fixes, rule_summary, public_url.rstrip("/")
        )
        assemble_commands(system, commands)
        repos = RepoStore(database, forget, clock)
        dispatch = DispatchParts(
            inbox, triggers, clock, lambda repo: remove_from(repos, events, system, repo), self._told, self._scans, book,
            self._own_login,
        )  # fmt: skip
        keep = assemble_inbox(system, dispatch)
        reconciling = ReconcilerParts(
            inbox,
            self._client,
            self._rescan,
            self._rescan_push,
            self._outbox.pause,
            access.app_id,
            settings.reconcile_every,
        )
        assemble_reconciler(system, reconciling)
        secrets = (settings.webhook_secret, settings.previous_webhook_secret)
        tally = Tally(events)
        self.webhooks = Webhooks(
            access.app_id, secrets, keep, settings.body_limit, self._client.rate, tally.ignored, self._wake
        )

    def _host(self, installation: int) -> InstallationHost:
        return InstallationHost(self._client.talk(installation))

    def _bench(self, installation: int) -> InstallationWorkbench:
        return InstallationWorkbench(self._client.talk(installation))

    def _own_login(self) -> str:
        return f"{self._client.slug()}[bot]"

    def _rescan(self, repo: RepoId, number: int, base: str, head: str) -> None:
        """If it is refused, the next look at the pull request asks again."""
        try:
            self._scans.ask(repo, number, base, head)
        except (DocAlignError, TimeoutError) as error:
            logger.warning("a head that no webhook told of is not scanned: {}", error)

    def _rescan_push(self, repo: RepoId, before: str, after: str) -> None:
        self._triggers.enqueue_push_scan(repo, before, after)

    def _wake(self) -> None:
        self._told()
        command_waker(self._system)()
        if not self._system.stopping:
            self._system.tell(DISPATCH, Dispatch())

    def _told(self) -> None:
        if not self._system.stopping:
            self._system.tell(HERALD, Look())


def rule_summary(rule: str) -> str:
    """What a rule is about. The rules come with the engine, which takes a moment to import: only who asks waits for it."""
    from docalign_actors.engine.kinds.registry import rules

    return next((known.summary for known in rules() if known.id == rule), "")
