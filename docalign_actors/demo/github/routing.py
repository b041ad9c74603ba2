"""One request to the API: who asks, for what, and the table of addresses that each part of the API adds its own to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from docalign_actors.demo.github.model import App, Installation, Repository
from docalign_actors.demo.github.world import World

MOST_BODY = 65_536


class RefusedError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Call:
    """One request. `seq`: nothing that was written later is seen."""

    world: World
    method: str
    path: str
    query: dict[str, str]
    body: Any
    app: App | None = None
    installation: Installation | None = None
    seq: int | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def repository(self, owner: str, name: str, permission: str, level: str = "read") -> Repository:
        found = self.world.find(f"{owner}/{name}")
        if found is None or self.installation is None or found.full_name not in self.installation.repositories:
            raise RefusedError(404, "Not Found")
        has = self.installation.permissions.get(permission, "")
        if has != "write" and (level == "write" or has != "read"):
            raise RefusedError(403, "Resource not accessible by integration")
        return found

    def base(self, repository: Repository) -> str:
        return f"{self.world.base}/repos/{repository.full_name}"

    def sees(self, seq: int) -> bool:
        return self.seq is None or seq <= self.seq


Handler = Callable[..., Any]
_TABLE: list[tuple[str, re.Pattern[str], Handler]] = []
_REPO = r"/repos/(?P<owner>[^/]+)/(?P<name>[^/]+)"


def route(method: str, pattern: str) -> Callable[[Handler], Handler]:
    def add(handler: Handler) -> Handler:
        _TABLE.append((method, re.compile(pattern.replace("{repo}", _REPO)), handler))
        return handler

    return add


def find(method: str, path: str) -> tuple[Handler, dict[str, str]]:
    for known, pattern, handler in _TABLE:
        if known == method and (found := pattern.fullmatch(path)):
            return handler, found.groupdict()
    raise RefusedError(404, "Not Found")


def paged(call: Call, items: list[Any], most: int | None = None) -> list[Any]:
    """One page, with the links to the others."""
    items = items[:most] if most else items
    size = min(int(call.query.get("per_page", "30")), 100)
    page = max(int(call.query.get("page", "1")), 1)
    last = max(1, -(-len(items) // size))
    more = "&".join(f"{k}={v}" for k, v in call.query.items() if k != "page")
    links = []
    for word, number in (("next", page + 1), ("last", last)):
        if page < last:
            links.append(f'<{call.world.base}{call.path}?{more}&page={number}>; rel="{word}"')
    if links:
        call.headers["Link"] = ", ".join(links)
    return items[(page - 1) * size : page * size]


def known_app(call: Call) -> App:
    if call.app is None:
        raise RefusedError(401, "A JSON web token could not be decoded")
    return call.app


def body_of(call: Call) -> str:
    """The text of a comment or a review."""
    body: str = call.body.get("body", "")
    if not body or len(body) > MOST_BODY:
        raise RefusedError(422, "Validation Failed: body is too long (maximum is 65536 characters)")
    return body
