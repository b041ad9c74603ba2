"""Leaves out what somebody said is not to be reported, and reports suppressions that suppress nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, Rule
from docalign_actors.engine.documents.model import Document, Suppression
from docalign_actors.engine.globs import matcher
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.settings import Suppress
from docalign_actors.findings.model import Severity, Verdict

UNUSED = Rule("unused-suppression", "suppression", "A suppression that suppresses nothing.", Severity.LOW)
RULES = (UNUSED,)


def suppress(
    judged: Iterable[Judged], documents: Mapping[str, Document], settings: Sequence[Suppress]
) -> tuple[list[Judged], int]:
    """The judged claims without those that are suppressed, and how many that were. Unused suppressions are added as drifted."""
    wanted = [(entry, _matcher(entry)) for entry in settings]
    used: set[tuple[str, Suppression]] = set()
    kept: list[Judged] = []
    dropped = 0
    for claim, judgement in judged:
        if judgement.verdict is not Verdict.DRIFTED:
            kept.append((claim, judgement))
            continue
        document = documents.get(claim.file)
        inline = [s for s in document.suppressions if _covers(s, claim, judgement)] if document else []
        used.update((claim.file, s) for s in inline)
        if inline or any(matches(claim, judgement) for _, matches in wanted):
            dropped += 1
        else:
            kept.append((claim, judgement))
    for document in documents.values():
        kept.extend(_unused(document, s) for s in document.suppressions if (document.path, s) not in used)
    return kept, dropped


def _covers(suppression: Suppression, claim: Claim, judgement: Judgement) -> bool:
    named = not suppression.rules or judgement.rule in suppression.rules or claim.kind in suppression.rules
    return named and suppression.first <= claim.line and (not suppression.last or claim.line <= suppression.last)


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


def _unused(document: Document, suppression: Suppression) -> Judged:
    what = ", ".join(suppression.rules) or "everything"
    claim = Claim(
        "suppression", f"{document.path}:{what}:{suppression.reason}", "docalign", document.path, suppression.line, 1
    )
    message = f"This suppression of {what} suppresses nothing."
    return claim, Judgement(Verdict.DRIFTED, UNUSED.id, message, severity=UNUSED.severity)
