"""Decides what becomes of requests: a new run, the run that is there already, or a refusal. Pure: one fold over a batch.

1. A delivery that came before gets the run that it got then.
2. A push of a commit that is queued or running, or a pull request with the same head and base, gets that run; so does a
   full scan that nobody in person asked for where a full scan is queued or running.
3. A waiting run for the same pull request gives up its place; one that is being scanned is told to stop.
4. The limits are looked at last, so that what starts nothing new uses up nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from docalign_actors.errors import ScanLimitError, UnknownRepositoryError
from docalign_actors.scans.limits import Counter, Refusal, counters_of
from docalign_actors.scans.model import Repo, RepoId, Request, Run, RunId, ScanType, Status, Trigger

Reserve = Callable[[Sequence[tuple[Counter, ...]]], Sequence[Refusal | None]]


class Known(Struct, frozen=True):
    """What the database says about the repositories of a batch."""

    repos: Mapping[RepoId, Repo]
    open_runs: Sequence[Run]
    delivered: Mapping[tuple[str, str], RunId]


class Admitted(Struct, frozen=True):
    """A new run, and whose place it takes."""

    run_id: RunId
    request: Request
    counters: tuple[Counter, ...] = ()
    replaces: RunId | None = None
    stops: RunId | None = None


class Existing(Struct, frozen=True):
    """The run that is there already."""

    run_id: RunId


class Unknown(Struct, frozen=True):
    """There is no such repository, or it was removed."""

    repo_id: RepoId


class Limited(Struct, frozen=True):
    """A limit stands in the way."""

    refusal: Refusal


Admission = Admitted | Existing | Unknown | Limited


def run_of(admission: Admission) -> RunId:
    """The run that a request led to, or the error that says why there is none."""
    match admission:
        case Admitted(run_id=run_id) | Existing(run_id=run_id):
            return run_id
        case Unknown():
            raise UnknownRepositoryError
        case Limited(refusal=refusal):
            raise ScanLimitError(
                f"This {refusal.scope} has had its {refusal.limit:,} scans of today.",
                hint=f"The count begins anew at {refusal.reset_at:%Y-%m-%d %H:%M} UTC; the limits are settings.",
                resets_at=refusal.reset_at,
            )
    raise AssertionError(admission)


def admit(
    requests: Sequence[Request], known: Known, day: date, ids: Sequence[RunId], reserve: Reserve
) -> list[Admission]:
    """An answer for each request, in order; later requests of a batch see what earlier ones did.

    `ids` holds an id for each request, made beforehand: a batch that is written a second time writes the same rows.
    """
    open_runs: dict[_Work, RunId] = {_work(run): run.id for run in known.open_runs if not run.cancel_requested}
    answers: list[Admission | _Same | None] = [_already(request, known, open_runs) for request in requests]
    fresh = [i for i, answer in enumerate(answers) if answer is None]
    fresh = _without_doubles(requests, fresh, answers)
    demands = [counters_of(requests[i], known.repos[requests[i].repo_id], day) for i in fresh]
    refusals = reserve([d for d in demands if d])
    verdicts = iter(refusals)
    waiting = _Waiting(known.open_runs)
    for i, demand in zip(fresh, demands, strict=True):
        refusal = next(verdicts) if demand else None
        answers[i] = Limited(refusal) if refusal else waiting.place(ids[i], requests[i], demand)
    return [_resolved(answer, answers) for answer in answers]


class _Same(Struct, frozen=True):
    """The same request stands earlier in the batch."""

    index: int


def _resolved(answer: Admission | _Same | None, answers: Sequence[Admission | _Same | None]) -> Admission:
    while isinstance(answer, _Same):
        answer = answers[answer.index]
        if isinstance(answer, Admitted):
            return Existing(answer.run_id)
    if answer is None:
        raise AssertionError("every request has an answer")
    return answer


_Work = tuple[object, ...]


def _already(request: Request, known: Known, open_runs: Mapping[_Work, RunId]) -> Admission | None:
    if request.delivery is not None and request.delivery in known.delivered:
        return Existing(known.delivered[request.delivery])
    repo = known.repos.get(request.repo_id)
    if repo is None or repo.removed:
        return Unknown(request.repo_id)
    joins = request.type is not ScanType.FULL or joins_full_scan(request)
    same = open_runs.get(_work(request)) if joins else None
    return Existing(same) if same is not None else None


def joins_full_scan(request: Request) -> bool:
    """Whether the full scan that is open will do. A person who asks for one gets one."""
    return request.type is ScanType.FULL and request.trigger is Trigger.SCHEDULED


def _work(one: Request | Run) -> _Work:
    """What makes two of them the same work."""
    if one.type is ScanType.PUSH:
        return (one.repo_id, "push", one.commit_sha)
    return (one.repo_id, one.type.value, one.pr_number, one.commit_sha, one.base_ref)


def _key(request: Request) -> tuple[object, ...] | None:
    if request.delivery is not None:
        return ("delivery", request.delivery)
    if request.type is ScanType.PUSH:
        return (request.repo_id, request.commit_sha)
    return (request.repo_id, "full") if joins_full_scan(request) else None


def _without_doubles(
    requests: Sequence[Request], fresh: Sequence[int], answers: list[Admission | _Same | None]
) -> list[int]:
    """Of equal requests in one batch the first counts; for pull requests only neighbours are equal, since order matters."""
    seen: dict[tuple[object, ...], int] = {}
    last_of_pr: dict[tuple[RepoId, int | None], int] = {}
    kept: list[int] = []
    for i in fresh:
        request = requests[i]
        key = _key(request)
        if key is not None and key in seen:
            answers[i] = _Same(seen[key])
            continue
        if request.type is ScanType.PR:
            before = last_of_pr.get((request.repo_id, request.pr_number))
            if before is not None and _same_change(requests[before], request):
                answers[i] = _Same(before)
                continue
            last_of_pr[request.repo_id, request.pr_number] = i
        if key is not None:
            seen[key] = i
        kept.append(i)
    return kept


def _same_change(one: Request, other: Request) -> bool:
    return (one.commit_sha, one.base_ref) == (other.commit_sha, other.base_ref)


class _Waiting:
    """The pull requests that wait or are scanned, as the batch goes on."""

    def __init__(self, runs: Sequence[Run]) -> None:
        pulls = [run for run in runs if run.type is ScanType.PR]
        self._queued = {(r.repo_id, r.pr_number): r.id for r in pulls if r.status is Status.QUEUED}
        self._running = {(r.repo_id, r.pr_number): r.id for r in pulls if r.status is Status.RUNNING}

    def place(self, run_id: RunId, request: Request, counters: tuple[Counter, ...]) -> Admitted:
        if request.type is not ScanType.PR:
            return Admitted(run_id, request, counters)
        key = (request.repo_id, request.pr_number)
        replaces, stops = self._queued.get(key), self._running.pop(key, None)
        self._queued[key] = run_id
        return Admitted(run_id, request, counters, replaces, stops)
