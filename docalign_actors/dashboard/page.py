"""What a page is. A capability adds one by a module that makes a `Page`; docs/dashboard.md says how.

`load` gets the data, `render` makes HTML of it and asks for nothing: so every page can be shown from hand-made views.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct, field

from docalign_actors.dashboard.html import Markup

ROLES: Final = ("viewer", "operator", "admin")
"""Each may do what those before it may."""
_BRACES: Final = re.compile(r"\{(\w+)[^}]*\}")


class Problem(Struct, frozen=True):
    """An error as a person is shown it."""

    code: str
    text: str
    hint: str = ""
    trace: str = ""
    """Under which it is found in the log."""


class Visit(Struct, frozen=True, kw_only=True):
    """One request of one person, as much of it as a page may know.

    path     without the query
    params   what the page's path holds in braces
    query    what stands behind the question mark, one value a name
    form     what was filled in, when the page is shown again because of a problem
    tenant   whose agent tasks the visitor sees
    """

    now: datetime
    path: str = "/"
    user: str = ""
    role: str = ""
    tenant: str = ""
    csrf: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    problem: Problem | None = None

    def may(self, role: str) -> bool:
        """Whether the visitor has this role, or one that may do more."""
        return self.role in ROLES and ROLES.index(self.role) >= ROLES.index(role)


class Shown(Struct, frozen=True):
    """What a page shows: its title, and what stands under it."""

    title: str
    body: Markup


class Action(Struct, frozen=True):
    """A form's target. `perform` does it and gives the address to go to; a DocAlignError shows the page again."""

    path: str
    perform: Callable[[Visit], Awaitable[str]]
    role: str = "operator"


class Page(Struct, frozen=True, kw_only=True):
    """A page of the dashboard.

    path     its address, with parameters in braces: `/scans/{id}`, `/actors/{name:path}`
    title    its name in the menu
    nav      its place in the menu, from the left; 0 for a page that is not in it
    topics   the events that make an open page fetch itself anew: scan, repo, actors, incident
    actions  what its forms do
    """

    path: str
    title: str
    load: Callable[[Visit], Awaitable[Any]]
    render: Callable[[Visit, Any], Shown]
    nav: int = 0
    topics: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()


def menu(pages: Sequence[Page]) -> list[Page]:
    """The pages of the menu, in its order."""
    return sorted((page for page in pages if page.nav), key=lambda page: page.nav)


def address_of(page: Page, params: Mapping[str, str]) -> str:
    """A page's address, with its parameters filled in."""
    return _BRACES.sub(lambda found: quote(params.get(found[1], "")), page.path)


def fragment_path(path: str) -> str:
    """Where a page's contents alone are to be had: what the script fetches when something has changed."""
    return "/fragments/overview" if path == "/" else f"/fragments{path}"
