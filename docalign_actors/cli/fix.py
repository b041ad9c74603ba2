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

_LEFT_ALONE = "DOCALIGN_E404"


def run_fix(given: argparse.Namespace) -> int:
    """Applies the fixes, or prints them as a patch. 1 if something false is left, 2 if a file was left alone."""
    session = Session(given)
    report = session.scan(since=given.changed_since or "")
    report = apply_baseline(report, read_baseline(session.git.root / session.configuration.baseline))
    edits = edits_of(report.drifted, unsafe=given.unsafe)
    dirty = set() if given.allow_dirty or given.diff else _dirty(session)
    done = 0
    refused: list[str] = []
    for name, wanted in sorted(edits.items()):
        shown = printable_path(name)
        if name in dirty:
            refused.append(
                f"{shown} has uncommitted changes and was left alone.\n  help: Commit them, or use --allow-dirty."
            )
            continue
        try:
            before, after, made = _mended(session.git.root, name, wanted)
            if made and not given.diff:
                _replace(session.git.root / name, after.encode("utf-8", "surrogateescape"))
        except OSError as error:
            refused.append(
                f"{shown} cannot be written and was left alone: {error.strerror}.\n  help: Make it writable."
            )
            continue
        done += len(made)
        if given.diff:
            sys.stdout.writelines(_patch(name, before, after))
        else:
            sys.stdout.writelines(f"{shown}:{e.line}:{e.column}: {_change(e)}\n" for e in made)
            sys.stdout.flush()  # whoever interrupts it is told what was done
    left = sum(len(f.mentions) for f in report.drifted) - done
    print(_summary(done, left, shown=given.diff), file=sys.stderr if given.diff else sys.stdout)
    for reason in refused:
        print(f"error[{_LEFT_ALONE}]: {reason}", file=sys.stderr)
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
    """What differs from the last commit, and what git does not know; before the first commit everything."""
    against = ("diff", "--name-only", "--no-ext-diff", "HEAD") if session.git.head() else ("ls-files",)
    return {*session.git.fields(*against, "-z"), *session.git.fields("ls-files", "-o", "--exclude-standard", "-z")}


def _mended(root: Path, name: str, edits: list[Edit]) -> tuple[str, str, list[Edit]]:
    """A file's text before and after the edits, and those that fit. Links are not followed: nothing outside is changed."""
    path = root / name
    if any(part.is_symlink() for part in (path, *path.parents) if root in part.parents) or not path.is_file():
        return "", "", []
    before = path.read_bytes().decode("utf-8", "surrogateescape")
    return before, *apply_edits(before, edits)


def _patch(name: str, before: str, after: str) -> list[str]:
    return _patch_lines(difflib.unified_diff(_with_ends(before), _with_ends(after), f"a/{name}", f"b/{name}"))


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
