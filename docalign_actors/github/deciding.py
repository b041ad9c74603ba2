"""Decides what a command leads to. Pure: (what was asked, what is known) → one effect, and what its author is told.

A refusal has no effect. What is about a pull request is decided by the head that GitHub named, not by what a webhook said.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from docalign_actors.findings.model import Finding
from docalign_actors.github import commands, replies
from docalign_actors.github.answering import Given, allowed, needed
from docalign_actors.github.learning import DISMISSALS, Paused, Suppression

_LEAST_PREFIX = 6
"""Characters of an id that may stand for all of it."""
_LONGEST_ABOUT = 400


class Facts(Struct, frozen=True, kw_only=True):
    """What is known when a command's turn comes.

    findings     of the last scan of this pull request and of the default branch: those whose id begins as the command says
    pull_open    whether the pull request is open, as far as is known
    scanned      the head of the pull request that was scanned last
    dismissals   who waved this finding away before
    """

    now: datetime
    findings: tuple[Finding, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    paused: tuple[Paused, ...] = ()
    pull_open: bool = True
    scanned: str = ""
    can_fix: bool = False
    rule_summary: str = ""
    dismissals: tuple[str, ...] = ()


class StartScan(Struct, frozen=True):
    """Of the pull request, at this head."""

    base: str
    head: str


class StartFull(Struct, frozen=True):
    """Of the default branch."""


class AskFix(Struct, frozen=True):
    findings: tuple[str, ...]


class Suppress(Struct, frozen=True):
    """From now on this is not reported."""

    scope: str
    value: str
    reason: str
    expires_at: datetime | None
    about: str
    origin: str = "comment"
    finding: str = ""
    """The id under which people know it."""


class Revoke(Struct, frozen=True):
    """These suppressions end."""

    suppressions: tuple[UUID, ...]


class Hold(Struct, frozen=True):
    """Nothing of this is checked until somebody resumes it. number: 0 for the repository."""

    number: int
    reason: str


class Release(Struct, frozen=True):
    """It is checked again, beginning with the newest head."""

    number: int


class NoteDismissal(Struct, frozen=True):
    """A suggestion was waved away; `suppress` if that was once too often."""

    finding: str
    suppress: Suppress | None


Effect = StartScan | StartFull | AskFix | Suppress | Revoke | Hold | Release | NoteDismissal


class Decision(Struct, frozen=True):
    """result: started, done or refused; `reply`: "" where the reaction says it all; `rescan`: look again afterwards."""

    result: str
    reply: str = ""
    effect: Effect | None = None
    rescan: bool = False


def decide(given: Given, facts: Facts) -> Decision:
    """What becomes of a command whose author's permission is known."""
    asked, permission = given.asked, given.permission or "none"
    if isinstance(asked, commands.Dismiss):
        return _dismissal(asked, given, facts) if allowed(asked, permission) else _no("")
    if not allowed(asked, permission):
        return _no(replies.refused(_verb(asked), needed(asked), permission))
    match asked:
        case commands.Help():
            return Decision("done", replies.usage())
        case commands.Unknown(word=word, nearest=nearest):
            return _no(replies.unknown(word, nearest))
        case commands.Malformed(verb=verb, why=why):
            return _no(replies.malformed(verb, why))
        case commands.TooMany():
            return _no(replies.too_many(commands.MOST))
        case commands.Config():
            material = given.material or replies.default_configuration()
            return Decision("done", replies.configured(material, facts.paused, facts.suppressions))
        case commands.Scan():
            return _scan(given, facts)
        case commands.Full():
            return _full(facts)
        case commands.Fix(ids=ids):
            return _fix(ids, given, facts)
        case commands.Explain(id=wanted):
            return _explain(wanted, facts)
        case commands.Ignore():
            return _ignore(asked, given, facts)
        case commands.Unignore(id=wanted):
            return _unignore(wanted, given, facts)
        case commands.Pause(repository=repository, reason=reason):
            return _pause(repository, reason, given, facts)
        case commands.Resume(repository=repository):
            return _resume(repository, given, facts)
    raise AssertionError(asked)


def _scan(given: Given, facts: Facts) -> Decision:
    if not given.pull:
        return _no(replies.not_a_pull("scan"))
    if not facts.pull_open:
        return _no(replies.closed("scan"))
    if facts.paused:
        return _no(replies.still_paused(facts.paused[0]))
    return Decision("started", "", StartScan(given.base_ref, given.head_sha))


def _full(facts: Facts) -> Decision:
    paused = next((one for one in facts.paused if not one.number), None)
    return _no(replies.still_paused(paused)) if paused is not None else Decision("started", "", StartFull())


def _fix(ids: tuple[str, ...], given: Given, facts: Facts) -> Decision:
    if not facts.can_fix:
        return _no(replies.no_fixing())
    if given.pull and not facts.pull_open:
        return _no(replies.closed("fix"))
    whole: list[str] = []
    for wanted in ids:
        found = matching(wanted, facts.findings)
        if len(found) != 1:
            return _no(replies.no_such_finding(wanted, [one.id for one in found]))
        whole.append(found[0].id)
    return Decision("started", "", AskFix(tuple(whole)))


