"""Which requests are for the pages, and which for the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

API = ("/api/", "/v1/", "/livez", "/readyz", "/healthz", "/metrics", "/openapi.json")
"""Addresses that are not the pages' business."""
SHARED = ("/actors",)
"""Addresses that programs ask for as well: whoever does not ask for HTML gets the API's answer."""

Endpoint = Callable[[Request], Awaitable[Response]]


class PageRouter(BaseRoute):
    """All pages as one route, to stand before the API's: it costs a request to the API next to nothing.

    An address that both have is the page's when HTML is asked for. One that neither has is answered by a page, too.
    """

    def __init__(self, routes: Sequence[Route], missing: Endpoint) -> None:
        self.routes = routes
        self._missing = Route("/{path:path}", missing)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["path"].startswith(API):
            return Match.NONE, {}
        html_wanted = wants_html(scope)
        for route in self.routes:
            match, child = route.matches(scope)
            if match is Match.FULL and (html_wanted or not scope["path"].startswith(SHARED)):
                return match, {**child, "page_route": route}
        if not html_wanted:
            return Match.NONE, {}
        return Match.FULL, {"page_route": self._missing}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        route: Route = scope["page_route"]
        await route.app(scope, receive, send)


def wants_html(scope: Scope) -> bool:
    """Whether a browser asks for something to show: it names HTML, programs do not."""
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
