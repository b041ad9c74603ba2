"""A report in Markdown, for a job summary or a comment. Whatever comes from a repository is escaped."""

from __future__ import annotations

import re

from docalign_actors.findings.model import Finding
from docalign_actors.findings.report import Report
from docalign_actors.reporting.style import Style, printable
from docalign_actors.reporting.text import summary

_MARKS = {"high": "🔴", "medium": "🟠", "low": "🔵"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~@&])")
_MOST = 200


def render(report: Report) -> str:
    """A table of findings with their evidence, then the summary."""
    lines = ["## Documentation check", "", summary(report, Style(colour=False)).replace("\n", "  \n"), ""]
    if report.drifted:
        lines += ["| | where | what is false | evidence | write instead |", "|---|---|---|---|---|"]
        lines += [_row(finding) for finding in report.drifted[:_MOST]]
    if len(report.drifted) > _MOST:
        lines += ["", f"{len(report.drifted) - _MOST} more findings are not listed here."]
    return "\n".join(lines) + "\n"


def _row(finding: Finding) -> str:
    places = "<br>".join(escaped(f"{m.file}:{m.line}") for m in finding.mentions[:10])
    if len(finding.mentions) > 10:
        places += f"<br>and {len(finding.mentions) - 10} more"
    evidence = "<br>".join(escaped(e.sentence) for e in finding.evidence[:3])
    fix = code(finding.fix.replacement) + ("" if finding.fix.safe else " (not certain)") if finding.fix else ""
    return f"| {_MARKS[finding.severity.value]} `{finding.rule}` | {places} | {prose(finding.message)} | {evidence} | {fix} |"


def escaped(text: str) -> str:
    """A repository's text as plain words: no markup, no mention of anybody, no line break."""
    return _SPECIAL.sub(r"\\\1", printable(text).replace("\n", " ")).replace("\\@", "@\u200b")


def prose(message: str) -> str:
    """A message of ours, in which what stands between backticks is a repository's."""
    parts = message.split("`")
    return "".join(
        code(part) if number % 2 and number < len(parts) - 1 else escaped(part) for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """A code span that its content cannot leave, inside a table cell."""
    clean = printable(text).replace("\n", " ").replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", clean)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if clean.startswith("`") or clean.endswith("`") else ""
    return f"{fence}{pad}{clean}{pad}{fence}" if clean else ""
