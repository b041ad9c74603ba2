"""The application: every route in one place, behind the edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from docalign_actors.http import (
    api_apps,
    api_codeq,
    api_codeq_admin,
    api_fixes,
    api_github,
    api_learning,
    api_repos,
    api_scans,
    api_system,
    api_watch,
    errors,
    problems,
)
from docalign_actors.http.codeq import Line, lines_to_routes
from docalign_actors.http.context import Context
from docalign_actors.http.edge import Edge, allowed_hosts
from docalign_actors.http.openapi import document
from docalign_actors.http.routing import Answer, Call, Gives, Operation, routes_of
from docalign_actors.http.services import Services

Pages = Callable[[Context], Sequence[BaseRoute]]
"""Makes the routes of the pages."""


def make_app(services: Services, pages: Pages | None = None) -> Starlette:
    """The application. `app.state.context` is what its routes share."""
    context = Context.of(services)
    settings = services.settings
    hosts = allowed_hosts(settings.host, settings.public_url, settings.allowed_hosts)
    scans, *rest = routes_of(operations(_lines(context)), context)
    app = Starlette(
        # Routes are tried in this order. Scans and tasks are asked for most often. The pages come before the rest of the API:
        # an address that both have is a page for whoever asks for HTML.
        routes=[scans, *_tasks(context), *(pages(context) if pages is not None else ()), *rest],
        middleware=[Middleware(Edge, hosts=hosts, figures=context.figures)],
        exception_handlers={HTTPException: _refused},
        lifespan=_lifespan(context),
    )
    app.router.redirect_slashes = False
    app.state.context = context
    app.state.public_url = settings.public_url
    return app


def _tasks(context: Context) -> Sequence[BaseRoute]:
    tasks = context.services.tasks
    return () if tasks is None else lines_to_routes(_lines(context), context, tasks)


def _lines(context: Context) -> tuple[Line, ...]:
    return () if context.services.tasks is None else (*api_codeq.LINES, *api_codeq_admin.LINES)


def operations(lines: Sequence[Line] = ()) -> tuple[Operation, ...]:
    """Every operation of the API, its own description included; that has the lines of the task queue as well."""
    # Asking for a scan comes first: it is asked for far more often than the rest.
    known = (
        *api_scans.OPERATIONS, *api_github.OPERATIONS, *api_repos.OPERATIONS, *api_watch.OPERATIONS, *api_learning.OPERATIONS,
        *api_fixes.OPERATIONS, *api_apps.OPERATIONS,
        *api_system.OPERATIONS,
    )  # fmt: skip
    described: dict[str, Any] = {}

    async def describe(call: Call) -> Answer:
        return Answer(described)

    own = Operation(
        method="GET", path="/openapi.json", name="describe", handler=describe, role=None,
        summary="This document.", gives=(Gives(200, "The description of the API.", dict[str, Any]),),
    )  # fmt: skip
    described.update(document((*known, own), lines))
    return (*known, own)


def _lifespan(context: Context) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with context.hub.running():
            draining = asyncio.ensure_future(_drain(context))
            try:
                yield
            finally:
                draining.cancel()
        context.desk.close()

    return lifespan


async def _drain(context: Context) -> None:
    await context.services.draining.wait()
    context.hub.end_all()


async def _refused(request: Request, error: Exception) -> Response:
    """What the router itself refuses: an address or a method that there is not."""
    trace: str = request.scope["state"]["trace"]
    if isinstance(error, HTTPException) and error.status_code == 405:
        return problems.respond(errors.WrongMethodError(), trace, error.headers)
    if isinstance(error, HTTPException) and error.status_code != 404:
        return problems.respond(errors.BadRequestError(), trace)
    return problems.respond(errors.UnknownAddressError(), trace)
