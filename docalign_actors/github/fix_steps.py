"""Decides the next step in making a fix. Pure: (the row, what was seen at GitHub) → one step.

    asked    where does it go → what was found there → the files as they are → blobs, tree, commit: nothing that anybody sees
    making   the commit is written down; the branch is led to it, never by force → for a branch of our own, a pull request

Whoever is killed before the commit is written down begins again: what is left behind is an object that no branch leads to.
Whoever is killed later first looks where the branch leads. If it leads elsewhere, people have pushed: all begins anew on
their commit, if what is to be mended is still false there.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from docalign_actors.github.fixes import Fix, Making, NewEntry, OwnPull, PullTarget, Scanned, TreeEntry
from docalign_actors.github.mending import (
    MOST_BYTES,
    Work,
    branch_name,
    chosen,
    is_for,
    mend,
    message,
    paths_of,
    pull_body,
    title,
)

FILE_MODES = ("100644", "100755")
_MOST_AGAIN = {"asked": 60, "making": 300}
"""Attempts, waits for a scan included. What has got as far as a commit is not given up because GitHub is down for an hour."""


class Seen(Struct, frozen=True):
    """What was seen and made since the row was read first. It is lost with the actor, and then seen again."""

    pull: PullTarget | None = None
    base_ref: str = ""
    tips: dict[str, str] = {}
    """Branches and the commits that they lead to."""
    ours: tuple[OwnPull, ...] | None = None
    scanned: Scanned | None = None
    root: str = ""
    folders: dict[str, dict[str, TreeEntry]] = {}
    """By path, each of those that had to be looked into."""
    files: dict[str, bytes | None] = {}
    """By path; None for what is no plain file."""
    blobs: dict[str, str] = {}
    tree: str = ""
    fresh: bool = False
    """The commit was made just now, and nothing was tried with it."""
    refusal: str = ""
    """Why GitHub did not lead the branch to it."""
    contained: bool | None = None
    pull_refusal: str = ""

    def but(self, **more: Any) -> Seen:
        return msgspec.structs.replace(self, **more)


class LookAtPull(Struct, frozen=True):
    number: int


class LookAtRepository(Struct, frozen=True):
    """Which branch is the default one?"""


class LookAtBranch(Struct, frozen=True):
    branch: str


class LookForOurs(Struct, frozen=True):
    """Is there a pull request of our own to this branch?"""

    base: str


class LookUpScan(Struct, frozen=True):
    """What was found at this commit? Asked of the database."""

    commit: str


class WaitForScan(Struct, frozen=True):
    """It is scanned, or will be: the webhook or the reconciler sees to that. `pull`: it may be that nobody was told."""

    commit: str
    base: str
    pull: int | None


class LookAtCommit(Struct, frozen=True):
    commit: str


class LookAtFolder(Struct, frozen=True):
    path: str
    tree: str


class LookAtFile(Struct, frozen=True):
    path: str
    blob: str


class LeaveFile(Struct, frozen=True):
    """A symbolic link, a submodule, something too large, or nothing at all: it is not touched."""

    path: str


class CreateBlob(Struct, frozen=True):
    path: str
    data: bytes


class CreateTree(Struct, frozen=True):
    base: str
    entries: tuple[NewEntry, ...]


class CreateCommit(Struct, frozen=True):
    message: str
    tree: str
    making: Making
    """Still without the commit's id."""


class LookWhetherContained(Struct, frozen=True):
    tip: str


class CreateBranch(Struct, frozen=True):
    pass


class MoveBranch(Struct, frozen=True):
    pass


class StartOver(Struct, frozen=True):
    """The branch leads elsewhere: nothing of what was made holds any more."""


class CreatePull(Struct, frozen=True):
    title: str
    body: str


class End(Struct, frozen=True):
    """pushed, opened, nothing or failed; the last two with a reason."""

    state: str
    reason: str = ""
    pull: int | None = None


