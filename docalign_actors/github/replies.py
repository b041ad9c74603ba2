"""What people who give commands read. Pure: values in, Markdown out. What comes from others is escaped as in `words`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from docalign_actors.engine.configuration import Configuration, parse_pyproject, parse_yaml
from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES
from docalign_actors.errors import ConfigurationError, ScanLimitError
from docalign_actors.findings.model import Evidence, Finding
from docalign_actors.github.learning import Paused, Suppression
from docalign_actors.github.words import MARKS, markdown_line, prose
from docalign_actors.reporting.markdown import code

_CUT = 400
_LEADING = re.compile(r"^(\d*)([-.)=])")
_MOST = 10
_COMMANDS = (
    ("scan", "look at this pull request again", "write"),
    ("full", "look at the whole default branch", "write"),
    ("fix [ID …]", "write the fixes that are certain, all of them or of these findings", "write"),
    ("ignore ID [--scope claim|file|kind] [for 30 days] reason", "report it no more", "write"),
    ("unignore ID", "report it again", "write"),
    ("explain ID", "say how it is known that a statement is false", "read"),
    ("pause [repo] [reason]", "check this pull request, or the whole repository, no more for now", "write"),
    ("resume [repo]", "check it again, at once", "write"),
    ("config", "say by which rules this repository is checked", "read"),
    ("help", "this", "read"),
)


def usage(said: str = "") -> str:
    """What can be said, after a word about what was."""
    rows = "\n".join(
        f"| {code(f'/docalign {command}')} | {what} | {permission} |" for command, what, permission in _COMMANDS
    )
    parts = [said, "| command | what it does | needs |\n|---|---|---|\n" + rows]
    parts.append(
        "A command stands at the beginning of a line. `ID` stands beside each finding in the check and the comment."
    )
    return "\n\n".join(part for part in parts if part)


def unknown(word: str, nearest: str) -> str:
    meant = f" Did you mean {code(f'/docalign {nearest}')}?" if nearest else ""
    return usage(f"There is no command {code(word)}.{meant}")


def malformed(verb: str, why: str) -> str:
    form = next(command for command, _, _ in _COMMANDS if command.split()[0] == verb)
    return f"{code(f'/docalign {verb}')} was not understood. {why}\n\nIt is written `/docalign {form}`."


def too_many(most: int) -> str:
    return f"One comment may give {most} commands; the ones after that were not carried out."


def refused(verb: str, needed: str, permission: str) -> str:
    """Which permission is missing."""
    has = "none" if permission == "none" else f"*{permission}*"
    return (
        f"{code(f'/docalign {verb}')} was not carried out: it needs *{needed}* permission on this repository, and you have {has}."
        " Somebody who has it can give the command, or grant it."
    )


def no_such_finding(wanted: str, several: Sequence[str] = ()) -> str:
    if several:
        listed = ", ".join(code(one) for one in several[:_MOST])
        return f"{code(wanted)} is the beginning of several ids: {listed}. Write more of it."
    return (
        f"The last scan reported no finding {code(wanted)}. The ids stand beside the findings in the check;"
        f" {code('/docalign scan')} looks again."
    )


def not_a_pull(verb: str) -> str:
    also = f"{code('/docalign help')} says what else there is."
    return f"{code(f'/docalign {verb}')} is about a pull request, and this is none. {also}"


def closed(verb: str) -> str:
    return f"This pull request is closed: there is nothing to {verb}."


def no_fixing() -> str:
    return "Fixing is not available in this service. The check says what to write instead."


def fixed(state: str, why: str, pull: int | None) -> str:
    """What became of a fix; a commit on the branch speaks for itself."""
    if state == "opened":
        return f"The fixes that are certain are in #{pull}."
    if state in ("nothing", "failed"):
        what = "Nothing was changed" if state == "nothing" else "The fixes could not be committed"
        return f"{what}: {markdown_line(why[:_CUT].strip()).rstrip('.')}."
    return ""


def limited(why: str) -> str:
    return f"No scan was started. {markdown_line(why)}"


def limited_notice(refused: ScanLimitError) -> str:
    """What a check says where a limit keeps a head from being scanned: why, and when that ends."""
    if refused.resets_at is None:
        return refused.with_hint()
    then = moment(refused.resets_at)
    return f"{refused} The count begins anew at {then}; this commit is checked then, unless a newer one has come."


def failed(status: str, code_: str, why: str) -> str:
    """How a scan that somebody asked for came to nothing."""
    said = markdown_line(why[:_CUT]) or "nobody said why."
    return f"The scan {'failed' if status == 'failed' else f'was {status}'}: {said}" + (f" ({code_})" if code_ else "")


def full_done(findings: int, checked: int, link: str) -> str:
    """A full scan has no check of its own."""
    what = "agrees with the code" if not findings else f"has {findings} {'finding' if findings == 1 else 'findings'}"
    where = f" [Everything about it]({link})." if link else ""
    return f"The default branch {what}; {checked:,} statements were looked at.{where}"


def already_paused(paused: Paused) -> str:
    return f"{_what(paused)} is paused already, {_since(paused)}."


def not_paused(repository: bool, other: Paused | None) -> str:
    this = f"{'The repository' if repository else 'This pull request'} is not paused."
    return f"{this} {still_paused(other)}" if other is not None else this


def still_paused(paused: Paused) -> str:
    how = "/docalign resume" if paused.number else "/docalign resume repo"
    return f"{_what(paused)} is paused, {_since(paused)}. {code(how)} ends it."


def paused_notice(paused: Paused) -> tuple[str, str]:
    """What a check says while nothing is checked: its title, and by whom, since when, how to go on."""
    title = "Paused" if paused.number else "Paused for the whole repository"
    how = "/docalign resume" if paused.number else "/docalign resume repo"
    why = f" Their reason: {paused.reason}." if paused.reason else ""
    text = f"{paused.paused_by} paused this on {moment(paused.paused_at)}.{why} To go on, comment {how} on the pull request."
    return title, text


def ignored(suppression: Suppression) -> str:
    """What a suppression says of itself."""
    until = f" until {moment(suppression.expires_at)}" if suppression.expires_at is not None else ""
    what = {
        "claim": "This finding",
        "file": f"Everything in {code(suppression.value)}",
        "kind": f"Every {code(suppression.value)}",
    }
    return (
        f"{what[suppression.scope]} is not reported{until}: {markdown_line(suppression.created_by)} said so on"
        f" {moment(suppression.created_at)} ({markdown_line(suppression.reason[:_CUT])})."
    )


def not_ignored(wanted: str) -> str:
    return f"Nothing is suppressed under {code(wanted)}."


def explained(finding: Finding, summary: str, suppressions: Sequence[Suppression]) -> str:
    """Everything that is known about a finding."""
    places = [f"- {code(f'{m.file}:{m.line}'[:_CUT])}" for m in finding.mentions[:_MOST]]
    if len(finding.mentions) > _MOST:
        places.append(f"- and {len(finding.mentions) - _MOST} more")
    grounds = [f"- {said}" for e in finding.evidence[:_MOST] if (said := _ground(e))]
    parts = [
        f"### {MARKS[finding.severity]} {prose(finding.message[:_CUT])}",
        "It stands in\n" + "\n".join(places),
        "It is false because\n" + "\n".join(grounds) if grounds else "",
        _instead(finding),
        f"Rule {code(finding.rule)}{f': {summary.rstrip(chr(46))}' if summary else ''}. Severity {finding.severity.value},"
        f" {finding.confidence:.0%} certain.",
        *(ignored(one) for one in suppressions),
        f"{code(f'/docalign ignore {finding.id} reason')} reports it no more." if not suppressions else "",
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def _ground(evidence: Evidence) -> str:
    """One line. What stands first in a list's line could begin a list of its own, or a heading."""
    text = _LEADING.sub(r"\1\\\2", markdown_line(evidence.text[:_CUT]).strip())
    place = f"{code(evidence.place[:_CUT])}: " if evidence.file else ""
    named = evidence.told == evidence.text
    return place + text + ("" if named else f" (commit {code(evidence.commit[:9])})")


