"""What a note becomes in the journal of a branch. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from docalign_actors.applications.model import (
    BREAKER_CLOSED,
    BREAKER_OPENED,
    DRIFTED,
    FIXED,
    HEALTH,
    SCAN_FAILED,
    Branch,
    Change,
    Entry,
    Note,
)


def concerns(note: Note, branch: Branch) -> bool:
    """Whether what is known of the default branch is known of this one: it is that branch, by whatever name."""
    return branch.name in ("", note.branch) or note.sort != "scan"


def file_entries(note: Note, commit: str, changes: Iterable[Change], sniff: Callable[[Change], bool]) -> list[Entry]:
    """Files first, in the order of their paths: what is said of a claim speaks of files that are known by then."""
    return [_of_change(note, commit, change, sniff) for change in sorted(changes, key=lambda change: change.path)]


def _of_change(note: Note, commit: str, change: Change, sniff: Callable[[Change], bool]) -> Entry:
    if change.file is None:
        return Entry(kind=change.kind, name=change.path, commit=commit, at=note.at)
    file = change.file
    return Entry(
        kind=change.kind, name=file.path, previous_name=change.previous, mode=file.mode, blob=file.blob, size=file.size,
        is_binary=sniff(change), commit=commit, at=note.at,
    )  # fmt: skip


def other_entries(note: Note) -> list[Entry]:
    """What a note says besides files: claims, health, a scan that failed, a breaker."""
    data = note.data
    match note.sort:
        case "scan":
            found = [_claim(note, FIXED, claim) for claim in data.get("fixed", ())]
            found += [_claim(note, DRIFTED, claim) for claim in data.get("drifted", ())]
            health = data.get("health") or {}
            if health.get("before") != health.get("after"):
                found.append(Entry(kind=HEALTH, commit=note.head, data=health, at=note.at))
            return found
        case "failure":
            return [Entry(kind=SCAN_FAILED, data=data, at=note.at)]
        case _:
            kind = BREAKER_OPENED if data.get("state") == "opened" else BREAKER_CLOSED
            return [Entry(kind=kind, data=data, at=note.at)]


def _claim(note: Note, kind: str, claim: dict[str, Any]) -> Entry:
    return Entry(kind=kind, name=str(claim["id"]), commit=note.head, data=claim, at=note.at)
