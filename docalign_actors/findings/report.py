"""The result of a scan, as every reporter and the service read it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from docalign_actors.findings.model import Finding, Verdict


class Summary(Struct):
    """Counts of a scan. Claims are counted by the places that make them, findings by cause."""

    documents: int = 0
    claims: int = 0
    verified: int = 0
    drifted: int = 0
    uncertain: int = 0
    aside: int = 0
    """Places that claim something of another project or program: they are no part of `claims`."""
    duration_ms: int = 0
    suppressed: int = 0
    baselined: int = 0
    older: int = 0
    """Findings that were there before the change under scan, and are not repeated."""
    cut: int = 0
    """Findings of a change that are not shown, because there are more than the configuration asks for."""
    code_files: int = 0


TOO_LONG = "took too long"
"""How the note begins on a file that was given up for want of time: another time it may be read."""


def is_given_up(notes: Iterable[str]) -> bool:
    """One of the notes says that time was up."""
    return any(note.startswith(TOO_LONG) for note in notes)


class Note(Struct, frozen=True):
    """Something that was not read or not judged, and why."""

    file: str
    text: str


class Report(Struct):
    """Findings in the order of the documentation: by file, line and column."""

    summary: Summary
    findings: list[Finding] = []
    notes: list[Note] = []
    commit: str = ""
    changed_since: str = ""
    name: str = ""
    """What whoever asked calls the repository."""

    @property
    def is_hasty(self) -> bool:
        """A file was given up for want of time: the same scan may tell more another time, so it is not remembered."""
        return is_given_up(note.text for note in self.notes)

    @property
    def drifted(self) -> list[Finding]:
        return [f for f in self.findings if f.verdict is Verdict.DRIFTED]
