"""The contract of this capability: everything that anybody may ask of scans.

    enqueue_pr_scan     a pull request was opened or got a new head; a waiting scan of it is replaced, a running one stopped
    enqueue_push_scan   the default branch got new commits; the same commit twice is one scan
    enqueue_full_scan   look at everything; each request is a scan of its own
    resolve_scope       which known claims a set of changed files touches
    cancel_scan         stop a scan, queued or running
    update_scan_status  move a scan on by hand; only what the state machine allows

Errors, all of them DocAlignError: E404 no such repository or scan, or not in a state for this; E405 a daily limit is
reached; E301 and E302 the database; E601 the actor system takes no work just now. A request is accepted when its row is
committed, and only then is there an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from docalign_actors.errors import StateConflictError, UnknownScanError
from docalign_actors.scans.messages import CancelRun
from docalign_actors.scans.model import TRANSITIONS, Counts, RepoId, Request, RunId, ScanType, Status, Trigger
from docalign_actors.scans.ports import Cancelling, ScanStore

Ingest = Callable[[Request], "Future[RunId]"]
"""Writes a request down; the answer comes when that is committed."""
Tell = Callable[[str, object], None]


class TriggerService:
    """Asks for scans and stops them. Thread-safe; holds no state."""

    def __init__(
        self, store: ScanStore, ingest: Ingest, tell: Tell, cancelled: Callable[[], None] = lambda: None
    ) -> None:
        """`cancelled`: a scan that waited may have ended, and wants its tasks no more."""
        self._store = store
        self._ingest = ingest
        self._tell = tell
        self._cancelled = cancelled

    def enqueue_pr_scan(
        self, repo_id: RepoId, number: int, base: str, head: str, *,
        delivery: tuple[str, str] | None = None, trace: str = "", user: str = "",
    ) -> Future[RunId]:  # fmt: skip
        """The scan of a pull request's head against its base."""
        return self._ingest(Request(repo_id, ScanType.PR, Trigger.PR, number, base, head, user, delivery, trace))

    def enqueue_push_scan(
        self, repo_id: RepoId, before: str, after: str, *, trigger: Trigger = Trigger.PUSH,
        delivery: tuple[str, str] | None = None, trace: str = "", user: str = "",
    ) -> Future[RunId]:  # fmt: skip
        """The scan of the default branch after a push; `scheduled` if nobody told of it and the watcher saw it."""
        return self._ingest(Request(repo_id, ScanType.PUSH, trigger, None, before, after, user, delivery, trace))

    def enqueue_full_scan(
        self, repo_id: RepoId, *, trigger: Trigger = Trigger.MANUAL,
        delivery: tuple[str, str] | None = None, trace: str = "", user: str = "",
    ) -> Future[RunId]:  # fmt: skip
        """A scan of everything. Says whether a person asked (`manual`) or a schedule or an installation did (`scheduled`)."""
        return self._ingest(Request(repo_id, ScanType.FULL, trigger, None, "", "", user, delivery, trace))

    def resolve_scope(self, repo_id: RepoId, code_files: Sequence[str], doc_files: Sequence[str]) -> list[str]:
        """The known claims in these documents, or mapped to this code, each once. Suppressed ones too; uncapped."""
        found = dict.fromkeys(self._store.claims_by_documents(repo_id, doc_files) if doc_files else ())
        found.update(dict.fromkeys(self._store.claims_by_code_files(repo_id, code_files) if code_files else ()))
        return list(found)

    def cancel_scan(self, run_id: RunId, reason: str = "somebody asked") -> Cancelling:
        """Written down first, then told to the repository's actor. A scan that has ended is left alone."""
        found = self._store.request_cancel(run_id, reason)
        if found is None:
            raise UnknownScanError
        if not found.before.final:
            self._tell(f"repo/{found.repo_id}", CancelRun(run_id))
        if found.after.final:
            self._cancelled()
        return found

    def update_scan_status(self, run_id: RunId, before: Status, status: Status, counts: Counts | None = None) -> None:
        """Moves a scan from a status to another. Refuses what the table of transitions does not allow."""
        if status not in TRANSITIONS[before]:
            raise StateConflictError(f"A scan that is {before.value} cannot become {status.value}.")
        if not self._store.set_status(run_id, before, status, counts):
            raise StateConflictError(f"The scan is not {before.value} any more.")
