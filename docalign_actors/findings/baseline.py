"""A baseline: the findings that a repository starts with, so that only new ones are reported.

A finding is known by its id and by the documents that mention it: a new mention of an old falsehood is new.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from docalign_actors.errors import ConfigurationError
from docalign_actors.findings.model import Finding, Verdict
from docalign_actors.findings.report import Report


class Known(Struct, frozen=True, omit_defaults=True):
    """A finding that is accepted for now. `since` is the day it was first recorded."""

    id: str
    rule: str
    claim: str
    files: dict[str, int]
    """How many mentions each document has."""
    since: str = ""


class Baseline(Struct, frozen=True):
    """The file as it is written."""

    version: int = 1
    findings: tuple[Known, ...] = ()


def read_baseline(path: Path) -> Baseline:
    """The baseline, empty if there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Baseline()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        baseline = msgspec.json.decode(data, type=Baseline)
    except msgspec.MsgspecError as error:
        raise ConfigurationError(
            f"{path} is no baseline: {error}.", hint="Remove it, and write it anew with `docalign baseline`."
        ) from None
    if baseline.version != 1:
        raise ConfigurationError(
            f"{path} has version {baseline.version}, and this docalign knows 1.", hint="Use a newer docalign."
        )
    return baseline


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Writes a baseline that makes small differences in version control.

    Made beside and renamed: a link of that name is replaced, and what it leads to is left alone.
    """
    half = path.with_name(path.name + ".new")
    try:
        half.unlink(missing_ok=True)
        with half.open("xb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(baseline), indent=2) + b"\n")
        half.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}.") from None


def make_baseline(report: Report, before: Baseline, today: str, *, only_known: bool = False) -> Baseline:
    """Today's findings. What was known before keeps its day; `only_known` takes nothing new in."""
    known = {entry.id: entry for entry in before.findings}
    entries = [
        Known(f.id, f.rule, f.claim, _files(f), known[f.id].since if f.id in known else today)
        for f in report.drifted
        if not only_known or f.id in known
    ]
    return Baseline(findings=tuple(sorted(entries, key=lambda entry: (entry.rule, entry.claim, entry.id))))


def _files(finding: Finding) -> dict[str, int]:
    counts: dict[str, int] = {}
    for mention in finding.mentions:
        counts[mention.file] = counts.get(mention.file, 0) + 1
    return dict(sorted(counts.items()))


def apply_baseline(report: Report, baseline: Baseline) -> Report:
    """The report without what is known: of a known finding only documents with more mentions than before stay."""
    known = {entry.id: entry for entry in baseline.findings}
    kept: list[Finding] = []
    dropped = 0
    for finding in report.findings:
        entry = known.get(finding.id) if finding.verdict is Verdict.DRIFTED else None
        if entry is None:
            kept.append(finding)
            continue
        counts = _files(finding)
        new = tuple(m for m in finding.mentions if counts[m.file] > entry.files.get(m.file, 0))
        if new:
            kept.append(msgspec.structs.replace(finding, mentions=new))
        else:
            dropped += 1
    report.findings = kept
    report.summary.baselined = dropped
    return report
