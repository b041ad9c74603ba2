"""What the service says of itself: whether it lives, whether it is ready, its figures, its actors, its incidents.

The figures and the actors need a token with the role viewer, also on this machine: behind a proxy every request comes from
this machine. Prometheus sends one with `authorization: {credentials_file: …}`.
"""

from __future__ import annotations

from starlette.responses import Response

from docalign_actors.errors import DocAlignError
from docalign_actors.http import cursors
from docalign_actors.http.context import Context
from docalign_actors.http.errors import UnknownActorError
from docalign_actors.http.figures import together
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import (
    ActorDetail,
    ActorTree,
    Alive,
    DeadLetterView,
    IncidentPage,
    PageQuery,
    Readiness,
)
from docalign_actors.http.services import Actors
from docalign_actors.telemetry.metrics import CONTENT_TYPE


async def livez(call: Call) -> Answer:
    return Answer(Alive())


async def readyz(call: Call) -> Answer:
    reasons = await reasons_against(call.context)
    return Answer(Readiness(not reasons, reasons), 503 if reasons else 200)


async def reasons_against(context: Context) -> list[str]:
    """Why the service should be sent no work, one sentence each; none if it should."""
    if context.services.draining.is_set():
        return ["the service is stopping"]
    return await context.readiness.reasons()


async def metrics(call: Call) -> Response:
    context = call.context
    text = await context.desk.run(together, context.services.metrics, context.figures, context.hub.open)
    return Response(text, media_type=CONTENT_TYPE)


async def actors(call: Call) -> Answer:
    return Answer(await call.context.desk.run(_tree, call.context.services.system))


async def actor(call: Call) -> Answer:
    name = call.request.path_params["name"]
    return Answer(await call.context.desk.run(_detail, call.context.services.system, name))


def _tree(system: Actors) -> ActorTree:
    letters = system.dead_letters
    last = [DeadLetterView(one.name, one.kind, one.reason, one.trace) for one in list(letters.last)]
    return ActorTree(system.snapshot(), system.families(), letters.count, last)


def _detail(system: Actors, name: str) -> ActorDetail:
    shown = system.snapshot()
    for one in shown:
        if one.name == name:
            try:
                stack = system.stack(name)
            except DocAlignError:  # it has gone meanwhile
                raise UnknownActorError from None
            return ActorDetail(one, stack, [child.name for child in shown if child.parent == name])
    raise UnknownActorError


async def incidents(call: Call) -> Answer:
    query: PageQuery = call.query
    before = cursors.decode("incidents", query.cursor, tuple[cursors.Number])[0] if query.cursor is not None else None
    page = await call.context.desk.run(call.context.services.views.incidents, query.limit, before)
    return Answer(IncidentPage(page.items, cursors.encode("incidents", page.after) if page.after else None))


OPERATIONS = (
    Operation(
        method="GET", path="/livez", name="isAlive", handler=livez, role=None,
        summary="Whether the process answers.", gives=(Gives(200, "It does.", Alive),),
    ),
    Operation(
        method="GET", path="/healthz", name="isHealthy", handler=livez, role=None,
        summary="The same as /livez, under the name that clients of the task queue ask for.",
        gives=(Gives(200, "It does.", Alive),),
    ),
    Operation(
        method="GET", path="/readyz", name="isReady", handler=readyz, role=None,
        summary="Whether the service takes work, and if not, why.",
        gives=(Gives(200, "It does.", Readiness), Gives(503, "It does not, for these reasons.", Readiness)),
    ),
    Operation(
        method="GET", path="/metrics", name="getMetrics", handler=metrics,
        summary="All figures, for Prometheus.", gives=(Gives(200, "The figures.", None, "text/plain"),),
    ),
    Operation(
        method="GET", path="/actors", name="listActors", handler=actors,
        summary="The actor tree: state, mailbox, message under way, restarts, last error.",
        gives=(Gives(200, "The tree.", ActorTree),),
    ),
    Operation(
        method="GET", path="/actors/{name:path}", name="getActor", handler=actor, errors=(UnknownActorError,),
        summary="One actor, with the stack of its thread.", gives=(Gives(200, "The actor.", ActorDetail),),
    ),
    Operation(
        method="GET", path="/api/incidents", name="listIncidents", handler=incidents, query=PageQuery,
        summary="What went wrong with actors, newest first.", gives=(Gives(200, "A page of it.", IncidentPage),),
    ),
)  # fmt: skip
