"""Leaves out what somebody said is not to be reported, and reports suppressions that suppress nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, Rule
from docalign_actors.engine.documents.model import Document, Suppression
from docalign_actors.engine.globs import matcher
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.settings import Suppress
from docalign_actors.findings.model import Severity, Verdict

UNUSED = Rule("unused-suppression", "suppression", "A suppression that suppresses nothing.", Severity.LOW)
RULES = (UNUSED,)


def suppress(
    judged: Iterable[Judged],
    documents: Mapping[str, Document],
    settings: Sequence[Suppress],
    rules: Mapping[str, Rule],
    *,
    whole: bool = True,
) -> tuple[list[Judged], int]:
    """The judged claims without those that are suppressed, and how many that were.

    Suppressions that nothing needs are added as drifted. One above a claim of its rules that nothing decides may be needed
    again, and of a change only some claims are judged: not `whole`, nothing is said of them.
    """
    wanted = [(entry, _matcher(entry)) for entry in settings]
    used: set[tuple[str, Suppression]] = set()
    kept: list[Judged] = []
    dropped = 0
    for claim, judgement in judged:
        document = documents.get(claim.file)
        above = document.suppressions if document else ()
        if judgement.verdict is not Verdict.DRIFTED:
            if above and judgement.verdict is Verdict.UNCERTAIN:
                used.update((claim.file, s) for s in above if _may_cover(s, claim, rules))
            kept.append((claim, judgement))
            continue
        inline = [s for s in above if _covers(s, claim, judgement)]
        used.update((claim.file, s) for s in inline)
        if inline or any(matches(claim, judgement) for _, matches in wanted):
            dropped += 1
        else:
            kept.append((claim, judgement))
    for document in documents.values() if whole else ():
        kept.extend(_unused(document, s, rules) for s in document.suppressions if (document.path, s) not in used)
    return kept, dropped


def _covers(suppression: Suppression, claim: Claim, judgement: Judgement) -> bool:
    named = not suppression.rules or judgement.rule in suppression.rules or claim.kind in suppression.rules
    return named and _is_above(suppression, claim)


def _may_cover(suppression: Suppression, claim: Claim, rules: Mapping[str, Rule]) -> bool:
    """It would, if the claim were false by one of the rules that it names. Something is undecided in nearly every line."""
    kinds = {rules[name].kind if name in rules else name for name in suppression.rules}
    return claim.kind in kinds and _is_above(suppression, claim)


def _is_above(suppression: Suppression, claim: Claim) -> bool:
    return suppression.first <= claim.line and (not suppression.last or claim.line <= suppression.last)


def _matcher(entry: Suppress) -> Callable[[Claim, Judgement], bool]:
    in_file = matcher([entry.file]) if entry.file else lambda path: True

    def matches(claim: Claim, judgement: Judgement) -> bool:
        return (
            (not entry.rule or entry.rule == judgement.rule)
            and (not entry.kind or entry.kind == claim.kind)
            and (not entry.claim or entry.claim in (claim.text, claim.subject))
            and in_file(claim.file)
        )

    return matches


def _unused(document: Document, suppression: Suppression, rules: Mapping[str, Rule]) -> Judged:
    what = ", ".join(suppression.rules) or "everything"
    subject = f"{document.path}:{what}:{suppression.reason}"
    claim = Claim("suppression", subject, "docalign", document.path, suppression.line, suppression.column)
    message = f"This suppression of {what} suppresses nothing."
    known = {*rules, *(rule.kind for rule in rules.values())}
    if unknown := [name for name in suppression.rules if name not in known]:
        message = _no_such_rule(unknown[0], known)
    return claim, Judgement(Verdict.DRIFTED, UNUSED.id, message, severity=UNUSED.severity)


def unknown_rules(settings: Sequence[Suppress], rules: Mapping[str, Rule]) -> list[str]:
    """What to say of entries of the configuration that name a rule which does not exist: they suppress nothing."""
    return [
        f"The configuration suppresses `{entry.rule}`: {_no_such_rule(entry.rule, set(rules))}"
        for entry in settings
        if entry.rule and entry.rule not in rules
    ]


def _no_such_rule(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # only where there is a slip

    near = get_close_matches(name, known, 1)
    return f"there is no rule or kind `{name}`" + (f"; did you mean `{near[0]}`?" if near else ".")
