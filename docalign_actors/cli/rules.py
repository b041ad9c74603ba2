"""`docalign rules` and `docalign explain RULE`."""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import sys
import textwrap
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
    """The rule, or each rule of a kind, and the kind's page."""
    rules = all_rules()
    told = [rule for rule in rules.values() if given.rule in (rule.id, rule.kind)]
    if not told:
        near = difflib.get_close_matches(given.rule, rules, 1)
        raise UsageError(
            f"There is no rule {given.rule!r}.",
            hint=f"Did you mean `{near[0]}`?" if near else "`docalign rules` lists them.",
        )
    print("".join(f"{rule.id} ({rule.severity.value}): {rule.summary}\n" for rule in told))
    page = _page(told[0].kind)
    print(fitted(page, shutil.get_terminal_size().columns) if sys.stdout.isatty() else page)
    return 0


def fitted(page: str, width: int) -> str:
    """The page for a terminal of this width: prose and lists are wrapped anew, tables and code stay as they are."""
    shown: list[str] = []
    prose: list[str] = []
    code = False

    def flow() -> None:
        if prose:
            item = prose[0].startswith("- ")
            text = " ".join(line.strip() for line in prose).removeprefix("- ")
            first, more = ("- ", "  ") if item else ("", "")
            shown.extend(
                textwrap.wrap(text, width, initial_indent=first, subsequent_indent=more, break_on_hyphens=False)
            )
            prose.clear()

    for line in page.splitlines():
        code ^= line.startswith("```")
        if code or not line.strip() or line.startswith(("```", "|", "#", "    ")):
            flow()
            shown.append(line)
        else:
            if line.startswith("- "):
                flow()
            prose.append(line)
    flow()
    return "\n".join(shown)


def _page(kind: str) -> str:
    """The kind's page, from the installed package or from the repository that this runs in."""
    for place in (resources.files("docalign_actors") / "rules", Path(__file__).parents[2] / "docs" / "rules"):
        page = place / f"{kind}.md"
        if page.is_file():
            # Only what stands above the title: further down comments are shown, as what one writes to silence the rule.
            return re.sub(r"\A(?:\s*<!--.*?-->)+", "", page.read_text("utf-8"), flags=re.DOTALL).strip()
    return "Its page is not installed."
