"""Every statement of the service has an index to go by. `DOCALIGN_PLANS=folder` leaves the plan of each there, to be read."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import statements

WHOLE = {
    "apps_figures": "how many subscriptions there are, for the figures",
    "github_seen_installations": "every installation is compared with GitHub's list",
    "watch_rules": "after a time in which nobody looked every schedule is planned anew",
}
"""Statements that read a whole table, and why they may."""
_TYPES = {"now": "::timestamptz", "until": "::timestamptz"}
_PARAMETER = re.compile(r"%\((\w+)\)s")


def generic(statement: str) -> str:
    """The statement as the server prepares it: with numbers for values, and the type of those that do not show it."""
    numbers: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        name = match[1]
        return f"${numbers.setdefault(name, len(numbers) + 1)}{_TYPES.get(name, '')}"

    return _PARAMETER.sub(numbered, statement).replace("%%", "%")


def plan_of(connection: Connection, statement: str) -> list[str]:
    # Only where there is no other way is a whole table read now, however few rows it has.
    connection.execute("SET LOCAL enable_seqscan = off")
    rows: list[tuple[Any, ...]] = connection.execute(
        ("EXPLAIN (GENERIC_PLAN) " + generic(statement)).encode(), prepare=False
    ).fetchall()
    return [str(row[0]) for row in rows]


def test_every_statement_finds_its_rows_by_an_index(fresh_database: Database) -> None:
    plans = {}
    for name, statement in sorted(statements().items()):
        with fresh_database.transaction() as connection:
            plans[name] = plan_of(connection, statement)
    if folder := os.environ.get("DOCALIGN_PLANS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, plan in plans.items():
            (Path(folder) / f"{name}.txt").write_text("\n".join([statements()[name], "", *plan, ""]))
    whole = {name: plan for name, plan in plans.items() if any("Seq Scan on" in line for line in plan)}
    assert whole.keys() == WHOLE.keys(), "\n\n".join("\n".join([name, *plan]) for name, plan in whole.items())
