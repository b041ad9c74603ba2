"""The GitHub App's part of the composition root: credentials → client → inbox, dispatcher and those who tell GitHub.

github-inbox          webhooks into the database, many in one commit
github-dispatch       what they lead to, in order
github/<installation> what GitHub is told, one request at a time
github-herald         wakes those who have something to tell
github-reconciler     finds what no webhook told us
"""

from __future__ import annotations

from pathlib import Path

from loguru import logger

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError
from docalign_actors.github.assembly import assemble_inbox, assemble_reconciler, assemble_telling
from docalign_actors.github.dispatch_actor import DispatchParts
from docalign_actors.github.herald_actor import NAME as HERALD
from docalign_actors.github.herald_actor import Look
from docalign_actors.github.installation_actor import TellingParts
from docalign_actors.github.reconciler_actor import ReconcilerParts
from docalign_actors.hosts.diffs import MirrorDiffs
from docalign_actors.hosts.github.client import GitHubClient
from docalign_actors.hosts.github.credentials import AppCredentials
from docalign_actors.hosts.github.installation import InstallationHost
from docalign_actors.hosts.github.workbench import InstallationWorkbench
from docalign_actors.http.api_repos import remove_from
from docalign_actors.http.services import FixServices, Webhooks
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.github import PostgresInbox
from docalign_actors.persistence.github_fixes import PostgresFixes
from docalign_actors.persistence.github_outbox import PostgresOutbox
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings.model import GitHubSettings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream


class GitHubApp:
    """Everything of the App that runs in this process."""

    def __init__(
        self, credentials: AppCredentials, settings: GitHubSettings, public_url: str, database: Database, system: ActorSystem,
        triggers: TriggerService, clock: Clock, events: EventStream, mirrors: Path,
    ) -> None:  # fmt: skip
        self._system = system
        self._triggers = triggers
        self._client = GitHubClient(credentials, clock, timeout=settings.timeout)
        self._outbox = PostgresOutbox(database, public_url, comment_when_clean=settings.comment_when_clean)
        telling = TellingParts(
            self._outbox, self._host, clock, events, self._rescan, MirrorDiffs(mirrors), PostgresFixes(database), self._bench,
            write_interval=settings.write_interval,
        )  # fmt: skip
        assemble_telling(system, telling)
        self.fixes = FixServices(PostgresFixes(database), self._told)
        repos = RepoStore(database)
        inbox = PostgresInbox(database, settings.web_url)
        dispatch = DispatchParts(
            inbox, triggers, clock, lambda repo: remove_from(repos, events, system, repo), self._told
        )
        keep = assemble_inbox(system, dispatch)
        reconciling = ReconcilerParts(
            inbox, self._client, self._outbox, self._rescan, self._rescan_push, settings.reconcile_every
        )
        assemble_reconciler(system, reconciling)
        secrets = (settings.webhook_secret, settings.previous_webhook_secret)
        self.webhooks = Webhooks(credentials.app_id, secrets, keep, settings.body_limit)

    def token_for(self, repo: RepoId) -> str:
        """What git needs to read a repository; "" for one that is not GitHub's. Asks GitHub at most once an hour."""
        installation = self._outbox.installation_of(repo)
        return self._client.token(installation).reveal() if installation is not None else ""

    def _host(self, installation: int) -> InstallationHost:
        return InstallationHost(self._client.talk(installation))

    def _bench(self, installation: int) -> InstallationWorkbench:
        return InstallationWorkbench(self._client.talk(installation))

    def _rescan(self, repo: RepoId, number: int, base: str, head: str) -> None:
        """Nobody waits for the answer: if it is refused, the next look at the pull request asks again."""
        try:
            self._triggers.enqueue_pr_scan(repo, number, base, head)
        except DocAlignError as error:
            logger.warning("a head that no webhook told of is not scanned: {}", error)

    def _rescan_push(self, repo: RepoId, before: str, after: str) -> None:
        self._triggers.enqueue_push_scan(repo, before, after)

    def _told(self) -> None:
        if not self._system.stopping:
            self._system.tell(HERALD, Look())