Step = (
    LookAtPull | LookAtRepository | LookAtBranch | LookForOurs | LookUpScan | WaitForScan | LookAtCommit | LookAtFolder
    | LookAtFile | LeaveFile | CreateBlob | CreateTree | CreateCommit | LookWhetherContained | CreateBranch | MoveBranch
    | StartOver | CreatePull | End
)  # fmt: skip


class Target(Struct, frozen=True):
    """Where a fix goes. `branch`: "" for one of our own that has no name yet; `scanned`: the commit whose findings count."""

    branch: str
    parent: str
    scanned: str
    base_ref: str = ""
    pull: int | None = None


def next_step(fix: Fix, seen: Seen) -> Step:
    """What comes next; at last End."""
    if fix.attempts >= _MOST_AGAIN[fix.state]:
        return End("failed", "it was tried too often: the commit was not scanned, or the branch keeps moving")
    if fix.state == "making":
        return _reach(fix, seen)
    target = _target(fix, seen)
    return _make(fix, seen, target) if isinstance(target, Target) else target


def writes(step: Step) -> bool:
    """Whether a step counts against the limits of writes."""
    return isinstance(step, CreateBlob | CreateTree | CreateCommit | CreateBranch | MoveBranch | CreatePull)


# Where


def _target(fix: Fix, seen: Seen) -> Target | Step:
    pull = seen.pull
    if fix.number is not None:
        if pull is None:
            return LookAtPull(fix.number)
        if not pull.open:
            return End("failed", "the pull request is not open")
        if pull.head_repo == fix.full_name and not _of_default(fix, pull):
            return Target(pull.head_ref, pull.head_sha, pull.head_sha)
    base = _base(fix, seen)
    if not base:
        return LookAtRepository()
    if base not in seen.tips:
        return LookAtBranch(base)
    tip = seen.tips[base]
    if not tip:
        return End("failed", f"there is no branch {base}")
    if seen.ours is None:
        return LookForOurs(base)
    scanned = pull.head_sha if pull is not None else tip
    for own in seen.ours:
        if is_for(own.body, _about(fix, seen).number):
            return Target(own.head_ref, own.head_sha, scanned, base, own.number)
    return Target("", tip, scanned, base)


def _of_default(fix: Fix, pull: PullTarget) -> bool:
    """Whether a pull request comes from the default branch itself, as one to a branch of releases does. That gets no commit."""
    return pull.head_repo == fix.full_name and pull.head_ref == pull.default_branch


def _base(fix: Fix, seen: Seen) -> str:
    """Where a pull request of our own goes: to the default branch, or to a fork's base."""
    if seen.pull is None:
        return seen.base_ref
    return seen.pull.head_ref if _of_default(fix, seen.pull) else seen.pull.base_ref


def _about(fix: Fix, seen: Seen) -> Fix:
    """A fix of the default branch is one, whoever asked for it and where."""
    mends_default = seen.pull is not None and _of_default(fix, seen.pull)
    return msgspec.structs.replace(fix, number=None) if mends_default else fix


# What


def _make(fix: Fix, seen: Seen, target: Target) -> Step:
    if seen.scanned is None:
        return LookUpScan(target.scanned)
    if seen.scanned.state == "pending":
        base = seen.pull.base_ref if seen.pull is not None else target.base_ref
        return WaitForScan(target.scanned, base, fix.number)
    if seen.scanned.state != "decided":
        return End("failed", f"the scan of {target.scanned[:9]} did not come to its end; ask for another one")
    findings = chosen(seen.scanned.findings, fix.findings)
    if not findings:
        return End("nothing", _nothing(fix, seen.scanned))
    for path in paths_of(findings):
        if path not in seen.files:
            return _read(seen, target, path)
    work = mend(findings, {path: data for path, data in seen.files.items() if data is not None})
    if not work.files:
        there = f"#{target.pull} has it already, or " if target.pull is not None else ""
        return End("nothing", f"{there}the lines do not say any more what was found", target.pull)
    return _commit(fix, seen, target, work)


