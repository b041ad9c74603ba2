"""The tree of actors as rows. Pure: what is shown, in which order, and how it is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.parts import chip, code, link, row, state, table
from docalign_actors.dashboard.views import Tree
from docalign_actors.dashboard.words import MINUS, length
from docalign_actors.supervision import ActorInfo

DEEPEST = 4
COLUMNS = (("Actor", ""), ("State", ""), ("Mailbox", "number"), ("Under way", "wide"), ("Restarts", "number"))


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


def tree_table(tree: Tree, most: int = 0) -> Markup:
    """The tree. With more than `most` actors only the permanent ones are shown, and those that are at something."""
    rows = in_order(tree.actors)
    if most and len(rows) > most:
        rows = _chosen(rows, most)
    return table(COLUMNS, [_row(tree, depth, actor) for depth, actor in rows], "Actors")


def _chosen(rows: Sequence[tuple[int, ActorInfo]], most: int) -> list[tuple[int, ActorInfo]]:
    parents = {actor.name: actor.parent for _, actor in rows}
    kept = {name for name in parents if "/" not in name}
    for _, actor in rows:
        if worth_a_look(actor) and len(kept) < most:
            kept.add(actor.name)
            if actor.parent in parents:
                kept.add(actor.parent)
    return [(depth, actor) for depth, actor in rows if actor.name in kept][:most]


def _row(tree: Tree, depth: int, actor: ActorInfo) -> Markup:
    name = link(address(actor.name), title(tree, actor), class_="name", title=actor.name)
    # One that was given up stands beside its successor, under the same name.
    return row(f"{actor.name} fenced" if actor.state == "fenced" else actor.name, [
        ("Actor", f"depth-{min(depth, DEEPEST)}", join(name, " ", h("span", actor.kind, class_="soft kind"))),
        ("State", "", state(actor.state)),
        ("Mailbox", "number", mailbox(actor)),
        ("Under way", "wide", message(actor)),
        ("Restarts", "number", restarts(actor)),
    ])  # fmt: skip


def address(name: str) -> str:
    return f"/actors/{quote(name)}"


def title(tree: Tree, actor: ActorInfo) -> str:
    """Its name without its parent's."""
    return spoken(actor.name.removeprefix(actor.parent + "/"), tree.names)


def spoken(name: str, names: Mapping[str, str]) -> str:
    """A name as people say it: a repository by its own name, anything else by the last digits of its id."""
    words: list[str] = []
    family = ""
    for part in name.split("/"):
        if family and len(part) == 36:
            words[-1] = names.get(part, f"{family} {part[-8:]}")
        else:
            words.append(part)
        family = part
    return " / ".join(words)


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
