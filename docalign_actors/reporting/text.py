"""The report for people at a terminal: what is false, where, why, and what to write instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docalign_actors.findings.model import CERTAIN, Evidence, Finding, Mention, Verdict
from docalign_actors.findings.report import Report
from docalign_actors.reporting.alike import LEAST_ALIKE, heaps
from docalign_actors.reporting.style import Style, plural, printable, printable_path, width

_SEVERITY_COLOUR = {"high": "red", "medium": "yellow", "low": "cyan"}
_VERDICT_COLOUR = {Verdict.VERIFIED: "green", Verdict.UNCERTAIN: "dim", Verdict.ASIDE: "dim"}
_MOST_PLACES = 20
_OF_A_HEAP = 3
"""Findings that stand for all that are alike."""
_LONGEST_LINE = 72
"""Characters of a source line that are shown: with its number they fit into the narrowest usual terminal."""
_MOST_NOTES = 8
_MOST_CAUSES, _LEAST_IN_COMMON = 3, 5
_SHORT = 9


def render(report: Report, *, colour: bool = False, verbose: bool = False) -> str:
    """Every finding with its source line, evidence and help, then the summary."""
    paint = Style(colour=colour)
    parts: list[str] = []
    for heap in heaps(report.findings):
        shown = heap if verbose or len(heap) < LEAST_ALIKE else heap[:_OF_A_HEAP]
        parts.extend(_finding(finding, paint) for finding in shown)
        if len(shown) < len(heap):
            parts.append(_rest(heap[len(shown) :], paint))
    parts.extend(_notes(report, paint, verbose=verbose))
    parts.append(summary(report, paint))
    return "\n".join(parts) + "\n"


def _rest(findings: Sequence[Finding], paint: Style) -> str:
    """One line for those that tell nothing new, with where they stand."""
    first, last = findings[0], findings[-1]
    where = f"in {printable_path(first.file)}, lines {first.line} to {last.line}"
    told = f"... {plural(len(findings), 'more finding')} of {first.rule} alike {where} (--verbose shows each)"
    return paint(told, "dim") + "\n"


def _finding(finding: Finding, paint: Style) -> str:
    drifted = finding.verdict is Verdict.DRIFTED
    tone = _SEVERITY_COLOUR[finding.severity.value] if drifted else _VERDICT_COLOUR[finding.verdict]
    label = finding.severity.value if drifted else finding.verdict.value
    message = printable(finding.message) or f"`{printable(finding.claim)}`"
    gutter = " " * len(str(finding.line))
    lines = [
        f"{paint(f'{finding.rule}[{label}]', tone, 'bold')}: {paint(message, 'bold')}",
        f"{gutter}{paint('-->', 'blue')} {printable_path(finding.file)}:{finding.line}:{finding.column}",
    ]
    lines.extend(_excerpt(finding.mentions[0], gutter, tone, paint))
    lines.extend(
        f"{gutter} {paint('=', 'blue')} {paint('evidence:', 'bold')} {_evidence(item)}" for item in finding.evidence
    )
    others = finding.mentions[1:]
    if others:
        places = ", ".join(f"{printable_path(m.file)}:{m.line}:{m.column}" for m in others[:_MOST_PLACES])
        more = len(others) - _MOST_PLACES
        places += f" and {plural(more, 'more place')} (--format concise names each)" if more > 0 else ""
        lines.append(f"{gutter} {paint('=', 'blue')} {paint('also at:', 'bold')} {places}")
    if drifted and finding.confidence < CERTAIN:
        why = "it has been so for long, or may be meant in another way"
        lines.append(f"{gutter} {paint('=', 'blue')} {paint('doubt:', 'bold')} {why}")
    if finding.fix:
        sure = "" if finding.fix.safe else " (not certain)"
        text = paint(printable(finding.fix.replacement), "green")
        lines.append(f"{gutter} {paint('=', 'blue')} {paint('help:', 'bold')} write `{text}`{sure}")
    return "\n".join([*lines, ""])


def _excerpt(mention: Mention, gutter: str, tone: str, paint: Style) -> list[str]:
    """The source line with the claim underlined, cut round the claim if it is long."""
    if not mention.source:
        return []
    start = mention.column - 1
    fits = start + len(mention.text) <= _LONGEST_LINE
    cut = 0 if fits else max(0, min(start - _LONGEST_LINE // 3, len(mention.source) - _LONGEST_LINE))
    shown = mention.source[cut : cut + _LONGEST_LINE]
    before, claim = printable(shown[: start - cut]), printable(shown[start - cut : start - cut + len(mention.text)])
    dots, more = "…" if cut else "", "…" if cut + _LONGEST_LINE < len(mention.source) else ""
    bar = paint("|", "blue")
    carets = paint("^" * max(1, width(claim)), tone)
    return [
        f"{gutter} {bar}",
        f"{paint(str(mention.line), 'blue')} {bar} {dots}{printable(shown)}{more}",
        f"{gutter} {bar} {' ' * (width(dots) + width(before))}{carets}",
    ]


def _evidence(item: Evidence) -> str:
    return (f"{printable_path(item.place)}: " if item.file else "") + printable(item.told)


def _notes(report: Report, paint: Style, *, verbose: bool) -> list[str]:
    shown = report.notes if verbose else [note for note in report.notes if not note.file]
    lines = [
        f"{paint('note:', 'cyan')} {printable(f'{n.file}: ' if n.file else '')}{printable(n.text)}"
        for n in shown[: None if verbose else _MOST_NOTES]
    ]
    hidden = len(report.notes) - len(shown)
    if hidden > 0:
        told = (
            f"{hidden} files were not read in full; --verbose names them."
            if hidden > 1
            else "One file was not read in full; --verbose names it."
        )
        lines.append(f"{paint('note:', 'cyan')} {told}")
    return lines


def common_causes(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    """(commit, number) of those that many findings have for their evidence: a folder that was moved is one thing to look at."""
    commits = Counter(next((item.commit for item in f.evidence if item.commit), "") for f in findings)
    return [
        (commit[:_SHORT], count)
        for commit, count in commits.most_common(_MOST_CAUSES + 1)
        if commit and count >= _LEAST_IN_COMMON
    ][:_MOST_CAUSES]


def not_shown(report: Report) -> list[str]:
    """What is said of findings that are left out because there are too many, and where to ask for them."""
    number = report.summary.cut
    if not number:
        return []
    more = "1 more finding is" if number == 1 else f"{number:,} more findings are"
    return [
        f"{more} not shown: of a change only the most severe and certain are, as many as "
        "`verification.max_claims_per_pr` of the configuration allows (50 if it says nothing, 200 at most)."
    ]


def summary(report: Report, paint: Style) -> str:
    """Two lines: what was found, with what many have in common, and what was looked at. Never green when nothing was examined."""
    counts = report.summary
    drifted = report.drifted
    if drifted:
        severities = Counter(f.severity.value for f in drifted)
        told = ", ".join(f"{severities[s]} {s}" for s in ("high", "medium", "low") if severities[s])
        fixable = sum(1 for f in drifted if f.fix and f.fix.safe)
        first = paint(f"{plural(len(drifted), 'finding')} ({told})", "red", "bold")
        first += f"; {fixable} can be mended with `docalign fix`." if fixable else "."
    elif not counts.claims and report.changed_since:
        first = "The change touches nothing that the documentation claims."
    elif not counts.claims:
        first = paint("No checkable claim was found: nothing was examined.", "yellow", "bold")
    else:
        known = " that the baseline does not know" if counts.baselined else ""
        first = paint(f"Nothing false was found{known}.", "green", "bold")
    looked = (
        f"{plural(counts.documents, 'document')}, {plural(counts.claims, 'claim')}: "
        f"{counts.verified:,} verified, {counts.drifted:,} drifted, {counts.uncertain:,} uncertain"
    )
    left_out = [
        f"{n:,} {what}" for n, what in ((counts.suppressed, "suppressed"), (counts.baselined, "in the baseline")) if n
    ]
    tail = f" ({', '.join(left_out)})" if left_out else ""
    causes = common_causes(drifted) if not report.changed_since else []
    told_causes = [f"{count} of them are false since one commit: {commit}." for commit, count in causes]
    lines = [first, *not_shown(report), *told_causes, f"{looked}{tail}; {counts.duration_ms / 1000:.2f} s."]
    if counts.older:
        were = "was" if counts.older == 1 else "were"
        told = f"{plural(counts.older, 'claim')} about what changed {were} false before this change"
        lines.append(f"{told}; `docalign scan` shows all.")
    return "\n".join(lines)
