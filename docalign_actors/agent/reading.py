"""What is read in a checkout for a task whose evidence is not in it: the files that it may rest on, within bounds."""

from __future__ import annotations

from pathlib import Path

from docalign_actors.agent.checkout import is_plain
from docalign_actors.contracts import Excerpt, FileHint, TaskPayload, VerificationTask

_AROUND = 120
"""Lines before and after the line that a hint names."""
_LONGEST = 8_000
_TOTAL = 40_000
_LARGEST_FILE = 1_000_000


def hinted_files(task: TaskPayload, folder: Path) -> list[Excerpt]:
    """Excerpts of the hinted files, the likeliest first, for a claim that has to be looked up."""
    if not isinstance(task, VerificationTask) or task.verification_path != 2:
        return []
    found: list[Excerpt] = []
    room = _TOTAL
    for hint in sorted(task.mapped_files, key=lambda hint: -hint.confidence):
        excerpt = _excerpt(hint, folder)
        if excerpt is not None and len(excerpt.text) <= room:
            room -= len(excerpt.text)
            found.append(excerpt)
    return found


def _excerpt(hint: FileHint, folder: Path) -> Excerpt | None:
    file = folder / hint.path
    if not is_plain(hint.path) or file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_FILE:
        return None
    lines = file.read_text("utf-8", "replace").split("\n")
    first = min(max(0, hint.line - 1 - _AROUND), max(0, len(lines) - 1)) if hint.line else 0
    last = first + 2 * _AROUND + 1
    return Excerpt(hint.path, first + 1, "\n".join(lines[first:last])[:_LONGEST])
