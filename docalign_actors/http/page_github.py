"""Where the page of the GitHub App gets its view, and what its buttons do."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.dashboard.pages.github import GitHub, InstallationLine
from docalign_actors.errors import StateConflictError
from docalign_actors.http.api_learning import resume
from docalign_actors.http.context import Context
from docalign_actors.http.services import Webhooks
from docalign_actors.persistence.github_views import GitHubViews

_LISTED = 100
_DELIVERIES = 30
_FIXES = 20
_LAST = 2**63 - 1


class GitHubPage:
    """Reads with one piece of work in one thread of the desk."""

    def __init__(self, context: Context, webhooks: Webhooks) -> None:
        self._context = context
        self._webhooks = webhooks
        self._views = GitHubViews(context.services.database)

    async def github(self) -> GitHub:
        return await self._context.desk.run(self._read)

    def _read(self) -> GitHub:
        now = self._context.services.clock.now()
        found = self._views.installations(_LISTED)
        return GitHub(
            installations=[InstallationLine(one, self._webhooks.rate(one.id)) for one in found],
            checks=self._views.failing_checks(now, _LISTED),
            deliveries=self._context.services.views.webhook_trouble(_DELIVERIES, _LAST).items,
            pauses=self._views.pauses(_LISTED),
            fixes=self._views.fixes(_FIXES),
            ignored=self._webhooks.ignored(),
        )

    async def try_again(self, repo: UUID, number: int, sha: str) -> None:
        if not await self._context.desk.run(self._views.try_again, repo, number, sha):
            raise StateConflictError("Nothing is to be told of this head any more.")
        self._webhooks.wake()

    async def carry_out_again(self, position: int) -> None:
        if not await self._context.desk.run(self._views.carry_out_again, position):
            raise StateConflictError("This webhook has not failed, or not any more.")
        self._webhooks.wake()

    async def resume(self, repo: UUID, number: int, user: str) -> None:
        await self._context.desk.run(resume, self._context.services, repo, number, user)
