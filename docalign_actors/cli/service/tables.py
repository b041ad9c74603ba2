"""Rows for people, or as JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec


def print_table(rows: Sequence[dict[str, Any]], names: Sequence[str], form: str) -> None:
    """Columns under their names; what a terminal would obey is not printed."""
    if form == "json":
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
        return
    cells = [[cell(row.get(name)) for name in names] for row in rows]
    widths = [max([len(name), *(len(line[i]) for line in cells)]) for i, name in enumerate(names)]
    for line in ([name.replace("_", " ") for name in names], *cells):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def cell(value: Any) -> str:
    """One value in one line."""
    text = "-" if value is None or value == "" else str(value)
    return "".join(c if c.isprintable() else "?" for c in text)


def moment(at: object) -> str:
    """A time to the second, in UTC."""
    return str(at)[:19].replace("T", " ") if at else ""
