"""Decides which findings are suggested on which lines of a pull request, and what the suggestions say. Pure.

A suggestion replaces a whole line, so whatever is certain about one line goes into one suggestion. GitHub takes remarks only
on lines that the diff shows; what is false elsewhere stays in the comment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from docalign_actors.findings.fixing import Edit, apply_edits
from docalign_actors.findings.model import Finding, Mention
from docalign_actors.github.ports import DiffLine, Place, Suggestion
from docalign_actors.github.words import prose
from docalign_actors.reporting import markdown

MOST_SUGGESTED = 20
"""In one review: more would bury the conversation, and all of them are in the comment."""
_LONGEST_LINE = 4_000
_LONGEST_GROUND = 300
_UNSHOWABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_REVIEW = re.compile(r"<!-- docalign:review ([0-9a-f]{40,64})((?: [\w-]{1,64})*) -->")
_ID = re.compile(r"[\w-]{1,64}")


def wanted(findings: Sequence[Finding], suggested: Collection[str]) -> frozenset[Place]:
    """The places where a suggestion would be made, if the diff shows them."""
    return frozenset((m.file, m.line) for f in _new(findings, suggested) for m in f.mentions if _certain(m))


def suggestions(findings: Sequence[Finding], lines: Sequence[DiffLine], suggested: Collection[str]) -> list[Suggestion]:
    """At most one for each line, in the order of the findings."""
    there = {(line.path, line.line): line.text for line in lines}
    places: dict[Place, list[tuple[Finding, Mention]]] = {}
    for finding in _new(findings, suggested):
        for mention in finding.mentions:
            if _certain(mention) and (mention.file, mention.line) in there:
                places.setdefault((mention.file, mention.line), []).append((finding, mention))
    made = [_suggestion(place, there[place], found) for place, found in places.items()]
    return [one for one in made if one is not None][:MOST_SUGGESTED]


def review_body(head: str, made: Sequence[Suggestion]) -> str:
    """What the review itself says; by its marker it is found again, with the findings that it suggests."""
    ids = dict.fromkeys(one for suggestion in made for one in suggestion.findings)
    number = len(made)
    what = "One line of this pull request can" if number == 1 else f"{number} lines of this pull request can"
    return f"<!-- docalign:review {head} {' '.join(ids)} -->\n{what} be put right with one click. Nothing here has to be answered."


def reviewed(body: str) -> tuple[str, tuple[str, ...]] | None:
    """The head that a review of ours was about and the findings that it suggested; None for anything else."""
    found = _REVIEW.match(body)
    return (found[1], tuple(found[2].split())) if found is not None else None


def _new(findings: Sequence[Finding], suggested: Collection[str]) -> list[Finding]:
    return [f for f in findings if f.id not in suggested and _ID.fullmatch(f.id)]


def _certain(mention: Mention) -> bool:
    new = mention.replacement
    return mention.safe and new is not None and bool(mention.text) and not _UNSHOWABLE.search(new)


def _suggestion(place: Place, text: str, found: Sequence[tuple[Finding, Mention]]) -> Suggestion | None:
    fitting = [(f, m) for f, m in found if text[m.column - 1 : m.column - 1 + len(m.text)] == m.text]
    edits = [Edit(1, m.column, m.text, m.replacement or "") for _, m in fitting]
    new, made = apply_edits(text, edits)
    if not made or new == text or len(new) > _LONGEST_LINE or _UNSHOWABLE.search(new):
        return None
    known = list({finding.id: finding for finding, _ in fitting}.values())
    ids = tuple(finding.id for finding in known)
    fence = fence_for(new)
    said = "\n\n".join(_said(finding) for finding in known)
    body = f"<!-- docalign:fix {' '.join(ids)} -->\n{said}\n\n{fence}suggestion\n{new}\n{fence}\n"
    return Suggestion(place[0], place[1], body, ids)


def _said(finding: Finding) -> str:
    grounds = [
        (markdown.code(f"{e.file}:{e.line}"[:_LONGEST_GROUND]) + ": " if e.file else "")
        + prose(e.text[:_LONGEST_GROUND])
        for e in finding.evidence[:1]
    ]
    return " ".join([prose(finding.message[:_LONGEST_GROUND]), *(f"({ground})" for ground in grounds)])


def fence_for(text: str) -> str:
    """A fence that nothing in the text can close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)
