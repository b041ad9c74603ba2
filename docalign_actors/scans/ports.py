"""What this capability needs from outside, as protocols. `persistence` and `app` provide it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.contracts import Citation
from docalign_actors.findings.model import Finding
from docalign_actors.findings.report import Report
from docalign_actors.scans.admission import Admission
from docalign_actors.scans.limits import Counter, Refusal
from docalign_actors.scans.messages import Referral, ScanFacts
from docalign_actors.scans.model import Counts, Repo, RepoId, Request, Run, RunId, Status
from docalign_actors.scans.outcomes import Next
from docalign_actors.scans.referrals import (
    AgentRules,
    Answer,
    Asking,
    Parked,
    RememberedVerdict,
    Resumed,
    Unasked,
    Waited,
)


class Started(Struct, frozen=True):
    """A run that has just become `running`. Whoever writes for it shows the lease."""

    run: Run
    repo: Repo
    lease: UUID
    last_event: int = 0
    resumed: Resumed | None = None
    """What it goes on with, if it waited for agents."""


class Job(Struct, frozen=True):
    """What a scan's process is told. It comes over its standard input: nothing of it is seen in a process list."""

    run_id: str
    repo_id: str
    url: str
    type: str
    mirror: str
    database: str = ""
    base: str = ""
    head: str = ""
    fetch_timeout: float = 300.0
    depth: int = 0
    jobs: int = 1
    max_claims: int = 200
    parent: int = 0
    asking: Asking | None = None
    """What it may ask of agents, if anything."""
    citations: tuple[Citation, ...] = ()
    """What agents cited: then this is all that is looked at."""
    token: str = ""
    """What the repository's host asks for; it is not shown."""
    user: str = ""
    """The name that goes with it."""

    def __repr__(self) -> str:
        return f"Job({self.type} of {self.repo_id}, run {self.run_id})"


class ScanStore(Protocol):
    """The database, as the actors of scans see it. Every method is one transaction."""

    def enqueue(
        self, requests: Sequence[Request], ids: Sequence[RunId], day: date, reserve: Reserver
    ) -> list[Admission]:
        """Admits a batch in one transaction. `ids` has one for each request, so that a second try writes nothing twice."""
        ...

    def counters(self, day: date) -> Mapping[Counter, int]: ...

    def open_runs(self, repo: RepoId, now: datetime) -> list[Run]:
        """What decides the next step: the run that runs, the oldest one that is due, and the next one that will be."""
        ...

    def start(self, run: RunId, permit: int, lease: UUID) -> Started | None:
        """Makes a queued run running. None if it is not queued any more, or the repository has a running one."""
        ...

    def settle(
        self, run: RunId, lease: UUID, decide: Decide, duration_ms: int = 0, trouble: tuple[RepoId, str] | None = None
    ) -> Next | None:
        """Ends an attempt. None if somebody else has done so: the lease is no longer the run's.

        `trouble` says what is wrong with the repository, which it tells from the same instant on.
        `decide` gets the run as it is now and the run that waits for the same pull request, if one does; nothing can
        come between what it sees and what is written.
        """
        ...

    def store_results(self, run: RunId, lease: UUID, decide: Decide, results: Results, duration_ms: int) -> Next | None:
        """Writes what was found and ends the run, in one transaction. None, and nothing written, if the lease is lost."""
        ...

    def park(
        self, run: RunId, lease: UUID, decide: Decide, parked: Parked, rules: AgentRules, duration_ms: int
    ) -> Next | None:
        """Makes a run wait for agents: keeps what is decided, writes the tasks down, gives the permit back, all in one.

        None, and nothing written, if the lease is lost; nothing but the end is written if `decide` ends the run.
        """
        ...

    def request_cancel(self, run: RunId, reason: str) -> Cancelling | None:
        """Writes the wish down. A queued run ends at once. None if there is no such run."""
        ...

    def append_event(self, run: RunId, seq: int, kind: str, data: Mapping[str, Any], stage: str = "") -> None: ...

    def running(self) -> list[tuple[Run, int, UUID]]:
        """Every running run with its permit and lease."""
        ...

    def due_repos(self, now: datetime) -> list[RepoId]:
        """Repositories with a queued run that is due, in the order of their oldest one."""
        ...

    def suppressions(self, repo: RepoId, now: datetime) -> list[tuple[str, str]]:
        """(scope, value) of all that holds."""
        ...

    def verdicts(self, repo: RepoId, after: datetime) -> list[RememberedVerdict]:
        """What agents have decided since then."""
        ...

    def co_changes(self, repo: RepoId, pairs: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], int]:
        """How often each code file and document were changed together."""
        ...

    def claims_by_code_files(self, repo: RepoId, files: Sequence[str]) -> list[str]: ...

    def claims_by_documents(self, repo: RepoId, files: Sequence[str]) -> list[str]: ...

    def set_status(self, run: RunId, before: Status, status: Status, counts: Counts | None) -> bool: ...


class WaitStore(Protocol):
    """The database, as the waiting room sees it. Every method is one transaction."""

    def answered(self, now: datetime) -> list[Unasked]:
        """Waiting runs of which no task is open."""
        ...

    def answers(self, run: RunId) -> list[Answer]: ...

    def release(self, run: RunId) -> bool:
        """It need not wait any longer. False if it does not wait any more."""
        ...

    def refer_more(
        self, run: RunId, referrals: Sequence[Referral], ids: Sequence[UUID], now: datetime, rules: AgentRules
    ) -> bool:
        """Further questions of a run that waits; with none, only that there are none. False if it does not wait any more."""
        ...

    def progress(self) -> list[Waited]: ...

    def append_waiting_event(self, run: RunId, data: Mapping[str, Any]) -> int:
        """The number of the event, 0 if the run does not wait any more."""
        ...


class Cancelling(Struct, frozen=True):
    """What a wish to cancel met."""

    repo_id: RepoId
    before: Status
    after: Status


class Results(Struct, frozen=True):
    """What a scan found, ready to be stored.

    report     every claim with its verdict
    findings   what is reported, in the order of importance
    knowledge  whether this is what is known of the default branch from now on; a pull request's scan never is
    """

    report: Report
    findings: tuple[Finding, ...]
    facts: ScanFacts
    counts: Counts
    knowledge: bool
    notice: str = ""
    """What agents left open."""
    tokens: int = 0
    """What their models used."""
    verdicts: tuple[RememberedVerdict, ...] = ()
    """What they decided, for later scans."""
    remembered: int = 0
    """Claims that they had decided for earlier scans."""


Decide = Callable[[Run, RunId | None], Next]
Reserver = Callable[[Sequence[tuple[Counter, ...]]], Sequence[Refusal | None]]


class ScanProcess(Protocol):
    """A scan at work in a process of its own."""

    def hurry(self) -> None:
        """Asks it to keep what is decided and end."""
        ...

    def end(self) -> None:
        """Ends it and everything that it started, now. May be called again."""
        ...


class Processes(Protocol):
    """Starts scans' processes. What they say comes as messages, from a thread of its own; the last one is ProcessEnded."""

    def start(self, job: Job, tell: Callable[[object], None]) -> ScanProcess: ...
