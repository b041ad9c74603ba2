"""Workflow commands that GitHub Actions turns into annotations on the lines of a pull request."""

from __future__ import annotations

from docalign_actors.findings.model import Fix
from docalign_actors.findings.report import Report
from docalign_actors.reporting.style import Style, printable
from docalign_actors.reporting.text import summary

_LEVELS = {"high": "error", "medium": "warning", "low": "notice"}


def render(report: Report) -> str:
    """A command for each mention. What a repository says cannot start a command of its own."""
    lines = []
    for finding in report.drifted:
        first = finding.mentions[0]  # the fix is what to write there; another spelling needs another text
        evidence = "".join(f"\n{e.sentence}" for e in finding.evidence)
        for m in finding.mentions:
            place = f"file={_property(m.file)},line={m.line},col={m.column},endColumn={m.column + len(m.text)}"
            fix = Fix(m.replacement, m.safe) if m.replacement is not None else finding.fix if m is first else None
            help_text = f"\nWrite `{fix.replacement}` instead{'' if fix.safe else ' (not certain)'}." if fix else ""
            title = _property(f"docalign {finding.rule}")
            lines.append(
                f"::{_LEVELS[finding.severity.value]} {place},title={title}::{_data(finding.message + evidence + help_text)}"
            )
    return "\n".join([*lines, summary(report, Style(colour=False))]) + "\n"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
