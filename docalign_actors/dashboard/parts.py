"""What every page is put together from: chips, tables, forms, meters, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Problem, Visit
from docalign_actors.dashboard.words import MINUS, STATE_TONES, STATUS_TONES

CSRF_FIELD = "csrf_token"
LONGEST_CHIP = 28


def chip(text: str, tone: str) -> Markup:
    """A word in a coloured field. The word says it, the colour only helps. It does not break, so it is cut."""
    if len(text) > LONGEST_CHIP:
        return h("span", text[: LONGEST_CHIP - 1] + "…", class_=f"chip {tone}", title=text)
    return h("span", text, class_=f"chip {tone}")


def status(word: str) -> Markup:
    """The status of a scan or of a repository."""
    return chip(word, STATUS_TONES.get(word, "quiet"))


def state(word: str) -> Markup:
    """The state of an actor."""
    return chip(word, STATE_TONES.get(word, "quiet"))


def region(key: str, heading: Node, *body: Node, aside: Node = None, level: str = "h2") -> Markup:
    """A part of a page with a heading of its own. The script renews it as a whole, found again by its key."""
    top = h("header", h(level, heading, id=f"{key}-heading"), aside, class_="region-head")
    return h("section", top, *body, id=key, class_="region", aria_labelledby=f"{key}-heading", data_region=True)


def table(columns: Sequence[tuple[str, str]], rows: Sequence[Markup], caption: str) -> Markup:
    """Columns are (heading, class). On a narrow screen a row becomes a card, each cell with its heading before it."""
    head = h("tr", [h("th", name, class_=style or None, scope="col") for name, style in columns])
    return h(
        "table",
        h("caption", caption, class_="unseen"),
        h("thead", head),
        h("tbody", rows),
        class_="cards",
    )


def row(key: str, cells: Sequence[tuple[str, str, Node]], **attributes: str) -> Markup:
    """Cells are (heading, class, contents); the first one names the row."""
    named, *rest = cells
    made = [h("th", named[2], scope="row", class_=named[1] or None), *(_cell(*cell) for cell in rest)]
    return h("tr", made, data_key=key, **attributes)


def _cell(name: str, style: str, node: Node) -> Markup:
    blank = "blank" if node in (MINUS, 0) else ""
    style = f"{style} {blank}".strip()
    return h("td", h("span", name, class_="cell-name", aria_hidden="true"), h("div", node), class_=style or None)


def empty(text: str, *more: Node) -> Markup:
    """What stands where there is nothing yet."""
    return h("p", text, more and join(" ", *more), class_="empty")


def link(href: str, *text: Node, **attributes: str) -> Markup:
    return h("a", *text, href=href, **attributes)


def post(visit: Visit, action: str, *fields: Node, **attributes: str) -> Markup:
    """A form that works without script. It carries the token that tells it from a stranger's form."""
    return h("form", hidden(CSRF_FIELD, visit.csrf), *fields, method="post", action=action, **attributes)


def button(text: Node, *, label: str = "", look: str = "") -> Markup:
    return h("button", text, type="submit", class_=look or None, aria_label=label or None)


def hidden(name: str, value: str) -> Markup:
    return h("input", type="hidden", name=name, value=value)


def meter(share: int, label: str, tone: str) -> Markup:
    """0 to 100 as a bar; drawn, since the pages allow no style attribute."""
    bar = h("rect", x="0", y="0", width=str(max(0, min(100, share))), height="6", rx="3", class_="fill")
    rest = h("rect", x="0", y="0", width="100", height="6", rx="3", class_="rest")
    return h(
        "svg", rest, bar, viewBox="0 0 100 6", preserveAspectRatio="none", role="img", aria_label=label,
        class_=f"meter {tone}",
    )  # fmt: skip


def figures(items: Sequence[tuple[str, Node, str]]) -> Markup:
    """(name, number, tone) as a row of figures."""
    return h("dl", [h("div", h("dt", name), h("dd", value), class_=tone or None) for name, value, tone in items],
             class_="figures")  # fmt: skip


WIDE = ("Address", "Name", "Id")
"""Facts that are too long for a column."""


def facts(items: Sequence[tuple[str, Node]]) -> Markup:
    """Names and values, one below the other; without those that have no value."""
    shown = [(name, node) for name, node in items if node is not None and node != ""]
    made = [h("div", h("dt", name), h("dd", node), class_="row-wide" if name in WIDE else None) for name, node in shown]
    return h("dl", made, class_="facts")


def alert(problem: Problem) -> Markup:
    """What went wrong, with its code and what to do."""
    return h(
        "div",
        h("p", h("strong", problem.text), " ", h("code", problem.code, class_="soft")),
        h("p", prose(problem.hint)) if problem.hint else None,
        class_="alert",
        role="alert",
    )


def prose(text: str) -> Markup:
    """A sentence in which backticks set code apart."""
    pieces = text.split("`")
    whole = len(pieces) - (1 if len(pieces) % 2 else 2)
    made: list[Node] = []
    for n, piece in enumerate(pieces):
        if n % 2 and n <= whole:
            made.append(h("code", piece))
        else:
            made.append(piece if n <= whole else "`" + piece)
    return join(*made)


def scroller(text: str, label: str) -> Markup:
    """Text in lines that may be longer than the screen is wide. It can be reached, and so scrolled, by keyboard."""
    return h("pre", text, tabindex="0", role="region", aria_label=label)


def code(text: str, limit: int = 0) -> Markup:
    """A name out of a repository. It may break anywhere, and what is cut is there for whoever points at it."""
    if limit and len(text) > limit:
        return h("code", text[: limit - 1] + "…", title=text)
    return h("code", text or MINUS)


def steps(path: str, query: Mapping[str, str], after: str, *, first: bool) -> Markup | None:
    """Onwards and back to the start of a long list."""
    if first and not after:
        return None
    kept = {k: v for k, v in query.items() if k != "after" and v}
    return h(
        "nav",
        None if first else link(address(path, kept), "Back to the first"),
        link(address(path, {**kept, "after": after}), "Older") if after else None,
        class_="steps",
        aria_label="More of the list",
    )


def address(path: str, query: Mapping[str, str]) -> str:
    """A path with a query behind it."""
    return f"{path}?{urlencode(query)}" if query else path
