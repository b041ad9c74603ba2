"""The frame around every page: head, menu, the state of the connection, sign-out."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.dashboard.assets import url
from docalign_actors.dashboard.html import Markup, Node, document, h, join
from docalign_actors.dashboard.page import Page, Problem, Shown, Visit, fragment_path, menu
from docalign_actors.dashboard.parts import address, alert, button, link, post, prose

PRODUCT = "DocAlign Actors"
EVERY = "10"
"""Seconds after which a page loads itself anew, for those who ask for it because their browser runs no script."""


def whole(visit: Visit, page: Page, shown: Shown, pages: Sequence[Page]) -> str:
    """A page in its frame."""
    live: dict[str, str] = {}
    if page.topics and visit.problem is None:
        live = {
            "data_live": address(fragment_path(visit.path), visit.query),
            "data_topics": " ".join(page.topics),
        }
    main = h("main", contents(visit, shown), id="main", tabindex="-1", **live)
    return _document(shown.title, _top(visit, page, pages), main, visit.query.get("refresh", ""))


def contents(visit: Visit, shown: Shown) -> Markup:
    """What stands inside the frame; the script fetches it alone."""
    return join(alert(visit.problem) if visit.problem else None, shown.body, _as_of(visit))


def bare(title: str, *body: Node) -> str:
    """A page without a menu: signing in, and errors that stop everything."""
    top = h("header", h("div", _brand(), class_="bar"), class_="top")
    return _document(title, top, h("main", *body, id="main", tabindex="-1", class_="narrow"))


def trouble(visit: Visit, pages: Sequence[Page], title: str, problem: Problem) -> str:
    """An error in the shape of the pages: what went wrong, its code, what to do, and the way back."""
    body = join(
        h("h1", title),
        h("p", problem.text),
        h("p", prose(problem.hint)) if problem.hint else None,
        h(
            "p",
            "Code ",
            h("code", problem.code),
            join(", trace ", h("code", problem.trace)) if problem.trace else None,
            class_="soft",
        ),
        h("p", link("/", "To the overview")),
    )
    if not visit.user:
        return bare(title, body)
    main = h("main", body, id="main", tabindex="-1")
    return _document(title, _top(visit, None, pages), main)


def stepping_stone(path: str) -> str:
    """A page of ours that leads on at once: what follows it comes from us, so the browser sends the session along."""
    body = (h("h1", "One moment"), h("p", link(path, "Go on"), " if nothing happens."))
    head = h("meta", http_equiv="refresh", content=f"0; url={path}")
    return document(
        h("html", h("head", h("meta", charset="utf-8"), head, h("title", PRODUCT)), h("body", *body), lang="en")
    )


def _document(title: str, top: Node, main: Node, refresh: str = "") -> str:
    head = h(
        "head",
        h("meta", charset="utf-8"),
        h("meta", name="viewport", content="width=device-width, initial-scale=1"),
        h("meta", name="color-scheme", content="light dark"),
        h("meta", name="robots", content="noindex"),
        h("title", f"{title} · {PRODUCT}" if title != PRODUCT else title),
        h("link", rel="icon", href=url("icon.svg"), type="image/svg+xml"),
        h("link", rel="stylesheet", href=url("app.css")),
        h("script", src=url("app.js"), defer=True),
        h("meta", http_equiv="refresh", content=EVERY) if refresh == EVERY else None,
    )
    skip = link("#main", "Skip to the contents", class_="skip")
    return document(h("html", head, h("body", skip, top, main), lang="en"))


def _top(visit: Visit, here: Page | None, pages: Sequence[Page]) -> Markup:
    current = _section(visit.path)
    items = [
        h("li", h("a", page.title, href=page.path, aria_current=_current(page, here, current)))
        for page in menu(pages)
    ]  # fmt: skip
    return h(
        "header",
        h(
            "div",
            _brand(),
            h("nav", h("ul", items), aria_label="Pages"),
            h("div", h("span", id="connection", role="status", class_="connection"), _leave(visit), class_="who"),
            class_="bar",
        ),
        class_="top",
    )


def _current(page: Page, here: Page | None, section: str) -> str | None:
    if here is not None and page.path == here.path:
        return "page"
    return "true" if page.path == section and section != "/" else None


def _section(path: str) -> str:
    """The part of the menu that a path belongs to: /scans/17 is of /scans."""
    return "/" + path.strip("/").split("/", 1)[0]


def _brand() -> Markup:
    mark = h("svg", h("path", d="M5 3h9l5 5v13H5z M14 3v5h5", class_="sheet"), h("path", d="M8.5 14l2.5 2.5 4.5-5", class_="tick"),
             viewBox="0 0 24 24", aria_hidden="true")  # fmt: skip
    return link("/", mark, h("span", PRODUCT), class_="brand")


def _leave(visit: Visit) -> Markup:
    told = h("span", visit.user, h("span", f" ({visit.role})", class_="soft"), class_="user")
    return post(visit, "/sign-out", told, button("Sign out", look="plain"))


def _as_of(visit: Visit) -> Markup:
    query = {name: value for name, value in visit.query.items() if name != "refresh"}
    now, often = address(visit.path, query), address(visit.path, {**query, "refresh": EVERY})
    again = h("noscript", " ", link(now, "Load again"), ", or ", link(often, f"every {EVERY} seconds"), ".")
    return h("p", f"As of {visit.now:%Y-%m-%d %H:%M:%S} UTC.", again, id="as-of", class_="soft as-of", data_region=True)
