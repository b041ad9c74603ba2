"""One line a mention, for editors and grep: file:line:column: rule[severity] message."""

from __future__ import annotations

from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report
from docalign_actors.reporting.style import Style, printable, printable_path
from docalign_actors.reporting.text import summary


def render(report: Report) -> str:
    """Every mention of every finding, then the summary."""
    lines: list[tuple[str, int, int, str]] = []
    for finding in report.findings:
        label = finding.severity.value if finding.verdict is Verdict.DRIFTED else finding.verdict.value
        for mention in finding.mentions:
            message = printable(finding.message or f"`{finding.claim}`")
            lines.append((mention.file, mention.line, mention.column, f"{finding.rule}[{label}] {message}"))
    told = [f"{printable_path(file)}:{line}:{column}: {text}" for file, line, column, text in sorted(lines)]
    return "\n".join([*told, summary(report, Style(colour=False))]) + "\n"
