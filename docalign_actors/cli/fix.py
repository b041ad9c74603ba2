"""`docalign fix`: writes what is certain into the documents."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import tempfile
from pathlib import Path

from docalign_actors.cli.session import Session
from docalign_actors.findings.baseline import apply_baseline, read_baseline
from docalign_actors.findings.fixing import Edit, apply_edits, edits_of


def run_fix(given: argparse.Namespace) -> int:
    """Applies the fixes, or prints them as a patch. 1 if something false is left, 2 if a dirty file was refused."""
    session = Session(given)
    report = session.scan(since=given.changed_since)
    report = apply_baseline(report, read_baseline(session.git.root / session.configuration.baseline))
    edits = edits_of(report.drifted, unsafe=given.unsafe)
    dirty = set() if given.allow_dirty or given.diff else _dirty(session)
    done = 0
    refused: list[str] = []
    for name, wanted in sorted(edits.items()):
        if name in dirty:
            refused.append(name)
            continue
        done += _mend(session.git.root / name, name, wanted, diff=given.diff)
    total = sum(len(wanted) for wanted in edits.values())
    left = sum(len(f.mentions) for f in report.drifted) - done
    out = sys.stderr if given.diff else sys.stdout
    print(
        f"{done} of {total} fixes {'shown' if given.diff else 'applied'}; {left} mentions are left for you.", file=out
    )
    for name in refused:
        print(
            f"error[DOCALIGN_E405]: {name} has uncommitted changes and was left alone.\n  help: Commit them, or use --allow-dirty.",
            file=sys.stderr,
        )
    return 2 if refused else 1 if left else 0


def _dirty(session: Session) -> set[str]:
    return set(session.git.fields("diff", "--name-only", "-z", "--no-ext-diff", "HEAD", check=False)) | set(
        session.git.fields("ls-files", "-o", "--exclude-standard", "-z")
    )


def _mend(path: Path, name: str, edits: list[Edit], *, diff: bool) -> int:
    """Applies the edits of one file; returns how many were made."""
    if path.is_symlink() or not path.is_file():
        return 0
    before = path.read_bytes().decode("utf-8", "surrogateescape")
    after, made = apply_edits(before, edits)
    if not made:
        return 0
    if diff:
        old, new = (_with_ends(text) for text in (before, after))
        sys.stdout.writelines(_patch_lines(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")))
        return made
    _replace(path, after.encode("utf-8", "surrogateescape"))
    return made


def _with_ends(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _patch_lines(lines: object) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]  # type: ignore[attr-defined]


def _replace(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, path.stat().st_mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
