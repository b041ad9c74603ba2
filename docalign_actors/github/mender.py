"""Makes fixes, one request at a time, on behalf of an installation's actor. Decides nothing: `fix_steps` does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
from loguru import logger

from docalign_actors.errors import GitHubError, GitHubForbiddenError, GitHubLimitError, GitHubNotFoundError
from docalign_actors.github import fix_steps, telling
from docalign_actors.github.fix_steps import Seen
from docalign_actors.github.fixes import Fix, FixStore, OwnPull, Workbench
from docalign_actors.scans.model import RepoId

_SLOWEST = 60.0
Rescan = Callable[[RepoId, int, str, str], None]


class Mender:
    """Remembers what was seen for the fix that is being made; everything else is in the database."""

    def __init__(self, store: FixStore, rescan: Rescan, knows_head: Callable[[RepoId, int, str], bool]) -> None:
        self._store = store
        self._rescan = rescan
        self._knows_head = knows_head
        self._fix: Fix | None = None
        self._seen = Seen()

    def next_fix(self, installation: int, now: datetime) -> tuple[Fix, fix_steps.Step] | None:
        """The fix whose turn it is, and what comes next for it."""
        fix = self._store.next_fix(installation, now)
        if fix is None:
            self.forget()
            return None
        if self._fix is None or (self._fix.id, self._fix.attempts) != (fix.id, fix.attempts):
            self._seen = Seen()
        self._fix = fix
        return fix, fix_steps.next_step(fix, self._seen)

    def forget(self) -> None:
        """What was seen may not hold any more."""
        self._fix, self._seen = None, Seen()

    def carry_out(self, fix: Fix, step: fix_steps.Step, bench: Workbench) -> str:
        """Does one step and writes it down; gives how the fix ended, "" while it has not."""
        match step:
            case fix_steps.End(state=state, reason=reason, pull=pull):
                self._store.end(fix, state, reason, pull)
                self.forget()
                return state
            case fix_steps.StartOver():
                self._store.start_over(fix)
                self.forget()
            case fix_steps.LookUpScan(commit=commit):
                self._seen = self._seen.but(scanned=self._store.scanned(fix, commit))
            case fix_steps.WaitForScan(commit=commit, base=base, pull=pull):
                if pull is not None and not self._knows_head(fix.repo_id, pull, commit):
                    self._rescan(fix.repo_id, pull, base, commit)
                self._put_off(fix, f"the scan of {commit[:9]} has not ended")
            case (
                fix_steps.CreateBlob() | fix_steps.CreateTree() | fix_steps.CreateCommit() | fix_steps.CreateBranch()
                | fix_steps.MoveBranch() | fix_steps.CreatePull()
            ):  # fmt: skip
                self._write(fix, step, bench)
            case _:
                self._look(fix, step, bench)
        return ""

    def _look(self, fix: Fix, step: fix_steps.Step, bench: Workbench) -> None:
        name, seen = fix.full_name, self._seen
        match step:
            case fix_steps.LookAtPull(number=number):
                seen = seen.but(pull=bench.pull_target(name, number))
            case fix_steps.LookAtRepository():
                seen = seen.but(base_ref=bench.default_branch(name))
            case fix_steps.LookAtBranch(branch=branch):
                seen = seen.but(tips={**seen.tips, branch: bench.tip(name, branch)})
            case fix_steps.LookForOurs(base=base):
                seen = seen.but(ours=tuple(bench.own_pulls(name, base)))
            case fix_steps.LookAtCommit(commit=commit):
                seen = seen.but(root=bench.root(name, commit))
            case fix_steps.LookAtFolder(path=path, tree=tree):
                entries = {entry.name: entry for entry in bench.entries(name, tree)}
                seen = seen.but(folders={**seen.folders, path: entries})
            case fix_steps.LookAtFile(path=path, blob=blob):
                data = bench.blob(name, blob)
                seen = seen.but(files={**seen.files, path: None if fix_steps.too_large(data) else data})
            case fix_steps.LeaveFile(path=path):
                logger.info("{}: {} is no plain file and is left alone", name, path)
                seen = seen.but(files={**seen.files, path: None})
            case fix_steps.LookWhetherContained(tip=tip):
                seen = seen.but(contained=bench.contains(name, tip, fix.commit_sha))
        self._seen = seen

    def _write(self, fix: Fix, step: fix_steps.Step, bench: Workbench) -> None:
        name, seen = fix.full_name, self._seen
        match step:
            case fix_steps.CreateBlob(path=path, data=data):
                seen = seen.but(blobs={**seen.blobs, path: bench.create_blob(name, data)})
            case fix_steps.CreateTree(base=base, entries=entries):
                seen = seen.but(tree=bench.create_tree(name, base, entries))
            case fix_steps.CreateCommit(message=message, tree=tree, making=making):
                commit = bench.create_commit(name, message, tree, making.parent_sha)
                self._store.record_making(fix, msgspec.structs.replace(making, commit_sha=commit))
                seen = seen.but(fresh=True, tips={})
            case fix_steps.CreateBranch():
                bench.create_branch(name, fix.branch, fix.commit_sha)
                seen = seen.but(tips={fix.branch: fix.commit_sha})
            case fix_steps.MoveBranch():
                bench.move_branch(name, fix.branch, fix.commit_sha)
                seen = seen.but(tips={fix.branch: fix.commit_sha})
            case fix_steps.CreatePull(title=title, body=body):
                number = bench.create_pull(name, title, body, fix.branch, fix.base_ref)
                seen = seen.but(ours=(*(seen.ours or ()), OwnPull(number, fix.branch, fix.commit_sha, body)))
        self._seen = seen

    def failed(self, fix: Fix, step: fix_steps.Step, error: GitHubError) -> str:
        """A step was not done. Gives how the fix ended, "" if it goes on."""
        refused = type(error) is GitHubError
        match step:
            case fix_steps.MoveBranch() | fix_steps.CreateBranch() if refused:
                self._seen = self._seen.but(fresh=False, tips={}, contained=None, refusal=f"{error}")
                return ""
            case fix_steps.CreatePull() if refused:
                self._seen = self._seen.but(ours=None, pull_refusal=f"{error}")
                return ""
            case fix_steps.LookAtPull() if isinstance(error, GitHubNotFoundError):
                return self._give_up(fix, "there is no such pull request")
        if isinstance(error, GitHubLimitError):
            return ""
        if isinstance(error, GitHubForbiddenError):
            return self._give_up(fix, f"the App may not do that; it needs the permission Contents: write. {error}")
        if refused:
            return self._give_up(fix, f"{error}")
        self._put_off(fix, f"{error} ({error.code})")
        return ""

    def _give_up(self, fix: Fix, reason: str) -> str:
        self._store.end(fix, "failed", reason, None)
        self.forget()
        return "failed"

    def _put_off(self, fix: Fix, error: str) -> None:
        self.forget()
        self._store.put_off(
            fix, error, timedelta(seconds=min(_SLOWEST, telling.FIRST_DELAY * 2 ** min(fix.attempts, 10)))
        )
