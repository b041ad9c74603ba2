"""The actor tree as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def drawn(answer: Mapping[str, Any], width: int) -> list[str]:
    """Lines for a terminal of this width, the children of each actor below it."""
    actors = answer["actors"]
    children: dict[str, list[Mapping[str, Any]]] = {}
    for actor in actors:
        children.setdefault(actor["parent"], []).append(actor)
    head = f"{'ACTOR':<52} {'STATE':<11} {'WAITING':>7} {'RESTARTS':>8}  UNDER WAY"
    lines = [head, "supervisor"]
    _draw("supervisor", children, "", lines)
    for family in answer.get("families", ()):
        lines.append("  ".join(f"{key} {value}" for key, value in family.items() if not isinstance(value, list | dict)))
    return [line[:width] for line in lines]


def _draw(parent: str, children: Mapping[str, Sequence[Mapping[str, Any]]], indent: str, lines: list[str]) -> None:
    below = children.get(parent, ())
    for number, actor in enumerate(below, 1):
        last = number == len(below)
        name = str(actor["name"]).removeprefix(f"{parent}/")
        label = f"{indent}{'└── ' if last else '├── '}{name}"
        doing = f"{actor['under_way']} for {actor['under_way_for']:.1f} s" if actor["under_way"] else ""
        trouble = f"  last error: {actor['last_error']}" if actor["last_error"] else ""
        text = f"{label:<52} {actor['state']:<11} {actor['depth']:>7} {actor['restarts']:>8}  {doing}{trouble}"
        lines.append("".join(c if c.isprintable() else "?" for c in text))
        _draw(str(actor["name"]), children, indent + ("    " if last else "│   "), lines)
