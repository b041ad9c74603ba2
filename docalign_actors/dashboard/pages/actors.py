"""The actors: the whole tree, and one of them with its thread's stack."""

from __future__ import annotations

from docalign_actors.dashboard.actors import address, mailbox, message, restarts, spoken, title, tree_table
from docalign_actors.dashboard.html import Node, h, join
from docalign_actors.dashboard.page import Page, Shown, Visit
from docalign_actors.dashboard.pages.incidents import incident_list
from docalign_actors.dashboard.parts import code, empty, facts, figures, link, region, row, scroller, state, table
from docalign_actors.dashboard.views import ActorDetail, Reader, Tree
from docalign_actors.dashboard.words import MINUS, when


def pages(reader: Reader) -> list[Page]:
    async def load_tree(visit: Visit) -> Tree:
        return await reader.tree()

    async def load_one(visit: Visit) -> ActorDetail:
        return await reader.actor(visit.params["name"])

    tree = Page(path="/actors", title="Actors", load=load_tree, render=render_tree, nav=40, topics=("actors",))
    one = Page(path="/actors/{name:path}", title="Actor", load=load_one, render=render_one, topics=("actors",))
    return [tree, one]


def render_tree(visit: Visit, view: Tree) -> Shown:
    waiting = sum(actor.depth for actor in view.actors)
    restarted = sum(actor.restarts for actor in view.actors)
    numbers = figures([
        ("Actors", len(view.actors), ""), ("Messages in mailboxes", waiting, ""),
        ("Restarts", restarted, "warn" if restarted else ""),
        ("Dead letters", view.dead_letters, "warn" if view.dead_letters else ""),
    ])  # fmt: skip
    nothing = empty("No actor runs: the service is starting or stopping.")
    return Shown("Actors", join(
        h("h1", "Actors"), h("div", numbers, id="figures", data_region=True),
        region("actors", "Tree", tree_table(view) if view.actors else nothing), _families(view), _letters(view),
    ))  # fmt: skip


def _families(view: Tree) -> Node:
    """Actors that come with work and go without it: of those that are gone only figures are left."""
    if not view.families:
        return None
    columns = [
        ("Family", ""),
        *((name, "number") for name in ("Live", "At most", "Peak", "Waiting", "Started", "Put to rest")),
    ]
    rows = [
        row(f.prefix, [
            ("Family", "", code(f"{f.prefix}/…")), ("Live", "number", f.live), ("At most", "number", f.most_live),
            ("Peak", "number", f.peak), ("Waiting", "number", f.waiting), ("Started", "number", f.activations),
            ("Put to rest", "number", f.passivations),
        ])
        for f in view.families
    ]  # fmt: skip
    return region("families", "Families", table(columns, rows, "Families of actors"))


def _letters(view: Tree) -> Node:
    if not view.letters:
        return None
    columns = [("To", ""), ("Message", ""), ("Why nobody handled it", ""), ("Trace", "")]
    rows = [
        row(f"letter-{n}", [
            ("To", "", h("span", spoken(letter.name, view.names), title=letter.name)), ("Message", "", code(letter.kind)),
            ("Why nobody handled it", "", letter.reason), ("Trace", "", code(letter.trace) if letter.trace else MINUS),
        ])
        for n, letter in enumerate(view.letters)
    ]  # fmt: skip
    return region("letters", "Last dead letters", table(columns, rows, "Messages that nobody handled"))


def render_one(visit: Visit, view: ActorDetail) -> Shown:
    actor = view.actor
    told = facts([
        ("Kind", actor.kind),
        ("Parent", link(address(actor.parent), actor.parent) if actor.parent else None),
        ("Mailbox", mailbox(actor)), ("Under way", message(actor)), ("Restarts", restarts(actor)),
        ("Started", when(actor.started_at, visit.now)), ("Name", h("code", actor.name)),
    ])  # fmt: skip
    head = h(
        "div",
        h("h1", title(view.tree, actor), class_="name"),
        state(actor.state),
        class_="title",
        id="actor-title",
        data_region=True,
    )
    error = region("error", "Last error", scroller(actor.last_error, "Last error")) if actor.last_error else None
    children = region("actors", "Children", tree_table(view.tree)) if view.tree.actors else None
    stack = scroller(view.stack, "Stack") if view.stack else empty("Its thread has no stack at this instant.")
    return Shown(actor.name, join(
        link("/actors", "Actors", class_="up"), head, h("div", told, id="about", data_region=True), error, children,
        region("stack", "Stack of its thread", stack),
        region("incidents", "Its incidents", incident_list(visit, view.incidents, view.tree.names, "It has not failed.")),
    ))  # fmt: skip
