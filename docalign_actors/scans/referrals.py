"""The words for what a scan refers to agents and what comes back, and the numbers that an operator may set."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from docalign_actors.findings.report import Report
from docalign_actors.scans.messages import Referral, ScanFacts
from docalign_actors.scans.model import RepoId, RunId, ScanType
from docalign_actors.settings.model import AgentSettings


class RememberedVerdict(Struct, frozen=True):
    """What an agent decided once: about which claim, in what words, and the blob of every file that it rests on."""

    claim_key: str
    claim_id: str
    result: str
    rests_on: dict[str, str]


class Asking(Struct, frozen=True):
    """What a scan may ask of agents, as its process is told: how many claims, how many passages of prose."""

    claims: int
    passages: int = 0
    repository: str = ""
    """The repository's name, for the tasks."""
    sure: float = 0.7
    known: tuple[RememberedVerdict, ...] = ()
    """What they decided for earlier scans."""


class AgentRules(Struct, frozen=True):
    """How scans deal with agents.

    wait     seconds for which a scan waits for them
    sure     the confidence from which on an answer counts
    attempts how often a task is delivered
    remember days for which an answer is remembered
    """

    wait: float = 1_800.0
    sure: float = 0.7
    dispatch: bool = False
    tenant: str = ""
    attempts: int = 3
    remember: int = 30


def rules_of(agents: AgentSettings) -> AgentRules:
    """As the operator has set them."""
    return AgentRules(
        agents.deadline, agents.min_confidence, agents.dispatch, agents.tenant, agents.attempts, agents.remember_days
    )


def asking_of(agents: AgentSettings, scan: ScanType, repository: str) -> Asking | None:
    """What a scan may ask: those of pull requests where agents are enabled, full ones where that is set as well.

    The others ask nothing; they go by what agents decided before.
    """
    if not agents.enabled:
        return None
    if scan is ScanType.PR or (scan is ScanType.FULL and agents.full_scans):
        return Asking(agents.claims_per_scan, agents.passages_per_scan, repository, agents.min_confidence)
    return Asking(0, 0, repository, agents.min_confidence)


class Kept(Struct, frozen=True):
    """What was decided without agents, kept while the run waits.

    blobs       of the files that its questions name
    remembered  how many claims agents had decided for earlier runs
    """

    report: Report
    facts: ScanFacts
    blobs: dict[str, str] = {}
    remembered: int = 0


class Parked(Struct, frozen=True):
    """What is written down when a run begins to wait. `ids` has one for each referral."""

    kept: Kept
    referrals: tuple[Referral, ...]
    ids: tuple[UUID, ...]
    since: datetime


class Answer(Struct, frozen=True):
    """What became of one task: its result as JSON, "" if there is none. remembered: another run had asked it."""

    claim_id: str
    command: str
    payload: str
    status: str
    result: str = ""
    error: str = ""
    remembered: bool = False


class Resumed(Struct, frozen=True):
    """A run that goes on: what was kept, and what agents said. notice: why nobody was going to answer, if that is known."""

    kept: Kept
    answers: tuple[Answer, ...]
    notice: str = ""


class Unasked(Struct, frozen=True):
    """A waiting run of which no task is open. follow: prose was read, and nobody has asked yet whether it is true."""

    id: RunId
    repo_id: RepoId
    type: str
    until: datetime
    follow: bool


class Waited(Struct, frozen=True):
    """How far the tasks of a waiting run are."""

    id: RunId
    repo_id: RepoId
    type: str
    total: int
    done: int
