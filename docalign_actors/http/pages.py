"""The pages over HTTP: who sees them, under which policy, and what their forms do. What they show is the dashboard's.

GET  a page             the whole page; who is not signed in is led to /sign-in and back
GET  /fragments/…       its contents alone, for the script; 401 without a session
POST a form's address   checked for forgery and role, then 303 to where it leads; a refusal shows the page again
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import quote

from loguru import logger
from msgspec.structs import replace
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from docalign_actors.clock import Clock
from docalign_actors.dashboard import layout
from docalign_actors.dashboard.page import Action, Page, Problem, Visit, address_of, fragment_path
from docalign_actors.dashboard.pages import apps as app_pages
from docalign_actors.dashboard.pages import github as github_page
from docalign_actors.dashboard.pages import outbound, standard, tasks
from docalign_actors.dashboard.pages import sign_in as sign_in_page
from docalign_actors.dashboard.paths import local
from docalign_actors.errors import DocAlignError
from docalign_actors.http.app_pages import AppPages
from docalign_actors.http.auth import Principal
from docalign_actors.http.context import Context
from docalign_actors.http.csrf import FIELD, check_forgery, csrf_token
from docalign_actors.http.errors import (
    InternalError,
    NotAllowedError,
    NotSignedInError,
    UnknownAddressError,
)  # fmt: skip
from docalign_actors.http.page_answers import SIGN_IN_HEADERS, html, read_form, static, to
from docalign_actors.http.page_github import GitHubPage
from docalign_actors.http.page_reader import PageDesk, PageReader
from docalign_actors.http.page_router import Endpoint, PageRouter
from docalign_actors.http.page_tasks import TaskPages
from docalign_actors.http.problems import problem_of
from docalign_actors.http.signing import Session
from docalign_actors.persistence.tokens import Role

TITLES = {400: "This cannot be read", 401: "Not signed in", 403: "Not allowed", 404: "Not found", 409: "Not possible now",
          422: "Not understood", 429: "Too much", 503: "Not just now"}  # fmt: skip


class Door(Protocol):
    """Finds out who asks."""

    async def identify(self, connection: HTTPConnection) -> Principal | None: ...


class Sessions(Protocol):
    """Opens and ends sessions."""

    async def sign_in(self, connection: HTTPConnection, token: str) -> Session: ...

    async def sign_out(self, connection: HTTPConnection, session: str) -> str: ...


class Pages:
    """The routes of a set of pages."""

    def __init__(self, pages: Sequence[Page], door: Door, sessions: Sessions, clock: Clock) -> None:
        self._pages = pages
        self._door = door
        self._sessions = sessions
        self._clock = clock

    def router(self) -> PageRouter:
        """Everything, in an order in which no address hides another."""
        found = [
            Route("/static/{name}", static, methods=["GET"]),
            Route("/sign-in", self._guarded(self._show_sign_in), methods=["GET"]),
            Route("/sign-in", self._guarded(self._sign_in), methods=["POST"]),
            Route("/sign-out", self._guarded(self._sign_out), methods=["POST"]),
        ]
        for page in self._pages:
            for action in page.actions:
                found.append(Route(action.path, self._guarded(self._perform(page, action)), methods=["POST"]))
        # The more of an address is fixed, the earlier it is looked at: /repos/{id}/remove before /repos/{id}.
        for page in sorted(self._pages, key=lambda p: (p.path.count("{"), p.path.count(":path"), -p.path.count("/"))):
            found.append(Route(page.path, self._guarded(self._show(page)), methods=["GET"]))
            found.append(Route(fragment_path(page.path), self._guarded(self._fragment(page)), methods=["GET"]))
        return PageRouter(found, self._guarded(self._nothing_here))

    async def error(self, request: Request, error: DocAlignError) -> Response:
        """An error as a page, for whoever asked for HTML; the API answers the others itself."""
        known = problem_of(error, request.scope.get("state", {}).get("trace", ""))
        visit = await self._anybody(request)
        problem = Problem(known.code, known.detail, known.hint, known.trace)
        title = TITLES.get(known.status, "Something went wrong")
        return html(layout.trouble(visit, self._pages, title, problem), known.status)

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        """Nothing that goes wrong leaves the shape of the pages."""

        async def answer(request: Request) -> Response:
            try:
                return await endpoint(request)
            except DocAlignError as error:
                return await self.error(request, error)
            except Exception:
                logger.opt(exception=True).error("a page failed: {} {}", request.method, request.url.path)
                return await self.error(request, InternalError())

        return answer

    def _show(self, page: Page) -> Endpoint:
        async def show(request: Request) -> Response:
            visit = await self._visit(request)
            if visit is None:
                return self._to_sign_in(request)
            return html(await self._whole(visit, page))

        return show

    async def _whole(self, visit: Visit, page: Page) -> str:
        """Made in a thread: a long page must not hold up those who wait for the event loop."""
        view = await page.load(visit)
        return await asyncio.to_thread(lambda: layout.whole(visit, page, page.render(visit, view), self._pages))

    def _fragment(self, page: Page) -> Endpoint:
        async def fragment(request: Request) -> Response:
            visit = await self._visit(request)
            if visit is None:
                return html("", 401)
            own = "/" if page.path == "/" else request.url.path.removeprefix("/fragments")
            visit = replace(visit, path=own)
            view = await page.load(visit)
            return html(await asyncio.to_thread(lambda: str(layout.contents(visit, page.render(visit, view)))))

        return fragment

    def _perform(self, page: Page, action: Action) -> Endpoint:
        async def perform(request: Request) -> Response:
            form = await read_form(request)
            who = await self._who(request)
            if who is None:
                return self._to_sign_in(request, page="/")
            check_forgery(request, who.session, form.get(FIELD, ""))
            visit = replace(self._of(request, who), form=form)
            if not visit.may(action.role):
                raise NotAllowedError(f"This needs the role {action.role}; you have the role {visit.role}.")
            try:
                return to(await action.perform(visit))
            except DocAlignError as error:
                known = problem_of(error, "")
                problem = Problem(known.code, known.detail, known.hint)
                again = replace(visit, problem=problem, path=address_of(page, visit.params))
                return html(await self._whole(again, page), known.status)

        return perform

    async def _nothing_here(self, request: Request) -> Response:
        raise UnknownAddressError(hint="The menu leads to every page.")

    async def _show_sign_in(self, request: Request) -> Response:
        token, back = request.query_params.get("token", ""), local(request.query_params.get("back", ""), "/")
        if not token and await self._who(request) is not None:
            return to(back)
        return html(sign_in_page.render(csrf_token(""), token=token[:200], back=back), 200, SIGN_IN_HEADERS)

    async def _sign_in(self, request: Request) -> Response:
        form = await read_form(request)
        check_forgery(request, "", form.get(FIELD, ""))
        back = local(form.get("back", ""), "/")
        try:
            session = await self._sessions.sign_in(request, form.get("token", ""))
        except DocAlignError as error:
            known = problem_of(error, "")
            problem = Problem(known.code, known.detail, _sign_in_hint(error))
            return html(sign_in_page.render(csrf_token(""), back=back, problem=problem), known.status, SIGN_IN_HEADERS)
        return to(back, {"Set-Cookie": session.set_cookie})

    async def _sign_out(self, request: Request) -> Response:
        form = await read_form(request)
        who = await self._who(request)
        if who is None:
            return to("/sign-in")
        check_forgery(request, who.session, form.get(FIELD, ""))
        return to("/sign-in", {"Set-Cookie": await self._sessions.sign_out(request, who.session)})

    def _to_sign_in(self, request: Request, page: str = "") -> Response:
        back = page or local(request.url.path + (f"?{request.url.query}" if request.url.query else ""), "/")
        if request.headers.get("sec-fetch-site") == "cross-site" and request.method == "GET":
            # A strict cookie is not sent along with a link from elsewhere; it is when our own page leads there.
            return html(layout.stepping_stone(back))
        return to(f"/sign-in?back={quote(back, safe='')}" if back != "/" else "/sign-in")

    async def _who(self, request: Request) -> Principal | None:
        """Who has a session. A bearer token opens no page: a form could not show that it is ours."""
        try:
            who = await self._door.identify(request)
        except NotSignedInError:
            return None
        return who if who is not None and who.session and who.role.allows(Role.VIEWER) else None

    async def _visit(self, request: Request) -> Visit | None:
        who = await self._who(request)
        return None if who is None else self._of(request, who)

    async def _anybody(self, request: Request) -> Visit:
        try:
            return await self._visit(request) or Visit(now=self._clock.now(), path=request.url.path)
        except DocAlignError:
            return Visit(now=self._clock.now(), path=request.url.path)

    def _of(self, request: Request, who: Principal) -> Visit:
        return Visit(
            now=self._clock.now(), path=request.url.path, user=who.name, role=who.role.value, tenant=who.tenant,
            csrf=csrf_token(who.session),
            params={name: str(value) for name, value in request.path_params.items()},
            query=dict(request.query_params),
        )  # fmt: skip


def page_routes(context: Context) -> list[BaseRoute]:
    """The pages of the service, to stand before the API's routes. A capability adds its own pages to this list."""
    pages = standard(PageReader(context), PageDesk(context))
    if context.services.webhooks is not None:
        own = GitHubPage(context, context.services.webhooks)
        pages.append(github_page.page(own, own))
    if context.services.tasks is not None:
        reader = TaskPages(context, context.services.tasks)
        pages += [*tasks.pages(reader, reader), *outbound.pages(reader, reader)]
    if context.services.apps is not None:
        apps = AppPages(context)
        pages += app_pages.pages(apps, apps)
    return [Pages(pages, context.gate, context.sign_in, context.services.clock).router()]


def _sign_in_hint(error: DocAlignError) -> str:
    if isinstance(error, NotSignedInError):
        return "Make a new one on the machine that runs the service: `docalign token create --role operator`."
    return error.hint
