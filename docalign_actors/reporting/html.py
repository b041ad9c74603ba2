"""A page to send to a colleague: one file, no script, no request to anywhere, readable in the dark and on a phone."""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import groupby

from docalign_actors.findings.model import Evidence, Finding, Mention
from docalign_actors.findings.report import Report
from docalign_actors.reporting.style import printable
from docalign_actors.reporting.text import not_shown

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --paper: #fcfcfd; --card: #fff; --line: #e0e1e6;
  --high: #c62a2f; --medium: #ad5700; --low: #0b68cb; --good: #18794e; --mark: #ffe5e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #b0b4ba; --paper: #111113; --card: #18191b; --line: #2e3135;
  --high: #ff9592; --medium: #ffa057; --low: #70b8ff; --good: #3dd68c; --mark: #500f1c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2.2rem 0 .6rem; overflow-wrap: anywhere; }
p.soft, .soft { color: var(--soft); margin: 0; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.figures li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem 1rem; min-width: 7rem; }
.figures b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
article { background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--tone); border-radius: .5rem;
  padding: .8rem 1rem; margin: 0 0 .8rem; }
article h3 { font-size: 1rem; margin: 0 0 .4rem; font-weight: 600; overflow-wrap: anywhere; }
.high { --tone: var(--high); } .medium { --tone: var(--medium); } .low { --tone: var(--low); }
.tag { font-size: .78rem; font-weight: 600; color: var(--tone); }
code, pre { font-family: ui-monospace, monospace; font-size: .86rem; }
pre { margin: .4rem 0; padding: .5rem .7rem; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem;
  overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; text-decoration: underline wavy var(--tone); text-underline-offset: .2em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: .4rem 0 0; font-size: .9rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.good { color: var(--good); }
details { margin-top: 2rem; } summary { cursor: pointer; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .3rem; } }
"""


def render(report: Report) -> str:
    """The whole page."""
    counts = report.summary
    title = (
        f"{len(report.drifted)} false claim{'' if len(report.drifted) == 1 else 's'} in the documentation"
        if report.drifted
        else _fine(report)
    )
    whole = f"{_text(report.name)}: {title}" if report.name else title
    name = f"<b>{_text(report.name)}</b>, " if report.name else ""
    scope = (
        f"what changed since <code>{_text(report.changed_since)}</code>"
        if report.changed_since
        else "the whole repository"
    )
    figures = "".join(
        f"<li><b>{number:,}</b>{name}</li>"
        for number, name in (
            (counts.documents, "documents"), (counts.claims, "claims"), (counts.verified, "verified"), (counts.drifted, "drifted"),
            (counts.uncertain, "uncertain"),
        )
    )  # fmt: skip
    body = "".join(
        _document(name, list(items)) for name, items in groupby(report.drifted, key=lambda finding: finding.file)
    )
    cut = "".join(f"<p>{_prose(line)}</p>" for line in not_shown(report))
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=generator content=docalign>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{whole}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{title}</h1><p class=soft>{name}{scope}, at commit <code>{_text(report.commit[:12]) or 'none'}</code>; "
        f"{_severities(report)}"
        f"{counts.duration_ms / 1000:.2f} s</p>"
        f"<ul class=figures>{figures}</ul>{cut}{body}{_notes(report)}</main></body></html>\n"
    )


def _fine(report: Report) -> str:
    return (
        "Nothing false was found in the documentation"
        if report.summary.claims
        else "The change touches nothing that the documentation claims"
        if report.changed_since
        else "No checkable claim was found: nothing was examined"
    )


def _severities(report: Report) -> str:
    counts = Counter(finding.severity.value for finding in report.drifted)
    told = ", ".join(f"{counts[name]} {name}" for name in ("high", "medium", "low") if counts[name])
    return f"{told}; " if told else ""


def _document(name: str, findings: list[Finding]) -> str:
    return f"<h2>{_text(name)}</h2>" + "".join(_finding(finding) for finding in findings)


def _finding(finding: Finding) -> str:
    others = "".join(
        f"<dt>also at</dt><dd><code>{_text(m.file)}:{m.line}:{m.column}</code></dd>" for m in finding.mentions[1:]
    )
    evidence = "".join(f"<dt>evidence</dt><dd>{_evidence(item)}</dd>" for item in finding.evidence)
    fix = ""
    if finding.fix:
        sure = "" if finding.fix.safe else " (not certain)"
        fix = f"<dt>write instead</dt><dd><code class=good>{_text(finding.fix.replacement)}</code>{sure}</dd>"
    return (
        f"<article class={finding.severity.value} id=f-{finding.id}><h3>{_prose(finding.message)}</h3>"
        f"<span class=tag>{_text(finding.rule)} · {finding.severity.value}</span>{_excerpt(finding.mentions[0])}"
        f"<dl>{evidence}{fix}{others}</dl></article>"
    )


def _excerpt(mention: Mention) -> str:
    if not mention.source:
        return f"<p class=soft>line {mention.line}</p>"
    start, end = mention.column - 1, mention.column - 1 + len(mention.text)
    line = mention.source
    marked = f"{_text(line[:start])}<mark>{_text(line[start:end])}</mark>{_text(line[end:])}"
    return f"<pre tabindex=0><span class=soft>{mention.line} │ </span>{marked}</pre>"


def _evidence(item: Evidence) -> str:
    place = f"<code>{_text(item.file)}{f':{item.line}' if item.line else ''}</code> " if item.file else ""
    return place + _prose(item.told)


def _notes(report: Report) -> str:
    if not report.notes:
        return ""
    items = "".join(
        f"<li>{f'<code>{_text(n.file)}</code>: ' if n.file else ''}{_text(n.text)}</li>" for n in report.notes[:500]
    )
    return f"<details><summary>What was not read ({len(report.notes)})</summary><ul>{items}</ul></details>"


def _prose(message: str) -> str:
    """A message of ours: what stands between backticks is code."""
    parts = message.split("`")
    return "".join(
        f"<code>{_text(p)}</code>" if n % 2 and n < len(parts) - 1 else _text(p) for n, p in enumerate(parts)
    )


def _text(text: str) -> str:
    return escape(printable(text))
