"""Every word that people read on GitHub. Pure: values in, Markdown out.

Whatever comes from a repository is hostile: it cannot leave its cell, mention anybody, refer to an issue, open a fence or a
comment, nor make a body longer than GitHub takes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from urllib.parse import quote

from msgspec import Struct

from docalign_actors.findings.model import Finding, Severity
from docalign_actors.github.ports import Action, Annotation, CheckText
from docalign_actors.github.remembering import LONGEST_MESSAGE, MOST_LISTED, LeftOut, Said, remember
from docalign_actors.reporting import markdown

NAME = "DocAlign"
MARKER = "<!-- docalign:sticky -->"
"""How our comment on a pull request is found again. It counts only in a comment of our own App."""
FIX = Action("Fix", "Commit the fixes that are certain", "fix")
"""The button of a check run whose findings can be put right."""
MOST_CHARACTERS = 60_000
"""GitHub takes 65,535; the rest is for what it counts differently."""
_MOST_MENTIONS = 5
_LONGEST_CELL = 600
_LONGEST_LINKED = 200
_LONGEST_ID = 100
MARKS = {Severity.HIGH: "🔴", Severity.MEDIUM: "🟠", Severity.LOW: "🔵"}
_LEVELS = {Severity.HIGH: "failure", Severity.MEDIUM: "warning", Severity.LOW: "notice"}
_STAGES = {
    "": "Waiting for its turn",
    "fetch": "Fetching the commits",
    "extraction": "Reading the documentation",
    "index": "Reading the code",
    "verification": "Checking the documentation against the code",
    "agents": "Waiting for agents to say what code cannot",
    "merge": "Putting the results together",
    "reporting": "Putting the results together",
}


_REFERS = re.compile(r"(:(?=//)|\bGH(?=-\d)|\bwww(?=\.))", re.IGNORECASE)
"""What GitHub makes a link of without any markup."""
_WAYS = "`/docalign explain ID` says more, `/docalign ignore ID reason` reports one no more; `/docalign help` lists the rest."


class Conclusion(Enum):
    """How a check ends."""

    SUCCESS = "success"
    NEUTRAL = "neutral"
    ACTION_REQUIRED = "action_required"


class FixSaid(Struct, frozen=True):
    """What became of the last fix that was asked for: pushed, opened, nothing or failed."""

    state: str
    reason: str = ""
    pull: int | None = None


class Outcome(Struct, frozen=True):
    """How the scan of a head ended. threshold: the severity from which on a finding blocks, "" for low."""

    status: str
    head: str
    base: str = ""
    findings: tuple[Finding, ...] = ()
    checked: int = 0
    verified: int = 0
    threshold: str = ""
    code: str = ""
    error: str = ""
    reason: str = ""
    superseded: bool = False
    notice: str = ""
    """Why there was no scan at all."""
    notice_title: str = ""
    """In a few words; "" for a limit."""
    suppressed: int = 0
    """Findings that were left out because somebody said so."""
    left_out: tuple[LeftOut, ...] = ()
    """What is suppressed in the repository now."""
    cut: int = 0
    """Findings that are not shown because there are more than the repository wants to see."""
    link: str = ""
    site: str = ""
    """Where people see the repository; "" for no links into it."""
    fix: FixSaid | None = None
    agents: str = ""
    """What agents left open, and why."""

    @property
    def decided(self) -> bool:
        """Whether it says anything about the documentation."""
        return self.status in ("completed", "partial") and not self.notice


def conclusion(outcome: Outcome) -> Conclusion:
    """Only a finding can ask for action: a scan that could not be done is no fault of the pull request."""
    if not outcome.decided:
        return Conclusion.NEUTRAL
    least = Severity(outcome.threshold or "low").weight
    if any(finding.severity.weight >= least for finding in outcome.findings):
        return Conclusion.ACTION_REQUIRED
    partial = outcome.status == "partial"
    return Conclusion.NEUTRAL if outcome.findings or partial else Conclusion.SUCCESS


def under_way(stage: str, link: str = "") -> CheckText:
    """While a scan waits or runs."""
    title = _STAGES.get(stage, _STAGES["verification"])
    return CheckText(title, f"{title}. The result will be here in a moment.", details_url=link)


def ended(outcome: Outcome) -> CheckText:
    """When it has ended."""
    title, summary = _headline(outcome), _summary(outcome)
    text = _table(outcome, MOST_CHARACTERS) if outcome.decided else ""
    actions = (FIX,) if outcome.decided and certain(outcome.findings) else ()
    return CheckText(title, summary, text, conclusion(outcome).value, outcome.link, actions)


def certain(findings: Sequence[Finding]) -> int:
    """How many of them can be put right unasked."""
    return sum(any(m.safe and m.replacement is not None for m in finding.mentions) for finding in findings)


def remarks(findings: Sequence[Finding]) -> list[Annotation]:
    """One for each place that says something false. GitHub shows them as plain text."""
    return [
        Annotation(
            path=mention.file,
            start_line=mention.line,
            end_line=mention.line,
            annotation_level=_LEVELS[finding.severity],
            message=_annotation(finding, mention.replacement),
            title=f"{NAME}: {finding.rule}",
        )
        for finding in findings
        for mention in finding.mentions
    ]


def remembered(before: Sequence[Said], outcome: Outcome) -> tuple[Said, ...]:
    """What the comment speaks of from now on: what is false, and what was and is not any more."""
    whole = outcome.status != "partial" and not outcome.cut
    return remember(before, outcome.findings, outcome.head, whole=whole, left_out=outcome.left_out)


def comment(outcome: Outcome, said: Sequence[Said]) -> str:
    """The one comment on a pull request, as it is to read now."""
    parts = [MARKER, f"### {_headline(outcome)}", _summary(outcome)]
    room = MOST_CHARACTERS - sum(map(len, parts)) - 2_000
    fixed = _fixed(outcome, said, room // 3)
    ways = _WAYS if outcome.findings else ""
    further = (fixed, _fixes(outcome), ways)
    parts += [part for part in (_table(outcome, room - len(fixed)), *further) if part]
    return "\n\n".join(parts) + "\n"


def _headline(outcome: Outcome) -> str:
    if outcome.notice:
        return outcome.notice_title or "Not checked: a limit is reached"
    if outcome.status == "cancelled":
        return "Superseded by a newer commit" if outcome.superseded else "Cancelled"
    if outcome.status == "failed":
        return "The documentation could not be checked"
    number = len(outcome.findings) + outcome.cut
    if number:
        return f"{number} {'statement' if number == 1 else 'statements'} of the documentation would be false"
    return (
        "The documentation agrees with the code" if outcome.checked else "No statement of the documentation is affected"
    )


def _summary(outcome: Outcome) -> str:
    if outcome.notice:
        return markdown_line(outcome.notice)
    if outcome.status == "cancelled":
        if outcome.superseded:
            return "A newer commit took this one's place before it was checked."
        return f"The check was stopped: {markdown_line(outcome.reason) or 'somebody asked for it'}."
    if outcome.status == "failed":
        said = markdown_line(outcome.error[:LONGEST_MESSAGE])
        return f"{said} ({outcome.code or 'DOCALIGN_E000'})\n\nThis says nothing about the pull request."
    against = f" against {markdown.code(outcome.base)}" if outcome.base else ""
    number = f"{outcome.checked:,} {'statement' if outcome.checked == 1 else 'statements'}"
    lines = [f"Commit {_commit(outcome, outcome.head)}{against}: {number} looked at."]
    if outcome.status == "partial":
        lines.append("The time was up before all of them were checked; this is what was decided by then.")
    if outcome.agents:
        lines.append(markdown_line(outcome.agents))
    if outcome.suppressed:
        left = "1 finding is" if outcome.suppressed == 1 else f"{outcome.suppressed} findings are"
        lines.append(f"{left} left out because somebody said so: `/docalign config` lists what is suppressed.")
    if outcome.cut:
        more = "1 more finding is" if outcome.cut == 1 else f"{outcome.cut:,} more findings are"
        lines.append(
            f"{more} not shown: `verification.max_claims_per_pr` is reached, and the most severe and certain come first."
        )
    return "\n\n".join(lines)


def _table(outcome: Outcome, room: int) -> str:
    findings = outcome.findings
    if not findings:
        return ""
    lines = ["| | id | where | what is false | because | write instead |", "|---|---|---|---|---|---|"]
    used = sum(map(len, lines)) + 200
    shown = 0
    for finding in findings[:MOST_LISTED]:
        row = _row(finding, outcome)
        if used + len(row) + 1 > room:
            break
        lines.append(row)
        used += len(row) + 1
        shown += 1
    if shown < len(findings):
        lines += ["", f"{len(findings) - shown} more are not listed here; each has its annotation in the check."]
    return "\n".join(lines)


def _row(finding: Finding, outcome: Outcome) -> str:
    places = [_place(outcome, m.file, m.line) for m in finding.mentions[:_MOST_MENTIONS]]
    if len(finding.mentions) > _MOST_MENTIONS:
        places.append(f"and {len(finding.mentions) - _MOST_MENTIONS} more")
    grounds = [
        (markdown.code(f"{e.file}:{e.line}"[:_LONGEST_CELL]) + ": " if e.file else "") + prose(e.text[:_LONGEST_CELL])
        for e in finding.evidence[:2]
    ]
    fix = markdown.code(finding.fix.replacement[:_LONGEST_CELL]) if finding.fix else ""
    message = prose(finding.message[:_LONGEST_CELL])
    known = markdown.code(finding.id[:_LONGEST_ID])
    return (
        f"| {MARKS[finding.severity]} | {known} | {'<br>'.join(places)} | {message} | {'<br>'.join(grounds)} | {fix} |"
    )


def _place(outcome: Outcome, file: str, line: int) -> str:
    """Where something stands, with a link to it as it is in this commit. An address takes a path only quoted, and none that
    climbs."""
    shown = markdown.code(f"{file}:{line}"[:_LONGEST_CELL])
    plain = len(file) <= _LONGEST_LINKED and not {"", ".", ".."} & set(file.split("/"))
    if not (outcome.site and plain):
        return shown
    return f"[{shown}]({outcome.site}/blob/{outcome.head}/{quote(file, errors='replace')}?plain=1#L{line})"


def _commit(outcome: Outcome, sha: str) -> str:
    shown = markdown.code(sha[:9])
    return f"[{shown}]({outcome.site}/commit/{sha})" if outcome.site and sha.isalnum() else shown


def _fixed(outcome: Outcome, said: Sequence[Said], room: int) -> str:
    lines: list[str] = []
    for one in said:
        if one.fixed:
            place, message = markdown.code(one.place[:_LONGEST_CELL]), prose(one.message[:_LONGEST_CELL])
            line = f"- ~~{place}: {message}~~ fixed in {_commit(outcome, one.fixed)}"
            if sum(map(len, lines)) + len(line) > room:
                break
            lines.append(line)
    return "\n".join(lines)


def _fixes(outcome: Outcome) -> str:
    """What can be done about it at once, or what became of that."""
    fix = outcome.fix
    if fix is not None and fix.state == "opened":
        return f"The fixes that are certain are in #{fix.pull}."
    if fix is not None and fix.state in ("nothing", "failed"):
        what = "Nothing was changed" if fix.state == "nothing" else "The fixes could not be committed"
        return f"{what}: {markdown_line(fix.reason[:_LONGEST_CELL])}."
    number = certain(outcome.findings) if outcome.decided else 0
    if not number:
        return ""
    every = len(outcome.findings)
    which = f"{number} of the {every} fixes {'is' if number == 1 else 'are'} certain"
    if number == every:
        which = "Its fix is certain" if every == 1 else "All fixes are certain"
    return f"{which}: the button *{FIX.label}* of the check, or `/docalign fix`, commits {'it' if number == 1 else 'them'}."


def _annotation(finding: Finding, replacement: str | None) -> str:
    grounds = [e.sentence for e in finding.evidence[:3]]
    instead = replacement if replacement is not None else finding.fix.replacement if finding.fix else ""
    lines = [finding.message, *grounds, *([f"Write instead: {instead}"] if instead else [])]
    return "\n".join(lines)[:LONGEST_MESSAGE].replace("\0", " ")


def markdown_line(text: str) -> str:
    """A text as plain words on one line: no markup, nobody mentioned, no issue referred to, no address made a link."""
    return _REFERS.sub("\\1\u200b", markdown.escaped(text).replace("\\#", "#\u200b"))


def prose(message: str) -> str:
    """A message of ours, in which what stands between backticks is a repository's."""
    parts = message.split("`")
    return "".join(
        markdown.code(part) if at % 2 and at < len(parts) - 1 else markdown_line(part) for at, part in enumerate(parts)
    )
