"""Turns judged claims into findings: one for each cause, with every mention of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.past import describe
from docalign_actors.engine.ports import Commit, Dropped
from docalign_actors.findings.fingerprint import fingerprint
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict

_MOST_DATED = 200
"""Findings whose commit is looked up exactly; a repository with more has other worries."""

_NOT_OURS = frozenset(
    {Why.ANOTHERS, Why.SAID_ANOTHERS, Why.OF_ANOTHERS, Why.OF_ANOTHER_PROGRAM, Why.EVERYBODYS, Why.TAKEN}
)
"""Doubts that are certain of one thing: whatever the text claims, it is not of this repository."""
_STRENGTH = (Verdict.ASIDE, Verdict.UNCERTAIN, Verdict.VERIFIED, Verdict.DRIFTED)
_NONE: Mapping[str, Evidence] = {}
SourceLine = Callable[[Claim], str]
Dater = Callable[[Sequence[Dropped]], Mapping[Dropped, Commit]]
"""What went from files → the very commits that took it out of them."""


def gather(
    judged: Iterable[Judged], rules: Mapping[str, Rule], source: SourceLine, generated: Mapping[str, Evidence] = _NONE
) -> list[Finding]:
    """Findings by file, line and column of their first mention.

    `generated` has the documents that a program writes, with the place that says so. What is false there is reported, but no
    fix of the page itself is certain: it is made anew from something else.
    """
    groups: dict[tuple[Verdict, str, str], list[Judged]] = defaultdict(list)
    for claim, judgement in judged:
        rule = judgement.rule or claim.kind
        groups[judgement.verdict, rule, judgement.subject or claim.subject].append((claim, judgement))
    findings = [_finding(key, members, rules, source, generated) for key, members in groups.items()]
    return sorted(findings, key=lambda f: (f.file, f.line, f.column, f.rule))


def _finding(
    key: tuple[Verdict, str, str],
    members: Sequence[Judged],
    rules: Mapping[str, Rule],
    source: SourceLine,
    generated: Mapping[str, Evidence],
) -> Finding:
    verdict, rule, subject = key
    members = [(c, _unsure(j) if c.file in generated else j) for c, j in members]
    mentions = sorted({Mention(c.file, c.line, c.column, c.text, source(c)) for c, _ in members})
    best_claim, best = max(
        members, key=lambda member: (member[1].confidence, member[0].file not in generated, len(member[1].evidence))
    )
    evidence = best.evidence
    if best_claim.file in generated and verdict is Verdict.DRIFTED:
        evidence += (generated[best_claim.file],)
    severity = best.severity or (rules[rule].severity if rule in rules else Severity.LOW)
    placed = tuple(_with_fixes(mentions, members))
    first = placed[0]
    return Finding(
        id=fingerprint(rule, subject),
        rule=rule,
        kind=best_claim.kind,
        verdict=verdict,
        severity=severity,
        confidence=best.confidence,
        claim=best_claim.text,
        message=_sentence(best.message),
        mentions=placed,
        evidence=evidence,
        # The first mention is the one that is shown: what to write there, whatever another spelling needs.
        fix=best.fix if first.replacement is None else Fix(first.replacement, first.safe),
        claim_id=fingerprint(best_claim.kind, subject),
    )


def _unsure(judgement: Judgement) -> Judgement:
    return msgspec.structs.replace(judgement, fix=judgement.fix and msgspec.structs.replace(judgement.fix, safe=False))


def _sentence(message: str) -> str:
    """Begins with a capital, unless with code, and ends with a full stop."""
    text = message[:1].upper() + message[1:]
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _with_fixes(mentions: Sequence[Mention], members: Sequence[Judged]) -> list[Mention]:
    """Each mention with the text that mends it: two spellings of one thing need two replacements."""
    fixes = {(c.file, c.line, c.column, c.text): j.fix for c, j in members if j.fix}
    found: list[Mention] = []
    for mention in mentions:
        fix = fixes.get((mention.file, mention.line, mention.column, mention.text))
        found.append(msgspec.structs.replace(mention, replacement=fix.replacement, safe=fix.safe) if fix else mention)
    return found


def date(findings: list[Finding], dater: Dater) -> list[Finding]:
    """Names the very commit where the evidence only knew a span of commits, and none where it cannot be told."""
    asked: dict[Dropped, None] = {}
    for finding in findings:
        for one in _dropped(finding):
            if len(asked) < _MOST_DATED:
                asked.setdefault(one)
    known = dater(list(asked)) if asked else {}
    return [
        msgspec.structs.replace(f, evidence=tuple(_dated(f, item, asked, known) for item in f.evidence))
        for f in findings
    ]


def _dropped(finding: Finding) -> list[Dropped]:
    if finding.verdict is not Verdict.DRIFTED:
        return []
    words = _words(finding.claim)
    return [Dropped(item.file, item.commit, words) for item in finding.evidence if item.commit and item.file]


def _dated(finding: Finding, item: Evidence, asked: Collection[Dropped], known: Mapping[Dropped, Commit]) -> Evidence:
    one = Dropped(item.file, item.commit, _words(finding.claim))
    if finding.verdict is not Verdict.DRIFTED or one not in asked:
        return item
    commit = known.get(one)
    if commit is None:
        return msgspec.structs.replace(item, commit="")
    return msgspec.structs.replace(item, commit=commit.sha, text=f"{item.text}; gone with {_told(commit)}")


def _told(commit: Commit) -> str:
    return f"{describe(commit)} {commit.subject}".strip() if commit.sha else commit.subject


def _words(text: str) -> tuple[str, ...]:
    """The words of a claim that may be what went: the last of `Store.save`, `--dry-run` and `#one-section`, else the longest."""
    words = "".join(c if c.isalnum() or c == "_" else " " for c in text).split() or [text]
    named = [word for word in words if not word.isdigit()] or words
    return tuple(dict.fromkeys((named[-1], max(named, key=len))))


def put_aside(judged: Iterable[Judged]) -> list[Judged]:
    """The judgements, with those apart whose claims turned out to be of something else than this repository."""
    return [
        (claim, msgspec.structs.replace(judgement, verdict=Verdict.ASIDE))
        if judgement.verdict is Verdict.UNCERTAIN and judgement.why in _NOT_OURS
        else (claim, judgement)
        for claim, judgement in judged
    ]


def count(judged: Iterable[Judged]) -> Counter[Verdict]:
    """Claims by verdict. What several kinds read at one place is one claim, and the strongest of their verdicts is its own."""
    places: dict[tuple[str, int, int], Verdict] = {}
    for claim, judgement in judged:
        place = (claim.file, claim.line, claim.column)
        places[place] = max(places.get(place, Verdict.ASIDE), judgement.verdict, key=_STRENGTH.index)
    return Counter(places.values())
