"""The fake GitHub, served: who asks, what goes wrong, how much may be asked for, and the answer."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from docalign_actors.demo.github import api, checks, comments, gitdata, gitstore, pages, registration, reviews, routing
from docalign_actors.demo.github.faults import PRIMARY, SECONDARY, Fault, Faults
from docalign_actors.demo.github.model import API_HOUR, App, Installation
from docalign_actors.demo.github.serving import ServerThread
from docalign_actors.demo.github.world import World

PREFIX = "/api/v3"
_LONGEST_JWT = 600 + 60
_LONGEST_HANG = 60.0
_PARTS = (api, checks, comments, gitdata, registration, reviews)
"""Each has put its addresses into the table when it was imported."""
_SOURCE = re.compile(
    r"/(?P<name>[^/]+/[^/]+)/(?:commit/(?P<commit>[0-9a-f]{40})|blob/(?P<sha>[0-9a-f]{40})/(?P<path>.+))"
)
_PULL = re.compile(r"/([^/]+/[^/]+)/pull/(\d{1,9})")
_PAGE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
_METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"]


@dataclass
class Asked:
    """One request, as it was answered. A status of 0: never."""

    method: str
    path: str
    status: int
    conditional: bool
    at: float


class FakeGitHub(World):
    """with FakeGitHub(folder) as github: its world, at `github.base`, until the end of the block."""

    def __init__(self, root: Path, **more: Any) -> None:
        super().__init__(root, **more)
        self.faults = Faults()
        self.asked: list[Asked] = []
        self.limit = API_HOUR
        self._server = ServerThread(Starlette(routes=[Route("/{path:path}", self._answer, methods=_METHODS)]))
        self.address = self._server.address
        self.base = self.address + PREFIX

    def __enter__(self) -> FakeGitHub:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.faults.lift_all()
        self._server.stop()
        self.hooks.stop()

    def fail(self, kind: str, **more: Any) -> Fault:
        """A fault: see `Fault`."""
        return self.faults.add(Fault(kind, seq=self.seq, **more))

    def requests(self, method: str = "", path: str = "") -> list[Asked]:
        """What was asked of the API, without tokens."""
        return [a for a in self.asked if method in ("", a.method) and path in a.path and "access_tokens" not in a.path]

    async def _answer(self, request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:  # whoever asked was killed
            return Response(status_code=400)
        path = request.url.path
        if registration.is_page(path):
            return registration.page(self, request, body)
        if not path.startswith(PREFIX):
            if page := _PULL.fullmatch(path):
                return await asyncio.to_thread(self._page, page)
            if page := _SOURCE.fullmatch(path):
                return await asyncio.to_thread(self._source, page)
            return await asyncio.to_thread(self._git, request, path, body)
        path = path.removeprefix(PREFIX)
        asked = Asked(request.method, path, 0, "if-none-match" in request.headers, time.monotonic())
        self.asked.append(asked)
        fault = self.faults.of(request.method, path)
        if fault is not None and fault.kind == "hang":
            await _released(fault)
        response = await asyncio.to_thread(self._api, request, path, body, fault)
        if fault is not None and fault.kind == "hang_after":
            await _released(fault)
        asked.status = response.status_code
        self._notify()
        return response

    def _page(self, address: re.Match[str]) -> Response:
        repository = self.find(address[1])
        found = repository.pulls.get(int(address[2])) if repository is not None else None
        if repository is None or found is None:
            return Response("Not Found", 404, media_type="text/plain")
        with self.lock:
            return Response(pages.pull_page(repository, found), media_type="text/html", headers=_PAGE_HEADERS)

    def _source(self, address: re.Match[str]) -> Response:
        """A file at a commit, or the commit itself, as plain text: where the links of a comment lead."""
        repository = self.find(address["name"])
        at = address["commit"] or address["sha"]
        shown = pages.source(repository, at, address["path"]) if repository is not None else None
        if shown is None:
            return Response("Not Found", 404, media_type="text/plain")
        return Response(shown, media_type="text/plain", headers=_PAGE_HEADERS)

    # The API

    def _api(self, request: Request, path: str, body: bytes, fault: Fault | None) -> Response:
        try:
            if fault is not None and fault.kind not in ("after", "stale", "hang_after"):
                return self._fail(fault)
            header = request.headers.get("authorization", "")
            nobody = not header and registration.OPEN.fullmatch(path)
            app, installation = (None, None) if nobody else self._who(header)
            limits = self._count(installation, request)
            seq = fault.seq if fault is not None and fault.kind == "stale" else None
            call = routing.Call(
                self,
                request.method,
                path,
                dict(request.query_params),
                json.loads(body) if body else None,
                app,
                installation,
                seq,
            )
            with self.lock:
                handler, values = routing.find(request.method, path)
                moved = self._moved(request, path, values)
                if moved is not None:
                    return moved
                answer = handler(call, **values)
        except _LimitedError as limited:
            return limited.response
        except routing.RefusedError as refused:
            return _said(refused.status, str(refused))
        if fault is not None and fault.kind == "after":
            return self._fail(fault)
        status, content = answer if isinstance(answer, tuple) else (200, answer)
        return self._respond(request, status, content, {**call.headers, **limits})

    def _moved(self, request: Request, path: str, values: dict[str, str]) -> Response | None:
        """A repository's earlier name leads to its present one: by 301 for those who read, by 307 for those who write."""
        old = f"{values.get('owner', '')}/{values.get('name', '')}".lower()
        if old not in self.renamed:
            return None
        there = path.lower().replace(f"/repos/{old}", f"{self.base}/repos/{self.renamed[old]}", 1)
        query = f"?{request.url.query}" if request.url.query else ""
        status = 301 if request.method in ("GET", "HEAD") else 307
        return _said(status, "Moved Permanently", {"Location": f"{there}{query}"})

    def _respond(self, request: Request, status: int, content: Any, headers: dict[str, str]) -> Response:
        data = b"" if content is None else json.dumps(content).encode()
        if request.method == "GET" and status == 200:
            etag = f'W/"{hashlib.sha256(data).hexdigest()[:32]}"'
            headers["ETag"] = etag
            if request.headers.get("if-none-match") == etag:
                return Response(status_code=304, headers=headers)
        return Response(data, status, headers, "application/json; charset=utf-8")

    def _fail(self, fault: Fault) -> Response:
        headers = {"Retry-After": str(fault.retry_after)} if fault.retry_after is not None else {}
        if fault.kind == "secondary":
            return _said(fault.status if fault.status in (403, 429) else 403, SECONDARY, headers)
        if fault.kind == "primary":
            reset = int(self.clock.now().timestamp()) + fault.reset_in
            return _said(403, PRIMARY, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset), **headers})
        if fault.kind == "missing":
            return _said(404, "Not Found")
        return Response("<html>Unicorn!</html>", fault.status, headers, "text/html")

    def _who(self, header: str) -> tuple[App | None, Installation | None]:
        scheme, _, value = header.partition(" ")
        if value.count(".") == 2 and scheme.lower() == "bearer":
            return self._app(value), None
        token = self.tokens.get(value)
        if token is None or token.expires <= self.clock.now() or token.installation.id not in self.installations:
            raise routing.RefusedError(401, "Bad credentials")
        return None, token.installation

    def _app(self, value: str) -> App:
        try:
            claims = jwt.decode(
                value, self.app.public_key, algorithms=["RS256"], options={"require": ["exp", "iat", "iss"]}
            )
        except jwt.PyJWTError:
            raise routing.RefusedError(401, "A JSON web token could not be decoded") from None
        if str(claims["iss"]) != str(self.app.id) or claims["exp"] - claims["iat"] > _LONGEST_JWT:
            raise routing.RefusedError(401, "'Expiration time' claim ('exp') is too far in the future")
        return self.app

    def _count(self, installation: Installation | None, request: Request) -> dict[str, str]:
        """The primary limit. A conditional request that is answered by 304 costs nothing; here none that asks so does."""
        if installation is None:
            return {}
        now = self.clock.now().timestamp()
        if now >= installation.window_ends:
            installation.used, installation.window_ends = 0, now + 3600
        if installation.used >= self.limit:
            fault = Fault("primary", reset_in=int(installation.window_ends - now))
            raise _LimitedError(self._fail(fault))
        installation.used += "if-none-match" not in request.headers
        left = {
            "Limit": self.limit,
            "Remaining": self.limit - installation.used,
            "Reset": int(installation.window_ends),
        }
        return {f"X-RateLimit-{name}": str(value) for name, value in left.items()} | {"X-RateLimit-Resource": "core"}

    # Git

    def _git(self, request: Request, path: str, body: bytes) -> Response:
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        secret = base64.b64decode(value).decode().partition(":")[2] if scheme.lower() == "basic" else ""
        name = path.strip("/").partition(".git")[0]
        repository = self.find(name)
        try:
            _, installation = self._who(f"token {secret}")
        except routing.RefusedError:
            installation = None
        allowed = repository is not None and (
            not repository.private or (installation is not None and repository.full_name in installation.repositories)
        )
        if not allowed or repository is None:
            status = 404 if installation is not None else 401
            return Response(status_code=status, headers={"WWW-Authenticate": 'Basic realm="GitHub"'})
        inner = path.replace(f"/{name}.git", "", 1)
        status, headers, content = gitstore.serve(
            repository.git.path, inner, request.url.query, request.method, dict(request.headers), body
        )
        response = Response(content, status)
        for key, text in headers:
            response.headers[key] = text
        return response


async def _released(fault: Fault) -> None:
    """Without a thread: those are few, and the requests that do not hang need them."""
    until = time.monotonic() + _LONGEST_HANG
    while not fault.released.is_set() and time.monotonic() < until:
        await asyncio.sleep(0.05)


class _LimitedError(routing.RefusedError):
    """The primary limit is used up."""

    def __init__(self, response: Response) -> None:
        super().__init__(403, PRIMARY)
        self.response = response


def _said(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps({"message": message, "documentation_url": "https://docs.github.com/rest"})
    return Response(body, status, headers, "application/json; charset=utf-8")
