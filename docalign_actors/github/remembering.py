"""Decides what the comment on a pull request speaks of from head to head: what is false, and what a commit put right. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.findings.model import Finding

MOST_LISTED = 50
"""Findings that a comment lists, and as many again that were put right."""
LONGEST_MESSAGE = 1_500


class Said(Struct, frozen=True):
    """A finding that the comment has spoken of; `head`: the last one that had it, `fixed`: the one with which it was gone, "" while
    it is there."""

    id: str
    place: str
    message: str
    fixed: str = ""
    head: str = ""
    kind: str = ""
    rule: str = ""


class LeftOut(Struct, frozen=True):
    """What somebody does not want to hear of. scope: claim, file or kind; `finding_id`: under which id people knew a claim."""

    scope: str
    value: str
    finding_id: str = ""

    def covers(self, said: Said) -> bool:
        match self.scope:
            case "claim":
                return said.id in (self.value, self.finding_id)
            case "file":
                return said.place.rpartition(":")[0] == self.value
        return self.value in (said.kind, said.rule)


def remember(
    before: Sequence[Said], findings: Sequence[Finding], head: str, *, whole: bool, left_out: Sequence[LeftOut] = ()
) -> tuple[Said, ...]:
    """`whole`: every finding of this head is among these. What is not there any more was put right by a commit only if there was
    one: on the same head, or where somebody suppressed it, it is not reported any more, and that is all that is known."""
    now = {finding.id for finding in findings}
    there = [
        Said(f.id, f"{f.file}:{f.line}", f.message[:LONGEST_MESSAGE], head=head, kind=f.kind, rule=f.rule)
        for f in findings[:MOST_LISTED]
    ]
    gone = [one for one in before if one.id not in now]
    if not whole:
        return (*there, *gone)
    put_right = [
        one if one.fixed else replace(one, fixed=head)
        for one in gone
        if one.fixed or (one.head != head and not any(each.covers(one) for each in left_out))
    ]
    return (*there, *put_right[:MOST_LISTED])
