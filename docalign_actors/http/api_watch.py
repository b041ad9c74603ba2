"""Schedules, circuits and credentials of repositories."""

from __future__ import annotations

from uuid import UUID

import msgspec

from docalign_actors.errors import UnknownRepositoryError
from docalign_actors.http.errors import UnknownAddressError
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import NewCredentials, NewSchedule
from docalign_actors.http.services import Services, WatchServices
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.events import RepoChanged
from docalign_actors.watch.credentials import check_credentials
from docalign_actors.watch.errors import BadCredentialsError, BadScheduleError
from docalign_actors.watch.views import CircuitView, CredentialsView, ScheduleView
from docalign_actors.watch.watcher_actor import say_moved


async def show_schedule(call: Call) -> Answer:
    return Answer(await call.context.desk.run(watch_of(call.context.services).store.schedule, _id(call)))


async def put_schedule(call: Call) -> Answer:
    body: NewSchedule = call.body
    check, full = _rule(body.check), _rule(body.full)
    await call.context.desk.run(set_schedule, call.context.services, _id(call), check, full)
    return await show_schedule(call)


def set_schedule(services: Services, repo: UUID, check: str | None, full: str | None) -> None:
    """Sets rules in words; "" gives one back to the service, None leaves it. The pages do the same."""
    watch = watch_of(services)
    watch.store.set_schedule(repo, check, full, services.clock.now())
    services.events.publish(RepoChanged(repo))
    watch.look_around()


async def show_circuit(call: Call) -> Answer:
    return Answer(await call.context.desk.run(watch_of(call.context.services).store.circuit, _id(call)))


async def reset(call: Call) -> Answer:
    await call.context.desk.run(reset_circuit, call.context.services, _id(call), call.user)
    return await show_circuit(call)


def reset_circuit(services: Services, repo: UUID, user: str) -> None:
    """Closes a circuit, and has the repository looked at. The pages do the same."""
    close_circuit(services, repo, f"reset by {user}" if user else "reset")


def close_circuit(services: Services, repo: UUID, cause: str) -> None:
    watch = watch_of(services)
    say_moved(services.events, [watch.store.reset_circuit(repo, cause, services.clock.now())])
    watch.look_around()


async def show_credentials(call: Call) -> Answer:
    return Answer(await call.context.desk.run(_credentials, call.context.services, _id(call)))


async def put_credentials(call: Call) -> Answer:
    body: NewCredentials = call.body
    await call.context.desk.run(set_credentials, call.context.services, _id(call), body.user, body.password)
    return await show_credentials(call)


async def remove_credentials(call: Call) -> Answer:
    def remove(services: Services, repo: UUID) -> None:
        _credentials(services, repo)
        watch_of(services).credentials.remove(repo)
        services.events.publish(RepoChanged(repo))

    await call.context.desk.run(remove, call.context.services, _id(call))
    return Answer(None, 204)


def set_credentials(services: Services, repo: UUID, user: str, password: str) -> None:
    """The new ones take the place of the old ones, and the circuit closes: they may be what was wrong."""
    watch = watch_of(services)
    found = services.views.repo(repo)
    if found is None:
        raise UnknownRepositoryError
    check_credentials(found.url, user, password)
    watch.credentials.put(repo, user, password)
    if services.views.repo(repo) is None:  # it was removed meanwhile, and whoever did so found nothing to remove yet
        watch.credentials.remove(repo)
        raise UnknownRepositoryError
    close_circuit(services, repo, "its credentials were changed")
    services.events.publish(RepoChanged(repo))


def watch_of(services: Services) -> WatchServices:
    if services.watch is None:
        raise UnknownAddressError("This service watches no repositories.")
    return services.watch


def _credentials(services: Services, repo: UUID) -> CredentialsView:
    if services.views.repo(repo) is None:
        raise UnknownRepositoryError
    user = watch_of(services).credentials.user_of(repo)
    return CredentialsView(repo_id=repo, set=user is not None, user=user or "")


def _id(call: Call) -> UUID:
    return call.id(UnknownRepositoryError)


def _rule(given: str | msgspec.UnsetType | None) -> str | None:
    """Left out: as it is. null: the service's."""
    if isinstance(given, msgspec.UnsetType):
        return None
    return given or ""


_ONE = "/api/repos/{id}"

OPERATIONS = (
    Operation(
        method="GET", path=_ONE + "/schedule", name="getSchedule", handler=show_schedule, errors=(UnknownRepositoryError,),
        summary="When a repository is looked at, and what was seen last.",
        gives=(Gives(200, "The schedule.", ScheduleView),),
    ),
    Operation(
        method="PUT", path=_ONE + "/schedule", name="setSchedule", handler=put_schedule, role=Role.OPERATOR, takes=NewSchedule,
        summary="Set when a repository is looked at: `every 10 minutes`, `daily at 03:00`, `weekly on sunday at 04:30`, `never`.",
        gives=(Gives(200, "The schedule as it is now.", ScheduleView),), errors=(UnknownRepositoryError, BadScheduleError),
    ),
    Operation(
        method="GET", path=_ONE + "/circuit", name="getCircuit", handler=show_circuit, errors=(UnknownRepositoryError,),
        summary="Whether git reaches a repository; if not, when it is tried again; and how that came to be.",
        gives=(Gives(200, "The circuit.", CircuitView),),
    ),
    Operation(
        method="POST", path=_ONE + "/circuit/reset", name="resetCircuit", handler=reset, role=Role.OPERATOR,
        summary="Close a circuit and look at the repository at once.", errors=(UnknownRepositoryError,),
        gives=(Gives(200, "The circuit as it is now.", CircuitView),),
    ),
    Operation(
        method="GET", path=_ONE + "/credentials", name="getCredentials", handler=show_credentials, errors=(UnknownRepositoryError,),
        summary="Whether a repository has credentials of its own. The password is never shown.",
        gives=(Gives(200, "The name, if there is one.", CredentialsView),),
    ),
    Operation(
        method="PUT", path=_ONE + "/credentials", name="setCredentials", handler=put_credentials, role=Role.OPERATOR,
        takes=NewCredentials, errors=(UnknownRepositoryError, BadCredentialsError),
        summary="Give git a name and a password for an http or https address; they take the place of those before.",
        gives=(Gives(200, "They are kept; the circuit is closed.", CredentialsView),),
    ),
    Operation(
        method="DELETE", path=_ONE + "/credentials", name="removeCredentials", handler=remove_credentials, role=Role.OPERATOR,
        summary="Forget a repository's credentials.", errors=(UnknownRepositoryError,), gives=(Gives(204, "They are gone."),),
    ),
)  # fmt: skip
