"""`docalign rules` and `docalign explain RULE`."""

from __future__ import annotations

import argparse
import difflib
import re
from importlib import resources
from pathlib import Path

import msgspec

from docalign_actors.engine.scan import all_rules
from docalign_actors.errors import UsageError


def run_rules(given: argparse.Namespace) -> int:
    """One line a rule."""
    rules = sorted(all_rules().values(), key=lambda rule: (rule.kind, rule.id))
    if given.format == "json":
        listing = [{"id": r.id, "kind": r.kind, "severity": r.severity.value, "summary": r.summary} for r in rules]
        print(msgspec.json.format(msgspec.json.encode(listing), indent=2).decode())
        return 0
    widest = max(len(rule.id) for rule in rules)
    for rule in rules:
        print(f"{rule.id:<{widest}}  {rule.severity.value:<6}  {rule.summary}")
    return 0


def run_explain(given: argparse.Namespace) -> int:
    """The rule, and the page of its kind."""
    rules = all_rules()
    by_kind = {rule.kind: rule for rule in rules.values()}
    rule = rules.get(given.rule) or by_kind.get(given.rule)
    if rule is None:
        near = difflib.get_close_matches(given.rule, rules, 1)
        raise UsageError(
            f"There is no rule {given.rule!r}.",
            hint=f"Did you mean `{near[0]}`?" if near else "`docalign rules` lists them.",
        )
    print(f"{rule.id} ({rule.severity.value}): {rule.summary}\n")
    print(_page(rule.kind))
    return 0


def _page(kind: str) -> str:
    """The kind's page, from the installed package or from the repository that this runs in."""
    for place in (resources.files("docalign_actors") / "rules", Path(__file__).parents[2] / "docs" / "rules"):
        page = place / f"{kind}.md"
        if page.is_file():
            return re.sub(r"<!--.*?-->\n?", "", page.read_text("utf-8"), flags=re.DOTALL).strip()
    return "Its page is not installed."
