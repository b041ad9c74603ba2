"""`docalign scan`: looks, reports, and tells the exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

from docalign_actors.cli.arguments import FORMATS
from docalign_actors.cli.printouts import keep_printout
from docalign_actors.cli.session import Session
from docalign_actors.errors import UsageError
from docalign_actors.findings.baseline import apply_baseline, read_baseline
from docalign_actors.findings.cutting import cut_to
from docalign_actors.findings.model import Severity, Verdict
from docalign_actors.findings.report import Report

_BY_SUFFIX = {".json": "json", ".sarif": "sarif", ".md": "markdown", ".html": "html", ".htm": "html"}
"""What a file is to hold if no --format says so."""
_STANDARD_OUTPUT = ("-", "/dev/stdout")
"""The second is no file to be written anew: if it leads to one, something else stands there already."""


def run_scan(given: argparse.Namespace) -> int:
    """Scans and writes every format that was asked for."""
    files = given.output or []
    outputs = _outputs(
        given.format or [_BY_SUFFIX.get(file.suffix.lower(), "text") for file in files] or ["text"], files
    )
    show = _shown(given.show)
    session = Session(given)
    report = session.scan(since=given.changed_since or "", staged=given.staged, show=show)
    if not given.no_baseline:
        report = apply_baseline(report, read_baseline(session.git.root / session.configuration.baseline))
    report.name = session.git.root.name
    code = _exit_code(report, given.fail_on or session.configuration.fail_on.value)
    if report.changed_since:  # last of all, so that what the baseline knows takes nobody's place
        report = cut_to(report, session.configuration.max_claims_per_pr)
    for form, target in outputs:
        _write(_render(form, report, given, target), target)
    if given.printout and not report.is_hasty:
        _keep_printout(given, report, code, session.configuration.baseline)
    return code


def _keep_printout(given: argparse.Namespace, report: Report, code: int, baseline: str) -> None:
    """So that the same scan is printed at once the next time."""

    def printed(milliseconds: int) -> str:
        report.summary.duration_ms = milliseconds
        return _render((given.format or ["text"])[0], report, given, None)

    keep_printout(given.printout, code, baseline, printed)


def _outputs(formats: list[str], files: list[Path]) -> list[tuple[str, Path | None]]:
    """Each format with its file; `-`, and one more format than files, is standard output."""
    for form in formats:
        if form not in FORMATS:
            raise UsageError(f"There is no format {form!r}.", hint=f"Choose from {', '.join(FORMATS)}.")
    if len(files) > len(formats):
        raise UsageError("There are more --output files than --format options.", hint="Give each file its --format.")
    named = [None if str(file) in _STANDARD_OUTPUT else file for file in files]
    targets = [*named, *[None] * (len(formats) - len(named))]
    if targets.count(None) > 1:
        raise UsageError(
            "Only one format can go to standard output.",
            hint="Give the others an --output file each.",
        )
    return list(zip(formats, targets, strict=True))


_SHOWABLE = frozenset(verdict.value for verdict in Verdict)


def _shown(text: str) -> frozenset[Verdict]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in _SHOWABLE:
            raise UsageError(f"--show takes `verified`, `uncertain` and `aside`, not {name!r}.")
    return frozenset({Verdict.DRIFTED, *(Verdict(name) for name in names)})


def _render(form: str, report: Report, given: argparse.Namespace, target: Path | None) -> str:
    reporter = importlib.import_module(f"docalign_actors.reporting.{form}")
    if form != "text":
        return str(reporter.render(report))
    auto = target is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colour = given.colour == "always" or (given.colour == "auto" and auto)
    return str(reporter.render(report, colour=colour, verbose=given.verbose))


def _write(text: str, target: Path | None) -> None:
    if target is None:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.", hint="Choose another --output.") from None


def _exit_code(report: Report, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    least = Severity(fail_on).weight
    return 1 if any(finding.severity.weight >= least for finding in report.drifted) else 0
