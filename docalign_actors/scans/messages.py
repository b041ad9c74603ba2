"""Every message between the actors of this capability. Commands in the imperative, one receiver; events in the past tense."""

from __future__ import annotations

from concurrent.futures import Future

from msgspec import Struct

from docalign_actors.findings.report import Report
from docalign_actors.scans.limits import Counter, Refusal
from docalign_actors.scans.model import RepoId, Request, RunId

# To the ingest actor


class Enqueue(Struct, frozen=True, tag="scan.enqueue"):
    """Admit this request; waits in the intake. `reply` gets the run when, and only when, it is committed, or a refusal."""

    request: Request
    reply: Future[RunId]


# To the rate limiter


class Reserve(Struct, frozen=True, tag="limits.reserve"):
    """Ask: may these demands be counted? Answered by a list of Refusal or None."""

    demands: tuple[tuple[Counter, ...], ...]


class Unreserve(Struct, frozen=True, tag="limits.unreserve"):
    """What was reserved has not been written down after all."""

    demands: tuple[tuple[Counter, ...], ...]


Refusals = list[Refusal | None]


# To a repository's actor


class CancelRun(Struct, frozen=True, tag="repo.cancel_run"):
    """Stop this run; the wish is in the database already."""

    run_id: RunId


class PermitGranted(Struct, frozen=True, tag="repo.permit_granted"):
    """The repository may run one scan."""

    permit: int


class ScanEnded(Struct, frozen=True, tag="repo.scan_ended"):
    """The scan has written its outcome into the database."""

    run_id: RunId
    status: str


class Look(Struct, frozen=True, tag="repo.look"):
    """Look at the database: something may be due."""


class DeadlinePassed(Struct, frozen=True, tag="repo.deadline_passed"):
    """To itself: the scan under way has had its time. `hard`: the time to finish up has passed as well."""

    run_id: RunId
    hard: bool = False


# To the worker pool


class PermitsWanted(Struct, frozen=True, tag="pool.permits_wanted"):
    """These repositories, in this order, have a run that is due."""

    repos: tuple[RepoId, ...]


class PermitReleased(Struct, frozen=True, tag="pool.permit_released"):
    """The repository's scan has ended. `again`: it has another run that is due."""

    repo: RepoId
    again: bool = False


class StopGranting(Struct, frozen=True, tag="pool.stop_granting"):
    """The service drains: whoever waits, waits for the next start."""


class Recount(Struct, frozen=True, tag="pool.recount"):
    """To itself: compare the permits with the database."""


# To a scan's actor


class Cancel(Struct, frozen=True, tag="scan.cancel"):
    """Stop as soon as may be."""

    reason: str = ""


class FinishUp(Struct, frozen=True, tag="scan.finish_up"):
    """The deadline: keep what is decided. `now`: do not wait for the process any longer."""

    now: bool = False


class Overdue(Struct, frozen=True, tag="scan.overdue"):
    """To itself: the process should be gone by now."""


class StageReached(Struct, frozen=True, tag="scan.stage_reached"):
    """The scan's process has come so far."""

    stage: str
    done: int
    total: int


class ReportMade(Struct, frozen=True, tag="scan.report_made"):
    """The scan's process has a report. `partial`: it was told to hurry."""

    report: Report
    facts: ScanFacts
    partial: bool = False
    referrals: tuple[Referral, ...] = ()
    """What code could not decide and agents may."""
    blobs: dict[str, str] = {}
    """Of the files that the referrals name."""
    remembered: int = 0
    """Claims that agents decided for earlier scans."""


class Referral(Struct, frozen=True):
    """A question for agents: the command and the payload of a task.

    claim_id  the claim that it is about, "" if none yet
    question  by what one knows the same question, "" if it is never the same
    """

    claim_id: str
    command: str
    payload: str
    question: str = ""


class CitationsChecked(Struct, frozen=True, tag="scan.citations_checked"):
    """Where the cited texts stand at the commit, in the order of the job: line numbers, 0 for one that is not there.

    None: nobody could look.
    """

    lines: tuple[int, ...] | None
    blobs: dict[str, str] = {}
    """Of the files that are cited, "" for one that is not there."""


class ScanFacts(Struct, frozen=True):
    """What else the process learnt on its way.

    branch, head   the default branch and its commit, "" where the scan did not look
    code, docs     the files that the change touched, for co-changes
    threshold      the severity from which on a finding blocks, as the repository's configuration says
    comment_when_clean  whether a pull request with nothing false gets a comment, if the repository's configuration says
    whole          whether it was carried out as a full scan: a push is, if its history was rewritten
    """

    branch: str = ""
    head: str = ""
    code: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    max_claims: int = 0
    threshold: str = ""
    whole: bool = False
    comment_when_clean: bool | None = None


class ScanFailed(Struct, frozen=True, tag="scan.failed"):
    """The scan's process could not do it, and says why."""

    code: str
    error: str
    permanent: bool = False


class ProcessEnded(Struct, frozen=True, tag="scan.process_ended"):
    """The scan's process is gone."""

    code: int
    tail: str = ""
