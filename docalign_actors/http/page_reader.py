"""Where the pages' views come from, and what their buttons do: the same services that the API uses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from docalign_actors import errors as known_errors
from docalign_actors.dashboard.views import (
    ActorDetail,
    Incidents,
    Overview,
    RepoDetail,
    RepoLine,
    Repos,
    ScanDetail,
    Scans,
    Tree,
)  # fmt: skip
from docalign_actors.errors import DocAlignError, UnknownRepositoryError, UnknownScanError
from docalign_actors.http import cursors
from docalign_actors.http.api_learning import suppress, unsuppress
from docalign_actors.http.api_repos import register_repository, remove_repository
from docalign_actors.http.api_scans import cancel_scan
from docalign_actors.http.api_system import reasons_against
from docalign_actors.http.api_watch import reset_circuit, set_schedule
from docalign_actors.http.context import Context
from docalign_actors.http.errors import BadBodyError, UnknownActorError, UnknownSuppressionError
from docalign_actors.http.schemas import NewSuppression
from docalign_actors.persistence.overview import OverviewViews
from docalign_actors.persistence.suppressions import SuppressionStore
from docalign_actors.scans.health import HealthPoint, trend
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.views import IncidentView, RepoView
from docalign_actors.supervision import ActorInfo
from docalign_actors.telemetry.trace import current_trace

LISTED, FEW, FINDINGS, INCIDENTS = 50, 10, 200, 200
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class PageReader:
    """Each page is read by one piece of work in one thread of the desk."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._views = context.services.views
        self._system = context.services.system
        self._more = OverviewViews(context.services.database)
        self._watch = context.services.watch
        self._learnt = SuppressionStore(context.services.database)

    async def overview(self) -> Overview:
        reasons = await reasons_against(self._context)
        return await self._context.desk.run(self._overview, reasons)

    def _overview(self, reasons: Sequence[str]) -> Overview:
        figures = self._more.figures()
        incidents = self._views.incidents(5).items
        return Overview(
            tree=self._tree(self._system.snapshot(), incidents),
            repos=self._lines(self._more.repos(FEW)),
            repos_total=figures.repos,
            drifted_total=figures.drifted,
            running=self._views.runs(LISTED, status="running").items,
            waiting=self._more.waiting(FEW),
            waiting_total=figures.waiting,
            incidents=incidents,
            reasons=reasons,
            troubled=self._watch.store.troubled(FEW) if self._watch is not None else (),
        )

    async def repos(self, after: str) -> Repos:
        place = cursors.decode("repos", after, tuple[datetime, UUID]) if after else None

        def read() -> Repos:
            found = self._views.repos(LISTED, place)
            return Repos(lines=self._lines(found.items), after=_cursor("repos", found.after))

        return await self._context.desk.run(read)

    async def repo(self, repo: UUID) -> RepoDetail:
        def read() -> RepoDetail:
            found = self._views.repo(repo)
            if found is None:
                raise UnknownRepositoryError
            drifted = self._more.drifted(repo, FINDINGS + 1)
            return RepoDetail(
                repo=found,
                health=self._views.health(repo),
                runs=self._views.runs(FEW * 2, repo=repo).items,
                drifted=drifted[:FINDINGS],
                more=len(drifted) > FINDINGS,
                schedule=self._watch.store.schedule(repo) if self._watch is not None else None,
                circuit=self._watch.store.circuit(repo) if self._watch is not None else None,
                suppressions=self._learnt.holding(repo, self._context.services.clock.now()),
                pauses=self._learnt.pauses(repo),
            )

        return await self._context.desk.run(read)

    async def scans(self, status: str, after: str) -> Scans:
        before = cursors.decode("scans", after, tuple[cursors.Number])[0] if after else None
        found = await self._context.desk.run(self._views.runs, LISTED, before, status=status or None)
        return Scans(runs=found.items, after=_cursor("scans", found.after))

    async def scan(self, run: UUID) -> ScanDetail:
        def read() -> ScanDetail:
            found = self._views.run(run)
            if found is None:
                raise UnknownScanError
            findings = self._views.findings(run, FINDINGS)
            hint = hint_of(found.last_error_code)
            if hint in found.last_error:  # a scan that failed has said it already
                hint = ""
            return ScanDetail(run=found, findings=findings.items, more=findings.after is not None, hint=hint)

        return await self._context.desk.run(read)

    async def tree(self) -> Tree:
        return await self._context.desk.run(lambda: self._tree(self._system.snapshot()))

    async def actor(self, name: str) -> ActorDetail:
        def read() -> ActorDetail:
            shown = self._system.snapshot()
            found = next((one for one in shown if one.name == name), None)
            if found is None:
                raise UnknownActorError
            own = [one for one in self._views.incidents(INCIDENTS).items if one.actor == name][:FEW]
            children = [one for one in shown if one.parent == name]
            tree = self._tree(children, own, [name])
            return ActorDetail(actor=found, tree=tree, stack=self._stack(name), incidents=own)

        return await self._context.desk.run(read)

    async def incidents(self, after: str) -> Incidents:
        before = cursors.decode("incidents", after, tuple[cursors.Number])[0] if after else None

        def read() -> Incidents:
            found = self._views.incidents(LISTED, before)
            names = self._more.names(_ids(incident.actor for incident in found.items))
            return Incidents(incidents=found.items, names=names, after=_cursor("incidents", found.after))

        return await self._context.desk.run(read)

    def _tree(
        self, actors: Sequence[ActorInfo], incidents: Sequence[IncidentView] = (), further: Sequence[str] = ()
    ) -> Tree:
        dead = self._system.dead_letters
        letters = list(dead.last)[::-1][:LISTED]
        named = [
            *(a.name for a in actors),
            *(i.actor for i in incidents),
            *(letter.name for letter in letters),
            *further,
        ]
        names = self._more.names(_ids(named))
        return Tree(
            actors=actors, families=self._system.families(), dead_letters=dead.count, letters=letters, names=names
        )

    def _lines(self, repos: Sequence[RepoView]) -> list[RepoLine]:
        scores = self._more.scores(repo.id for repo in repos)
        return [_line(repo, scores.get(repo.id, [])) for repo in repos]

    def _stack(self, name: str) -> str:
        try:
            return self._system.stack(name)
        except DocAlignError:  # it has gone meanwhile
            return ""


