"""Runs a tool on a checkout and reads out what it points at. A tool is this engine, a rival, or a plain grep."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.files import Snapshot, git, is_document, is_scored

PROJECT = Path(__file__).resolve().parents[1]
_TIMEOUT = 300
_PLACE = re.compile(r"([\w./@+-]+\.(?:md|mdx|markdown|rst|adoc|txt)):(\d+)")


@dataclass(frozen=True)
class Hit:
    """One finding: the places it points at, what it says, and what it would write instead."""

    places: tuple[tuple[str, int], ...]
    text: str
    rule: str = ""
    fix: str = ""
    id: str = ""
    edits: tuple[tuple[str, int, str, str], ...] = ()
    """What it would write unasked: file, line, text, replacement."""


@dataclass(frozen=True)
class Outcome:
    """What a tool said in one run. `error` is "" if it ran."""

    hits: tuple[Hit, ...] = ()
    seconds: float = 0.0
    error: str = ""
    summary: dict[str, int] = field(default_factory=dict)
    version: str = ""
    """Which source of this engine ran; "" for other tools."""


@dataclass(frozen=True)
class Ran:
    """A finished process."""

    output: str
    errors: str
    code: int
    seconds: float


def run(command: list[str], where: Path, env: dict[str, str] | None = None) -> Ran:
    """Runs a command in a folder; a time-out is an exit code of -1."""
    began = time.perf_counter()
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, timeout=_TIMEOUT, check=False, env=env)
    except subprocess.TimeoutExpired:
        return Ran("", f"no answer in {_TIMEOUT} s", -1, time.perf_counter() - began)
    seconds = time.perf_counter() - began
    return Ran(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode, seconds)


def docalign_command(*arguments: str) -> list[str]:
    """The command line of this engine, from this project's own source."""
    return [sys.executable, "-m", "docalign_actors.cli", "scan", *arguments]


def docalign_environment(engine: Path = PROJECT) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(engine)}


def fingerprint(engine: Path) -> str:
    """A short name for the engine's source as it is."""
    digest = hashlib.sha256()
    for path in sorted((engine / "docalign_actors").rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(engine).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:10]


def frozen_engine(where: Path) -> Path:
    """A copy of the engine as it is now, so that an edit during a long run does not change what is measured."""
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(
        PROJECT / "docalign_actors", where / "docalign_actors", ignore=shutil.ignore_patterns("__pycache__")
    )
    done = run(docalign_command("--help"), where, docalign_environment(where))
    if done.code:
        raise RuntimeError(f"the engine does not start: {done.errors.strip()[-400:]}")
    return where


def docalign(checkout: Path, cache: Path, *arguments: str, engine: Path = PROJECT) -> Outcome:
    """Scans the checkout with this engine."""
    command = docalign_command(
        "--format", "json", "--no-baseline", "--jobs", "1", "--cache-dir", str(cache), *arguments, "."
    )
    done = run(command, checkout, docalign_environment(engine))
    if done.code not in (0, 1, 3):
        return Outcome(
            seconds=done.seconds, error=" ".join((done.errors or done.output).split())[:300] or f"exit {done.code}"
        )
    try:
        report = json.loads(done.output) if done.output.strip() else {"findings": [], "summary": {}}
    except ValueError:
        return Outcome(seconds=done.seconds, error=f"no JSON: {done.output[:200]}")
    return Outcome(tuple(_docalign_hit(f) for f in report["findings"]), done.seconds, summary=report.get("summary", {}))


def _docalign_hit(finding: dict[str, Any]) -> Hit:
    places = tuple((m["file"], int(m["line"])) for m in finding.get("mentions") or [finding])
    fix = finding.get("fix") or {}
    return Hit(
        places,
        f"{finding['claim']}: {finding['message']}",
        finding["rule"],
        str(fix.get("replacement", "")),
        finding["id"],
        tuple((m["file"], m["line"], m["text"], m["replacement"]) for m in finding["mentions"] if m.get("safe")),
    )


