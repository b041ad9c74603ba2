"""Repositories: registered, shown, removed; their health and their claims."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from docalign_actors.errors import BadRepositoryUrlError, DocAlignError, UnknownRepositoryError
from docalign_actors.http import cursors
from docalign_actors.http.errors import BadRequestError
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import ClaimPage, ClaimQuery, NewRepo, PageQuery, RepoPage
from docalign_actors.http.services import Actors, Services
from docalign_actors.persistence.repos import Registered, RepoStore
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.addresses import check_repository, parse_repository_url
from docalign_actors.scans.events import RepoChanged, ScanMoved
from docalign_actors.scans.messages import CancelRun
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.views import HealthView, RepoView
from docalign_actors.telemetry.stream import EventStream


async def register(call: Call) -> Answer:
    services = call.context.services
    registered = await call.context.desk.run(register_repository, services, call.body.url)
    view = await _repo(call, registered.id)
    return Answer(view, 201 if registered.created else 200, {"Location": f"/api/repos/{view.id}"})


def register_repository(services: Services, url: str) -> Registered:
    """Checks an address and registers it; the pages do the same."""
    address = parse_repository_url(url)
    check_repository(address)
    registered = services.repos.register(address)
    if registered.created:
        services.events.publish(RepoChanged(registered.id))
    return registered


async def show_all(call: Call) -> Answer:
    query: PageQuery = call.query
    after = cursors.decode("repos", query.cursor, tuple[datetime, UUID]) if query.cursor is not None else None
    if after is not None and after[0].tzinfo is None:
        raise BadRequestError("This is no cursor of this list.")
    page = await call.context.desk.run(call.context.services.views.repos, query.limit, after)
    return Answer(RepoPage(page.items, cursors.encode("repos", page.after) if page.after else None))


async def show(call: Call) -> Answer:
    return Answer(await _repo(call, call.id(UnknownRepositoryError)))


async def remove(call: Call) -> Answer:
    await call.context.desk.run(
        remove_repository, call.context.services, RepoId(call.id(UnknownRepositoryError)), call.trace
    )
    return Answer(None, 204)


def remove_repository(services: Services, repo: RepoId, trace: str) -> None:
    """Removes a repository; what waits has ended when this returns, what runs has been told to stop."""
    remove_from(services.repos, services.events, services.system, repo, trace)


def remove_from(repos: RepoStore, events: EventStream, system: Actors, repo: RepoId, trace: str = "") -> None:
    """The same for those who have no services."""
    removed = repos.remove(repo)
    if removed is None:
        raise UnknownRepositoryError
    for run in removed.cancelled:
        events.publish(ScanMoved(run.id, repo, 0, "end", "cancelled", type=run.type))
    events.publish(RepoChanged(repo))
    for run in removed.stopping:
        try:
            system.tell(f"repo/{repo}", CancelRun(run.id), trace=trace)
        except DocAlignError:
            break  # it is written down: whoever takes the run up next sees it


async def health(call: Call) -> Answer:
    repo = await _repo(call, call.id(UnknownRepositoryError))
    return Answer(await call.context.desk.run(call.context.services.views.health, repo.id))


async def claims(call: Call) -> Answer:
    query: ClaimQuery = call.query
    repo = await _repo(call, call.id(UnknownRepositoryError))
    after = cursors.decode("claims", query.cursor, cursors.Place) if query.cursor is not None else None
    views = call.context.services.views
    page = await call.context.desk.run(views.claims, repo.id, query.limit, after, verdict=query.verdict)
    return Answer(ClaimPage(page.items, cursors.encode("claims", page.after) if page.after else None))


async def _repo(call: Call, repo: UUID) -> RepoView:
    found = await call.context.desk.run(call.context.services.views.repo, repo)
    if found is None:
        raise UnknownRepositoryError
    return found


_ONE = "/api/repos/{id}"

OPERATIONS = (
    Operation(
        method="POST", path="/api/repos", name="registerRepository", handler=register, role=Role.OPERATOR,
        summary="Register a repository: an absolute path on the service's machine, or an address that git can fetch from.",
        takes=NewRepo, errors=(BadRepositoryUrlError,),
        gives=(
            Gives(201, "It is registered now; `Location` is its address.", RepoView),
            Gives(200, "It was registered already.", RepoView),
        ),
    ),
    Operation(
        method="GET", path="/api/repos", name="listRepositories", handler=show_all, query=PageQuery,
        summary="The registered repositories, newest first.", gives=(Gives(200, "A page of them.", RepoPage),),
    ),
    Operation(
        method="GET", path=_ONE, name="getRepository", handler=show, errors=(UnknownRepositoryError,),
        summary="One repository.", gives=(Gives(200, "The repository.", RepoView),),
    ),
    Operation(
        method="DELETE", path=_ONE, name="removeRepository", handler=remove, role=Role.OPERATOR,
        summary="Remove a repository. What waits is cancelled at once; a scan under way is told to stop.",
        gives=(Gives(204, "It is removed."),), errors=(UnknownRepositoryError,),
    ),
    Operation(
        method="GET", path=_ONE + "/health", name="getHealth", handler=health, errors=(UnknownRepositoryError,),
        summary="How much of what the documentation says is true: the score, its trend, and how it came to be.",
        gives=(Gives(200, "The health, newest point first.", HealthView),),
    ),
    Operation(
        method="GET", path=_ONE + "/claims", name="listClaims", handler=claims, query=ClaimQuery,
        summary="What is known of the claims of the default branch, in the order of the documents.",
        gives=(Gives(200, "A page of them.", ClaimPage),), errors=(UnknownRepositoryError,),
    ),
)  # fmt: skip
