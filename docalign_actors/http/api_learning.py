"""What people taught the service about a repository: suppressions, and what is paused. The pages use the same functions."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from uuid import UUID

import msgspec

from docalign_actors.errors import BadSuppressionError, ScanLimitError, UnknownRepositoryError
from docalign_actors.github.deciding import Suppress
from docalign_actors.http.errors import UnknownPauseError, UnknownSuppressionError
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import NewSuppression, Pauses, Suppressions
from docalign_actors.http.services import Services
from docalign_actors.persistence.suppressions import SuppressionStore
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.events import RepoChanged
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.suppressing import check_suppression
from docalign_actors.scans.views import SuppressionView

_ANSWER = 10.0
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


async def show(call: Call) -> Answer:
    repo, services = await _repo(call), call.context.services
    store = SuppressionStore(services.database)
    return Answer(Suppressions(await call.context.desk.run(store.holding, repo, services.clock.now())))


async def add(call: Call) -> Answer:
    repo = call.id(UnknownRepositoryError)
    made = await call.context.desk.run(suppress, call.context.services, repo, call.user, call.body)
    return Answer(made, 201, {"Location": f"/api/repos/{repo}/suppressions/{made.id}"})


def suppress(services: Services, repo: UUID, user: str, wanted: NewSuppression) -> SuppressionView:
    """It counts from the next scan on."""
    check_suppression(wanted.scope, wanted.value)
    expires = services.clock.now() + timedelta(days=wanted.days) if wanted.days is not None else None
    effect = Suppress(wanted.scope, wanted.value, wanted.reason, expires, "", "api")
    made = SuppressionStore(services.database).add(repo, user, effect)
    if made is None:
        raise UnknownRepositoryError
    _tell(services, repo)
    return made


async def remove(call: Call) -> Answer:
    repo = call.id(UnknownRepositoryError)
    await call.context.desk.run(unsuppress, call.context.services, repo, _suppression(call), call.user)
    return Answer(None, 204)


def unsuppress(services: Services, repo: UUID, suppression: UUID, user: str) -> None:
    if not SuppressionStore(services.database).remove(repo, suppression, user):
        raise UnknownSuppressionError
    _tell(services, repo)


def resume(services: Services, repo: UUID, number: int, user: str) -> None:
    """What was paused is checked again, beginning with the heads that are known; a repository with its default branch."""
    if not SuppressionStore(services.database).resume(repo, number, user):
        raise UnknownPauseError
    if not number:
        services.triggers.enqueue_full_scan(RepoId(repo), user=user).result(_ANSWER)
    _tell(services, repo)


def _tell(services: Services, repo: UUID) -> None:
    """It is written down: whoever is not told now finds it later."""
    services.events.publish(RepoChanged(RepoId(repo)))
    if services.webhooks is not None:
        services.webhooks.wake()


async def pauses(call: Call) -> Answer:
    repo = await _repo(call)
    return Answer(Pauses(await call.context.desk.run(SuppressionStore(call.context.services.database).pauses, repo)))


async def end_pause(call: Call) -> Answer:
    repo = call.id(UnknownRepositoryError)
    try:
        number = msgspec.convert(call.request.path_params["number"], _Number, strict=False)
    except msgspec.ValidationError:
        raise UnknownPauseError from None
    await call.context.desk.run(resume, call.context.services, repo, number, call.user)
    return Answer(None, 204)


async def _repo(call: Call) -> UUID:
    found = await call.context.desk.run(call.context.services.views.repo, call.id(UnknownRepositoryError))
    if found is None:
        raise UnknownRepositoryError
    return found.id


def _suppression(call: Call) -> UUID:
    try:
        return msgspec.convert(call.request.path_params["suppression"], UUID)
    except msgspec.ValidationError:
        raise UnknownSuppressionError from None


_ALL = "/api/repos/{id}/suppressions"
_PAUSES = "/api/repos/{id}/pauses"

OPERATIONS = (
    Operation(
        method="GET", path=_ALL, name="listSuppressions", handler=show, errors=(UnknownRepositoryError,),
        summary="What is not reported in a repository, newest first; 500 at the most.",
        gives=(Gives(200, "All of it.", Suppressions),),
    ),
    Operation(
        method="POST", path=_ALL, name="addSuppression", handler=add, role=Role.OPERATOR, takes=NewSuppression,
        summary="Report a claim, a file or a kind no more, from the next scan on.",
        errors=(UnknownRepositoryError, BadSuppressionError),
        gives=(Gives(201, "It holds; what was suppressed already has the new reason and end.", SuppressionView),),
    ),
    Operation(
        method="DELETE", path=_ALL + "/{suppression}", name="removeSuppression", handler=remove, role=Role.OPERATOR,
        summary="Report it again, from the next scan on.", gives=(Gives(204, "It is taken back."),),
        errors=(UnknownRepositoryError, UnknownSuppressionError),
    ),
    Operation(
        method="GET", path=_PAUSES, name="listPauses", handler=pauses, errors=(UnknownRepositoryError,),
        summary="What of a repository on GitHub is not checked for now, by whom and since when.",
        gives=(Gives(200, "All of it.", Pauses),),
    ),
    Operation(
        method="DELETE", path=_PAUSES + "/{number}", name="endPause", handler=end_pause, role=Role.OPERATOR,
        summary="Check a pull request again, or with the number 0 the whole repository, beginning with the newest heads.",
        gives=(Gives(204, "It is checked again."),), errors=(UnknownPauseError, ScanLimitError),
    ),
)  # fmt: skip