def _explain(wanted: str, facts: Facts) -> Decision:
    found = matching(wanted, facts.findings)
    held = [one for one in facts.suppressions if one.scope == "claim" and wanted in (one.value, one.finding_id)]
    if len(found) == 1:
        about = [one for one in facts.suppressions if _covers(one, found[0])]
        return Decision("done", replies.explained(found[0], facts.rule_summary, about))
    if held and not found:
        return Decision("done", replies.ignored(held[0]))
    return _no(replies.no_such_finding(wanted, [one.id for one in found]))


def _ignore(asked: commands.Ignore, given: Given, facts: Facts) -> Decision:
    found = matching(asked.id, facts.findings)
    if len(found) != 1:
        return _no(replies.no_such_finding(asked.id, [one.id for one in found]))
    expires = facts.now + timedelta(days=asked.days) if asked.days is not None else None
    return Decision("done", "", _suppress(found[0], asked.scope, asked.reason, expires), _again(given, facts))


def _suppress(
    finding: Finding, scope: str, reason: str, expires: datetime | None = None, origin: str = "comment"
) -> Suppress:
    value = {"claim": finding.claim_id or finding.id, "file": finding.file, "kind": finding.kind}[scope]
    about = f"`{finding.file}:{finding.line}`: {finding.message}"[:_LONGEST_ABOUT] if scope == "claim" else ""
    return Suppress(scope, value, reason, expires, about, origin, finding.id if scope == "claim" else "")


def _unignore(wanted: str, given: Given, facts: Facts) -> Decision:
    held = [one for one in facts.suppressions if wanted in (one.value, one.finding_id, str(one.id))]
    for finding in matching(wanted, facts.findings):
        held += [one for one in facts.suppressions if one not in held and _covers(one, finding)]
    if not held:
        return _no(replies.not_ignored(wanted))
    return Decision("done", "", Revoke(tuple(one.id for one in held)), _again(given, facts))


def _again(given: Given, facts: Facts) -> bool:
    """Whether the check of this pull request is to say something else now."""
    return given.pull and facts.pull_open and not facts.paused


def _pause(repository: bool, reason: str, given: Given, facts: Facts) -> Decision:
    if not repository and not given.pull:
        return _no(replies.not_a_pull("pause"))
    number = 0 if repository else given.number
    already = next((one for one in facts.paused if one.number == number), None)
    if already is not None:
        return _no(replies.already_paused(already))
    return Decision("done", "", Hold(number, reason))


def _resume(repository: bool, given: Given, facts: Facts) -> Decision:
    if not repository and not given.pull:
        return _no(replies.not_a_pull("resume"))
    number = 0 if repository else given.number
    if any(one.number == number for one in facts.paused):
        return Decision("done", "", Release(number), rescan=repository or facts.pull_open)
    return _no(replies.not_paused(repository, next(iter(facts.paused), None)))


def _dismissal(asked: commands.Dismiss, given: Given, facts: Facts) -> Decision:
    """It counts only while the last scan still says so, and that scan was of the head that GitHub has now: who applies a suggestion
    resolves its thread by that, and the commit may not be scanned yet."""
    found = [one for one in facts.findings if one.id == asked.id]
    if not found or given.head_sha not in ("", facts.scanned):
        return _no("")
    by = (*facts.dismissals, given.author)
    if len(by) < DISMISSALS:
        return Decision("done", "", NoteDismissal(asked.id, None))
    reason = f"dismissed {DISMISSALS} times: by {' and '.join(dict.fromkeys(by[-DISMISSALS:]))}"
    return Decision("done", "", NoteDismissal(asked.id, _suppress(found[0], "claim", reason, origin="dismissals")))


def matching(wanted: str, findings: tuple[Finding, ...]) -> list[Finding]:
    """The finding with this id, or of this claim, or those whose id begins so, each once."""
    known = {finding.id: finding for finding in reversed(findings)}
    exact = [finding for finding in known.values() if wanted in (finding.id, finding.claim_id)]
    if exact or len(wanted) < _LEAST_PREFIX:
        return exact[:1]
    return [finding for finding in known.values() if finding.id.startswith(wanted)]


def _covers(suppression: Suppression, finding: Finding) -> bool:
    match suppression.scope:
        case "claim":
            return suppression.value in (finding.id, finding.claim_id)
        case "file":
            return suppression.value == finding.file
    return suppression.value in (finding.kind, finding.rule)


def _verb(asked: commands.Asked) -> str:
    match asked:
        case commands.Malformed(verb=verb) | commands.Unknown(word=verb):
            return verb
    return str(type(asked).__struct_config__.tag)


def _no(reply: str) -> Decision:
    return Decision("refused", reply)
