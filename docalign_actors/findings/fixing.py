"""Turns findings into edits, and edits into text. Pure: reads and writes no file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from docalign_actors.findings.model import Finding


class Edit(Struct, frozen=True, order=True):
    """Replaces `old`, which stands at (line, column), by `new`."""

    line: int
    column: int
    old: str
    new: str


def edits_of(findings: Iterable[Finding], *, unsafe: bool) -> dict[str, list[Edit]]:
    """The edits by document; only the certain ones unless `unsafe`."""
    edits: dict[str, list[Edit]] = defaultdict(list)
    for finding in findings:
        for mention in finding.mentions:
            if mention.replacement is not None and mention.text and (mention.safe or unsafe):
                edits[mention.file].append(Edit(mention.line, mention.column, mention.text, mention.replacement))
    return edits


def apply_edits(text: str, edits: Sequence[Edit]) -> tuple[str, list[Edit]]:
    """The text with all edits made, and those that were. An edit whose old text is not where it says is left out."""
    lines = text.split("\n")
    made: list[Edit] = []
    taken: dict[int, int] = {}
    for edit in sorted(set(edits), reverse=True):
        if not 0 < edit.line <= len(lines):
            continue
        line, start = lines[edit.line - 1], edit.column - 1
        end = start + len(edit.old)
        if line[start:end] != edit.old or end > taken.get(edit.line, len(line)):
            continue
        lines[edit.line - 1] = line[:start] + edit.new + line[end:]
        taken[edit.line] = start
        made.append(edit)
    return "\n".join(lines), made[::-1]
