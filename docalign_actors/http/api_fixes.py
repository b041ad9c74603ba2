"""Fixes on GitHub: asked for and shown. They are made by the one who writes for the repository's installation."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.errors import StateConflictError, UnknownRepositoryError
from docalign_actors.http import cursors
from docalign_actors.http.api_scans import delivery_of
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import FixAccepted, FixPage, NewFix, PageQuery
from docalign_actors.ids import new_id
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.model import RepoId

_LAST = 2**63 - 1


async def ask(call: Call) -> Answer:
    services, body = call.context.services, call.body
    repo = await _repo(call)
    named = delivery_of(call)
    source = f"api/{repo}/{named[1] if named is not None else new_id()}"
    asked = None
    if services.fixes is not None:
        wish = (repo, body.pull, tuple(body.findings), call.user, source)
        asked = await call.context.desk.run(services.fixes.ask, *wish)
    if asked is None:
        raise StateConflictError(
            "This repository is not one of the GitHub App's.",
            hint="Install the App on it; `docalign fix` mends a clone.",
        )
    return Answer(FixAccepted(asked.id), 202 if asked.new else 200, {"Location": f"/api/repos/{repo}/fixes"})


async def show(call: Call) -> Answer:
    query: PageQuery = call.query
    repo = await _repo(call)
    before = cursors.decode("fixes", query.cursor, tuple[cursors.Number])[0] if query.cursor is not None else _LAST
    services = call.context.services
    if services.fixes is None:
        return Answer(FixPage([], None))
    found = await call.context.desk.run(services.fixes.store.fixes_of, repo, query.limit + 1, before)
    items = found[: query.limit]
    more = cursors.encode("fixes", (items[-1].position,)) if len(found) > query.limit else None
    return Answer(FixPage(items, more))


async def _repo(call: Call) -> RepoId:
    repo: UUID = call.id(UnknownRepositoryError)
    if await call.context.desk.run(call.context.services.views.repo, repo) is None:
        raise UnknownRepositoryError
    return RepoId(repo)


OPERATIONS = (
    Operation(
        method="POST", path="/api/repos/{id}/fix", name="askForFix", handler=ask, role=Role.OPERATOR, takes=NewFix,
        summary="Commit the fixes that are certain: to a pull request's branch, or in a pull request of the App's own.",
        gives=(
            Gives(202, "It is written down and will be carried through.", FixAccepted),
            Gives(200, "It was asked for with this X-Delivery-Id before.", FixAccepted),
        ),
        errors=(UnknownRepositoryError, StateConflictError),
    ),
    Operation(
        method="GET", path="/api/repos/{id}/fixes", name="listFixes", handler=show, query=PageQuery,
        summary="The fixes that were asked for in a repository, newest first, and what became of them.",
        gives=(Gives(200, "A page of them.", FixPage),), errors=(UnknownRepositoryError,),
    ),
)  # fmt: skip