class PageDesk:
    """What the buttons do. Whoever presses one is named in what is written down."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def add_repo(self, url: str, user: str) -> UUID:
        """Registers it; one that is new is scanned at once."""
        registered = await self._context.desk.run(register_repository, self._context.services, url)
        if registered.created:
            await self.scan_now(registered.id, user)
        return registered.id

    async def remove_repo(self, repo: UUID) -> None:
        await self._context.desk.run(remove_repository, self._context.services, RepoId(repo), current_trace())

    async def scan_now(self, repo: UUID, user: str) -> UUID:
        services = self._context.services
        asked = services.triggers.enqueue_full_scan(RepoId(repo), trace=current_trace(), user=user)
        return await self._context.bridge.wait(asked, services.settings.answer_seconds)

    async def cancel(self, run: UUID, user: str) -> None:
        await self._context.desk.run(cancel_scan, self._context.services, RunId(run), user)

    async def set_schedule(self, repo: UUID, check: str, full: str) -> None:
        await self._context.desk.run(set_schedule, self._context.services, repo, check, full)

    async def reset_circuit(self, repo: UUID, user: str) -> None:
        await self._context.desk.run(reset_circuit, self._context.services, repo, user)

    async def suppress(self, repo: UUID, form: Mapping[str, str], user: str) -> None:
        given = {name: form.get(name, "").strip() for name in ("scope", "value", "reason", "days")}
        try:
            wanted = msgspec.convert({k: v for k, v in given.items() if v}, NewSuppression, strict=False)
        except msgspec.ValidationError:
            raise BadBodyError(
                "A suppression has a scope, what it is about, a reason and, if it is to end, 1 to 3,650 days."
            ) from None
        await self._context.desk.run(suppress, self._context.services, repo, user, wanted)

    async def unsuppress(self, repo: UUID, suppression: str, user: str) -> None:
        if not _ID.fullmatch(suppression):
            raise UnknownSuppressionError
        await self._context.desk.run(unsuppress, self._context.services, repo, UUID(suppression), user)


def hint_of(code: str) -> str:
    """What to do about an error that is only known by its code."""
    kinds = [kind for kind in vars(known_errors).values() if isinstance(kind, type) and issubclass(kind, DocAlignError)]
    return next((kind.hint for kind in kinds if kind.code == code), "") if code else ""


def _line(repo: RepoView, scores: Sequence[int | None]) -> RepoLine:
    points = [HealthPoint("", score, 0, 0, 0) for score in reversed(scores)]
    return RepoLine(repo=repo, scores=scores, trend=trend(points))


def _ids(names: Any) -> set[UUID]:
    """The ids of the repositories that actors are named by: repo/<id>, repo/<id>/scan/<id>."""
    parts = (name.split("/") for name in names)
    return {UUID(p[1]) for p in parts if len(p) > 1 and p[0] == "repo" and _ID.fullmatch(p[1])}


def _cursor(kind: str, after: tuple[Any, ...] | None) -> str:
    return cursors.encode(kind, after) if after else ""
