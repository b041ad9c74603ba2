"""`docalign fix`: writes what is certain into the documents."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from docalign_actors.cli.session import Session
from docalign_actors.findings.baseline import apply_baseline, read_baseline
from docalign_actors.findings.fixing import Edit, apply_edits, edits_of
from docalign_actors.reporting.style import plural, printable, printable_path

_DIRTY = "DOCALIGN_E404"


def run_fix(given: argparse.Namespace) -> int:
    """Applies the fixes, or prints them as a patch. 1 if something false is left, 2 if a dirty file was refused."""
    session = Session(given)
    report = session.scan(since=given.changed_since or "")
    report = apply_baseline(report, read_baseline(session.git.root / session.configuration.baseline))
    edits = edits_of(report.drifted, unsafe=given.unsafe)
    dirty = set() if given.allow_dirty or given.diff else _dirty(session)
    done = 0
    refused: list[str] = []
    for name, wanted in sorted(edits.items()):
        if name in dirty:
            refused.append(name)
            continue
        made = _mend(session.git.root / name, wanted, patch_of=name if given.diff else "")
        done += len(made)
        if not given.diff:
            sys.stdout.writelines(f"{printable_path(name)}:{e.line}:{e.column}: {_change(e)}\n" for e in made)
    left = sum(len(f.mentions) for f in report.drifted) - done
    print(_summary(done, left, shown=given.diff), file=sys.stderr if given.diff else sys.stdout)
    for name in refused:
        print(
            f"error[{_DIRTY}]: {printable_path(name)} has uncommitted changes and was left alone.\n"
            "  help: Commit them, or use --allow-dirty.",
            file=sys.stderr,
        )
    return 2 if refused else 1 if left else 0


def _change(edit: Edit) -> str:
    return printable(f"`{edit.old}` is now `{edit.new}`")


def _summary(done: int, left: int, *, shown: bool) -> str:
    if not done and not left:
        return "Nothing is to be mended."
    number = plural(done, "place") if done else "No place"
    said = f"{number} {'would be' if shown else 'was' if done < 2 else 'were'} mended."
    if left:
        said += f" {plural(left, 'false place')} {'is' if left == 1 else 'are'} left for you: `docalign scan` shows what to do."
    return said


def _dirty(session: Session) -> set[str]:
    return set(session.git.fields("diff", "--name-only", "-z", "--no-ext-diff", "HEAD", check=False)) | set(
        session.git.fields("ls-files", "-o", "--exclude-standard", "-z")
    )


def _mend(path: Path, edits: list[Edit], *, patch_of: str) -> list[Edit]:
    """Applies the edits of one file, or prints them as a patch of that name; returns those that were made."""
    if path.is_symlink() or not path.is_file():
        return []
    before = path.read_bytes().decode("utf-8", "surrogateescape")
    after, made = apply_edits(before, edits)
    if made and patch_of:
        old, new = (_with_ends(text) for text in (before, after))
        sys.stdout.writelines(_patch_lines(difflib.unified_diff(old, new, f"a/{patch_of}", f"b/{patch_of}")))
    elif made:
        _replace(path, after.encode("utf-8", "surrogateescape"))
    return made


def _with_ends(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _patch_lines(lines: Iterable[str]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


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