def _instead(finding: Finding) -> str:
    if finding.fix is None:
        return "What to write instead is not known."
    sure = "which is certain" if finding.fix.safe else "which is likely, but read it first"
    return f"Write {code(finding.fix.replacement[:_CUT])} instead, {sure}."


def configured(material: str, paused: Sequence[Paused], suppressions: Sequence[Suppression]) -> str:
    """The rules by which a repository is checked: its own, and what people said meanwhile."""
    parts = [material, *(f"{_what(one)} is paused, {_since(one)}." for one in paused)]
    if suppressions:
        parts.append("Suppressed by people:\n" + "\n".join(f"- {_suppressed(one)}" for one in suppressions[:_MOST]))
        if len(suppressions) > _MOST:
            parts.append(f"{len(suppressions) - _MOST} more are on the repository's page.")
    return "\n\n".join(parts)


def configuration(name: str, text: str) -> str | None:
    """A configuration file as people read it; None if it says nothing to us."""
    try:
        found = (parse_pyproject if name.endswith(".toml") else parse_yaml)(text, name, KIND_NAMES)
    except ConfigurationError as error:
        return f"The configuration has a mistake, so nothing can be checked: {markdown_line(str(error)[:_CUT])}"
    return _table(found, f"From {code(name)} of the default branch:") if found is not None else None


def default_configuration() -> str:
    return _table(Configuration(), "The repository has no configuration of its own; these are the defaults:")


def _table(found: Configuration, above: str) -> str:
    settings = found.settings
    rows = [
        ("documentation", _globs(settings.doc_patterns, "every document")),
        ("code", _globs(settings.code_patterns, "everything that can be read")),
        ("left out", _globs(settings.exclude, "nothing more")),
        ("kinds of claims", _globs(settings.claim_types, "all")),
        ("reported from severity", settings.min_severity.value),
        ("blocks from severity", found.fail_on.value),
        ("comment when nothing is false", _manner(found.comment_when_clean)),
        ("least confidence", f"{settings.min_confidence:g}"),
        ("findings shown in a pull request", str(found.max_claims_per_pr or "all")),
        ("suppressions in the file", str(len(settings.suppress))),
    ]
    return f"{above}\n\n| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in rows)


def _manner(said: bool | None) -> str:
    return "as the service is set" if said is None else "yes" if said else "no"


def _globs(globs: Sequence[str], nothing: str) -> str:
    shown = ", ".join(code(one[:80]) for one in globs[:_MOST])
    return f"{shown} and {len(globs) - _MOST} more" if len(globs) > _MOST else shown or nothing


def _suppressed(one: Suppression) -> str:
    until = f", until {moment(one.expires_at)}" if one.expires_at is not None else ""
    about = f" ({prose(one.about[:_CUT].rstrip('.'))})" if one.about else ""
    return f"{one.scope} {code(one.value)}{about}: {markdown_line(one.reason[:_CUT])} ({markdown_line(one.created_by)}{until})"


def _what(paused: Paused) -> str:
    return "This pull request" if paused.number else "The repository"


def _since(paused: Paused) -> str:
    why = f" ({markdown_line(paused.reason[:_CUT])})" if paused.reason else ""
    return f"by {markdown_line(paused.paused_by)} since {moment(paused.paused_at)}{why}"


def moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