def hits_in_json(value: object) -> Iterator[Hit]:
    """Every object with a file and a line, wherever it stands."""
    if isinstance(value, dict):
        path = next(
            (value[k] for k in ("doc", "doc_path", "file", "path", "document") if isinstance(value.get(k), str)), ""
        )
        line = value.get("line")
        if path and isinstance(line, int) and is_document(path):
            text = " ".join(
                str(value[k])
                for k in ("message", "target", "token", "raw_text", "claim")
                if isinstance(value.get(k), str)
            )
            yield Hit(((path, line),), text, str(value.get("rule", "")))
        for inner in value.values():
            yield from hits_in_json(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from hits_in_json(inner)


def _json_of(done: Ran) -> Any:
    start = min((i for i in (done.output.find("{"), done.output.find("[")) if i >= 0), default=-1)
    try:
        return json.loads(done.output[start:]) if start >= 0 else None
    except ValueError:
        return None


def _from_json(done: Ran, *keys: str) -> Outcome:
    data = _json_of(done)
    if not isinstance(data, dict):
        return Outcome(seconds=done.seconds, error=(done.errors or done.output).strip()[-200:])
    return Outcome(tuple(h for key in keys for h in hits_in_json(data.get(key))), done.seconds)


def docproof(binary: Path, checkout: Path) -> Outcome:
    done = run([str(binary), "."], checkout)
    hits = [
        Hit(((m.group(1), int(m.group(2))),), line.strip())
        for line in done.output.splitlines()
        for m in _PLACE.finditer(line)
    ]
    return Outcome(tuple(hits), done.seconds, "" if done.code in (0, 1) else done.errors[-200:])


def docrot(binary: Path, checkout: Path) -> Outcome:
    return _from_json(run([str(binary), "check", "--format", "json"], checkout), "findings")


def docs_drift(binary: Path, checkout: Path) -> Outcome:
    """Only what it calls drift or missing; a claim's every location counts."""
    done = run([str(binary), "--format", "json", "scan"], checkout)
    shutil.rmtree(checkout / ".docs-drift", ignore_errors=True)
    data = _json_of(done)
    if not isinstance(data, dict):
        return Outcome(seconds=done.seconds, error=done.errors.strip()[-200:])
    hits = []
    for finding in data.get("findings", []):
        if finding["verdict"] in ("drift", "missing", "drifted", "stale"):
            claim = finding["claim"]
            lines = {claim["line"], *(place["line"] for place in claim.get("locations", []))}
            hits.append(
                Hit(tuple((claim["doc_path"], n) for n in sorted(lines)), str(claim.get("value", "")), claim["kind"])
            )
    return Outcome(tuple(hits), done.seconds)


def readme_drift(binary: Path, checkout: Path) -> Outcome:
    """It names a README by its base name and the line; every README of that name is taken as meant."""
    done = run([str(binary), "--base-ref", "HEAD~1", "--warn-only"], checkout)
    readmes = [p.relative_to(checkout).as_posix() for p in checkout.rglob("*") if p.name.lower().startswith("readme")]
    hits = []
    for match in re.finditer(r"in (\S+) line (\d+)(.*)", done.output):
        places = tuple((path, int(match.group(2))) for path in readmes if path.endswith(match.group(1)))
        hits.append(Hit(places, match.group(3).strip()))
    return Outcome(tuple(hits), done.seconds)


def staledocs(binary: Path, checkout: Path) -> Outcome:
    """Armed at the commit before, as its manual asks: every Markdown file, against everything else."""
    head = git(checkout, "rev-parse", "HEAD").decode().strip()
    config = 'version: 1\ngate: warn\nsource:\n  include: ["**"]\n  exclude: ["**/*.md", "**/*.rst", "**/*.1", ".staledocs/**"]\n'
    (checkout / ".staledocs.yaml").write_text(config + 'docs:\n  include: ["**/*.md"]\nglobal: ["**/*.md"]\n')
    try:
        git(checkout, "checkout", "-q", "--detach", "HEAD~1")
        armed = run([str(binary), "ack", "--all", "-m", "base"], checkout)
        git(checkout, "checkout", "-q", "-f", "-B", "main", head)
        done = run([str(binary), "check", "--json"], checkout)
        outcome = _from_json(done, "anchors")
        return Outcome(outcome.hits, armed.seconds + done.seconds, outcome.error)
    finally:
        (checkout / ".staledocs.yaml").unlink(missing_ok=True)
        shutil.rmtree(checkout / ".staledocs", ignore_errors=True)


def claimlint(binary: Path, checkout: Path) -> Outcome:
    return _from_json(run([str(binary), "check", "--format", "json"], checkout), "findings", "diagnostics", "results")


def grep(binary: Path, checkout: Path) -> Outcome:
    """Every name that the last commit removed, looked for in the documents: forty lines that anybody could write."""
    began = time.perf_counter()
    diff = git(checkout, "diff", "-U0", "-M", "HEAD~1", "HEAD").decode(errors="replace")
    removed, added = set[str](), set[str]()
    for line in diff.splitlines():
        words = re.findall(r"--[a-z][\w-]+|[A-Za-z_][\w]{3,}", line[1:])
        if line.startswith("-") and not line.startswith("---"):
            removed.update(words)
        elif line.startswith("+") and not line.startswith("+++"):
            added.update(words)
    for name in re.findall(r"(?m)^rename from (.+)$", diff):
        removed.update({name, name.rpartition("/")[2]})
    names = removed - added
    hits: list[Hit] = []
    if names:
        pattern = re.compile(
            "(?<![\\w-])(?:" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + ")(?![\\w-])"
        )
        for path, text in Snapshot.read(checkout).texts.items():
            if is_scored(path):
                for number, line in enumerate(text.splitlines(), 1):
                    if match := pattern.search(line[:2000]):
                        hits.append(Hit(((path, number),), match.group()))
    return Outcome(tuple(hits), time.perf_counter() - began)


RIVALS: dict[str, Callable[[Path, Path], Outcome]] = {
    "docproof": docproof, "docrot": docrot, "docs-drift": docs_drift, "readme-drift": readme_drift,
    "staledocs": staledocs, "claimlint": claimlint,
}  # fmt: skip
"""By the name of the program. All look at a whole repository but readme-drift and staledocs, which compare with HEAD~1."""
