"""What holds for every request, before any route is looked up: its trace, the host it names, the headers of its answer.

Plain ASGI: a class per request would cost more than the work that most requests need.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from ipaddress import ip_address

from loguru import logger
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docalign_actors.errors import DocAlignError
from docalign_actors.http import problems
from docalign_actors.http.errors import AddressTooLongError, InternalError, WrongHostError
from docalign_actors.http.figures import Figures
from docalign_actors.http.heads import header
from docalign_actors.ids import new_trace
from docalign_actors.telemetry.trace import traced

_TRACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_LONGEST_PATH = 2_000
_LONGEST_QUERY = 8_000
_ANY_HOST = ("/livez", "/readyz", "/healthz")
"""Those who only ask whether we live come by address; they learn nothing worth hiding."""

_DEFAULTS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


def allowed_hosts(host: str, public_url: str, further: Iterable[str]) -> frozenset[str]:
    """The names that this service goes by, without ports. A page elsewhere may point a name of its own at us; that name
    is not among these."""
    public = public_url.partition("://")[2].partition("/")[0]
    named = {"localhost", "127.0.0.1", "[::1]", host if ":" not in host else f"[{host}]", public, *further}
    return frozenset(without_port(name) for name in named if name not in ("", "0.0.0.0", "[::]"))  # noqa: S104 - left out


def without_port(host: str) -> str:
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0].rstrip(".")


class Edge:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], figures: Figures) -> None:
        self._app = app
        self._hosts = hosts
        self._figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        trace = trace_of(header(scope, b"x-request-id"))
        scope.setdefault("state", {})["trace"] = trace
        answer = _Answer(send, trace)
        with traced(trace):
            try:
                self._check(scope)
                await self._app(scope, receive, answer)
            except DocAlignError as error:
                await answer.fail(error, scope, receive)
            except Exception:
                logger.exception("{} {} failed", scope["method"], scope["path"][:200])
                await answer.fail(InternalError(), scope, receive)
            self._figures.count(scope["method"], answer.status, time.perf_counter() - began, answer.stream)
            # Never the query: it may hold a token.
            logger.debug("{} {} {}", answer.status, scope["method"], scope["path"][:200])

    def _check(self, scope: Scope) -> None:
        if len(scope["path"]) > _LONGEST_PATH or len(scope["query_string"]) > _LONGEST_QUERY:
            raise AddressTooLongError
        if without_port(header(scope, b"host") or "") not in self._hosts and scope["path"] not in _ANY_HOST:
            raise WrongHostError


class _Answer:
    """Adds to the head of an answer what every answer has."""

    def __init__(self, send: Send, trace: str) -> None:
        self._send = send
        self._trace = trace
        self.status = 0
        self.stream = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = message.setdefault("headers", [])
            present = {name for name, _ in headers}
            self.stream = b"content-length" not in present and self.status == 200
            headers.extend(pair for pair in _DEFAULTS if pair[0] not in present)
            headers.append((b"x-request-id", self._trace.encode()))
        await self._send(message)

    async def fail(self, error: DocAlignError, scope: Scope, receive: Receive) -> None:
        """Says what went wrong; an answer that has begun cannot be taken back, and ends as it is."""
        if not self.status:
            await problems.respond(error, self._trace)(scope, receive, self)


def trace_of(header: str | None) -> str:
    """The client's own id of the request, if it is fit to stand in logs and SQL comments; otherwise a new one."""
    return header if header is not None and _TRACE.fullmatch(header) else new_trace()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