def _nothing(fix: Fix, scanned: Scanned) -> str:
    there = {finding.id for finding in scanned.findings}
    missing = [one for one in fix.findings if one not in there]
    if missing:
        return f"finding {missing[0]} is not there, or not any more"
    return "no fix is certain enough to be made unasked" if scanned.findings else "nothing is false"


def _read(seen: Seen, target: Target, path: str) -> Step:
    """Down from the root, folder by folder: a link or a submodule on the way ends it."""
    if not seen.root:
        return LookAtCommit(target.parent)
    *folders, name = path.split("/")
    at, tree = "", seen.root
    for folder in folders:
        if at not in seen.folders:
            return LookAtFolder(at, tree)
        entry = seen.folders[at].get(folder)
        if entry is None or entry.kind != "tree":
            return LeaveFile(path)
        at, tree = f"{at}/{folder}" if at else folder, entry.sha
    if at not in seen.folders:
        return LookAtFolder(at, tree)
    entry = seen.folders[at].get(name)
    if entry is None or entry.kind != "blob" or entry.mode not in FILE_MODES:
        return LeaveFile(path)
    return LookAtFile(path, entry.sha)


def too_large(data: bytes) -> bool:
    return len(data) > MOST_BYTES


def _mode(seen: Seen, path: str) -> str:
    folder, _, name = path.rpartition("/")
    return seen.folders[folder][name].mode


def _commit(fix: Fix, seen: Seen, target: Target, work: Work) -> Step:
    entries: list[NewEntry] = []
    for path, data in work.files.items():
        mode = _mode(seen, path)
        try:
            entries.append(NewEntry(path, mode, data.decode()))
        except UnicodeDecodeError:
            if path not in seen.blobs:
                return CreateBlob(path, data)
            entries.append(NewEntry(path, mode, sha=seen.blobs[path]))
    if not seen.tree:
        return CreateTree(seen.root, tuple(entries))
    branch = target.branch or branch_name(target.base_ref, target.parent, work)
    making = Making(target.parent, branch, target.base_ref, "", target.pull, work.mended)
    named = msgspec.structs.replace(_about(fix, seen), base_ref=target.base_ref)
    return CreateCommit(message(named, work.mended), seen.tree, making)


# How it gets there


def _reach(fix: Fix, seen: Seen) -> Step:
    own = bool(fix.base_ref) and fix.pull is None
    if not seen.fresh and fix.branch not in seen.tips:
        return LookAtBranch(fix.branch)
    tip = seen.tips.get(fix.branch)
    if tip is None:
        return CreateBranch() if own else MoveBranch()
    if tip != fix.commit_sha:
        return _not_there(fix, seen, tip, own)
    return _open(fix, seen) if own else End("pushed", pull=fix.pull)


def _not_there(fix: Fix, seen: Seen, tip: str, own: bool) -> Step:
    if tip == ("" if own else fix.parent_sha):
        if seen.refusal:
            return End("failed", f"branch {fix.branch} cannot be written to: {seen.refusal}")
        return CreateBranch() if own else MoveBranch()
    if not tip:
        return End("failed", f"there is no branch {fix.branch} any more")
    if seen.contained is None:
        return LookWhetherContained(tip)
    if own:  # the name says what it holds: an earlier try, or somebody has gone on from it
        return _open(fix, seen)
    return End("pushed", pull=fix.pull) if seen.contained else StartOver()


def _open(fix: Fix, seen: Seen) -> Step:
    if seen.ours is None:
        return LookForOurs(fix.base_ref)
    for own in seen.ours:
        if own.head_ref == fix.branch:
            return End("opened", pull=own.number)
    if seen.pull_refusal:
        return End("failed", f"the pull request could not be opened: {seen.pull_refusal}")
    if fix.number is not None and seen.pull is None:
        return LookAtPull(fix.number)
    named = _about(fix, seen)
    return CreatePull(title(named, fix.mended), pull_body(named, fix.mended))
