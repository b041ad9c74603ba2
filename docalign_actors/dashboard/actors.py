"""The tree of actors as rows. Pure: what is shown, in which order, and how it is named."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.parts import chip, code, link, row, state, table
from docalign_actors.dashboard.views import Tree
from docalign_actors.dashboard.words import MINUS, length
from docalign_actors.supervision import ActorInfo

DEEPEST = 4
COLUMNS = (("Actor", ""), ("State", ""), ("Mailbox", "number"), ("Under way", ""), ("Restarts", "number"))


def in_order(actors: Sequence[ActorInfo]) -> list[tuple[int, ActorInfo]]:
    """(depth, actor), each parent before its children. An actor whose parent is not listed stands at the top."""
    known = {actor.name for actor in actors}
    children: dict[str, list[ActorInfo]] = {}
    for actor in actors:
        at_top = actor.parent not in known or actor.parent == actor.name
        children.setdefault("" if at_top else actor.parent, []).append(actor)
    found: list[tuple[int, ActorInfo]] = []
    stack = [(0, actor) for actor in reversed(children.pop("", []))]
    while stack:
        depth, actor = stack.pop()
        found.append((depth, actor))
        stack.extend((depth + 1, child) for child in reversed(children.pop(actor.name, [])))
    return found


def worth_a_look(actor: ActorInfo) -> bool:
    """Whether an actor is more than one of many that are idle."""
    return bool(
        actor.depth
        or actor.under_way
        or actor.restarts
        or actor.last_error
        or actor.state not in ("running", "starting")
    )


def tree_table(visit: Visit, tree: Tree, most: int = 0) -> Markup:
    """The tree. `most` rows at the most: then the idle ones among the many are left out first."""
    rows = in_order(tree.actors)
    if most and len(rows) > most:
        kept = {actor.name for depth, actor in rows if depth < 1 or "/" not in actor.name}
        lively = [actor for _, actor in rows if actor.name not in kept and worth_a_look(actor)]
        kept |= {actor.name for actor in lively[: max(most - len(kept), 0)]}
        rows = [(depth, actor) for depth, actor in rows if actor.name in kept][:most]
    return table(COLUMNS, [_row(tree, depth, actor) for depth, actor in rows], "Actors")


def _row(tree: Tree, depth: int, actor: ActorInfo) -> Markup:
    name = link(address(actor.name), title(tree, actor), class_="name", title=actor.name)
    # One that was given up stands beside its successor, under the same name.
    return row(f"{actor.name} fenced" if actor.state == "fenced" else actor.name, [
        ("Actor", f"depth-{min(depth, DEEPEST)}", join(name, " ", h("span", actor.kind, class_="soft kind"))),
        ("State", "", state(actor.state)),
        ("Mailbox", "number", mailbox(actor)),
        ("Under way", "", message(actor)),
        ("Restarts", "number", restarts(actor)),
    ])  # fmt: skip


def address(name: str) -> str:
    return f"/actors/{quote(name)}"


def title(tree: Tree, actor: ActorInfo) -> str:
    """Its name without its parent's; a repository's own name instead of its id."""
    own = actor.name.removeprefix(actor.parent + "/") if actor.parent else actor.name
    family, _, key = own.partition("/")
    if key and key in tree.names:
        return tree.names[key]
    return f"{family} {key[:8]}" if len(key) == 36 else own


def mailbox(actor: ActorInfo) -> Node:
    if not actor.depth:
        return 0
    return join(actor.depth, h("span", f" oldest {length(actor.oldest)}", class_="soft sub"))


def message(actor: ActorInfo) -> Node:
    if not actor.under_way:
        return MINUS
    return join(code(actor.under_way, 60), h("span", f" {length(actor.under_way_for)}", class_="soft"))


def restarts(actor: ActorInfo) -> Node:
    return chip(str(actor.restarts), "warn") if actor.restarts else 0
