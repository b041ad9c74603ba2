"""The decisions, without anything that acts on them: what holds for every input."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.scans.admission import Admission, Admitted, Existing, Known, Limited, Unknown, admit
from docalign_actors.scans.health import HealthPoint, score, trend
from docalign_actors.scans.limits import Counter, Limits, Refusal, reserve
from docalign_actors.scans.model import TRANSITIONS, Repo, RepoId, Request, Run, RunId, ScanType, Status, Trigger
from docalign_actors.scans.outcomes import Ending, Rules, after, delay
from docalign_actors.scans.queueing import Nothing, Permits, Start, WaitUntil, next_step

DAY = date(2026, 1, 2)
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)


def repo_id(number: int) -> RepoId:
    return RepoId(UUID(int=number))


def run_id(number: int) -> RunId:
    return RunId(UUID(int=10_000 + number))


REPOS = {repo_id(n): Repo(repo_id(n), f"/r{n}", f"r{n}", "acme", removed=n == 3) for n in (1, 2, 3)}


@st.composite
def requests(draw: st.DrawFn) -> Request:
    kind = draw(st.sampled_from(ScanType))
    repo = repo_id(draw(st.integers(1, 4)))
    head = draw(st.sampled_from("abc")) * 40
    delivery = draw(st.none() | st.tuples(st.just("x"), st.sampled_from("12345")))
    if kind is ScanType.FULL:
        trigger = draw(st.sampled_from((Trigger.MANUAL, Trigger.SCHEDULED)))
        return Request(repo, kind, trigger, user="ada", delivery=delivery)
    if kind is ScanType.PUSH:
        return Request(repo, kind, Trigger.PUSH, None, "", head, delivery=delivery)
    return Request(repo, kind, Trigger.PR, draw(st.integers(1, 2)), "main", head, delivery=delivery)


def everything(demands: Sequence[tuple[Counter, ...]]) -> list[Refusal | None]:
    return [None] * len(demands)


def answers(batch: list[Request], known: Known | None = None) -> list[Admission]:
    ids = [run_id(n) for n in range(len(batch))]
    return admit(batch, known or Known(REPOS, (), {}), DAY, ids, everything)


@given(st.lists(requests(), max_size=12))
def test_every_request_has_an_answer_and_unknown_or_removed_repositories_get_no_run(batch: list[Request]) -> None:
    found = answers(batch)
    assert len(found) == len(batch)
    for request, answer in zip(batch, found, strict=True):
        known = request.repo_id in REPOS and not REPOS[request.repo_id].removed
        if not known:
            assert isinstance(answer, Unknown | Existing)
        else:
            assert isinstance(answer, Admitted | Existing)


@given(st.lists(requests(), max_size=12))
def test_after_a_batch_at_most_one_run_of_each_pull_request_waits_and_the_last_request_is_the_one(
    batch: list[Request],
) -> None:
    found = answers(batch)
    admitted = [a for a in found if isinstance(a, Admitted)]
    replaced = {a.replaces for a in admitted}
    waiting = [a for a in admitted if a.request.type is ScanType.PR and a.run_id not in replaced]
    places = [(a.request.repo_id, a.request.pr_number) for a in waiting]
    assert len(places) == len(set(places))
    for place in places:
        last = [
            (r, a) for r, a in zip(batch, found, strict=True)
            if r.type is ScanType.PR and (r.repo_id, r.pr_number) == place and r.delivery is None
        ]  # fmt: skip
        if last and all(r.delivery is None for r in batch):
            answer = last[-1][1]
            assert isinstance(answer, Admitted | Existing)
            assert answer.run_id in {a.run_id for a in waiting}


@given(st.lists(requests(), max_size=12))
def test_a_batch_one_by_one_leaves_as_many_open_pushes_as_the_batch_at_once(batch: list[Request]) -> None:
    pushes = [
        r for r in batch if r.type is ScanType.PUSH and r.delivery is None and r.repo_id in (repo_id(1), repo_id(2))
    ]
    found = answers(pushes)
    runs = {a.run_id for a in found if isinstance(a, Admitted)}
    assert len(runs) == len({(r.repo_id, r.commit_sha) for r in pushes})


def test_a_run_that_was_told_to_stop_does_not_stand_for_a_new_request() -> None:
    old = Run(
        run_id(99),
        1,
        repo_id(1),
        ScanType.PUSH,
        Trigger.PUSH,
        Status.RUNNING,
        commit_sha="a" * 40,
        cancel_requested=True,
    )
    request = Request(repo_id(1), ScanType.PUSH, Trigger.PUSH, commit_sha="a" * 40)
    assert isinstance(answers([request], Known(REPOS, (old,), {}))[0], Admitted)


def test_what_starts_nothing_new_uses_up_nothing() -> None:
    asked: list[int] = []

    def count(demands: Sequence[tuple[Counter, ...]]) -> list[Refusal | None]:
        asked.append(len(demands))
        return [None] * len(demands)

    request = Request(repo_id(1), ScanType.PUSH, Trigger.PUSH, commit_sha="a" * 40)
    open_run = Run(run_id(5), 1, repo_id(1), ScanType.PUSH, Trigger.PUSH, Status.QUEUED, commit_sha="a" * 40)
    found = admit([request, request], Known(REPOS, (open_run,), {}), DAY, [run_id(1), run_id(2)], count)
    assert found == [Existing(run_id(5)), Existing(run_id(5))]
    assert asked == [0]


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True), max_size=30),
    st.integers(1, 5), st.integers(1, 5),
)  # fmt: skip
def test_no_limit_is_passed_and_a_refusal_counts_against_nothing(
    demands: list[list[str]], repository: int, organisation: int
) -> None:
    limits = Limits(repository, organisation)
    asked = [tuple(Counter("repository" if s != "c" else "organisation", s, DAY) for s in d) for d in demands]
    found, added = reserve(asked, {}, limits)
    assert all(number <= limits.of(counter.scope) for counter, number in added.items())
    granted = [d for d, refusal in zip(asked, found, strict=True) if refusal is None]
    counted: dict[Counter, int] = {}
    for demand in granted:
        for counter in demand:
            counted[counter] = counted.get(counter, 0) + 1
    assert counted == added


def test_a_limit_begins_anew_at_midnight_utc() -> None:
    refusal = reserve([(Counter("repository", "a", DAY),)], {Counter("repository", "a", DAY): 100}, Limits())[0][0]
    assert refusal == Refusal("repository", 100, datetime(2026, 1, 3, tzinfo=UTC))


ENDINGS = st.sampled_from(("completed", "partial", "failed", "cancelled", "died", "handed back"))


@given(ENDINGS, st.integers(0, 5), st.integers(0, 2), st.booleans(), st.booleans(), st.booleans(), st.floats(0, 0.999))
def test_whatever_ends_an_attempt_leads_to_a_status_that_may_follow_running(
    kind: str, attempt: int, repairs: int, cancel: bool, permanent: bool, replaced: bool, chance: float
) -> None:
    run = Run(
        run_id(1), 1, repo_id(1), ScanType.PR, Trigger.PR, Status.RUNNING, 7,
        attempt=attempt, repairs=repairs, cancel_requested=cancel,
    )  # fmt: skip
    found = after(run, Ending(kind, "E", "why", permanent), Rules(), NOW, chance, run_id(2) if replaced else None)
    assert found.status in TRANSITIONS[Status.RUNNING]
    assert found.attempt - attempt in (0, 1)
    if found.status is Status.QUEUED:
        assert not replaced
        assert found.attempt < Rules().attempts or found.attempt == attempt
        assert found.repairs <= Rules().repairs or kind == "handed back"
    if found.status is Status.FAILED:
        assert found.error
    if kind in ("cancelled", "handed back", "died"):
        assert found.attempt == attempt, "only an attempt that was made and failed is used up"


@given(st.integers(0, 10))
def test_a_run_whose_worker_always_dies_ends_after_the_allowed_repairs(start: int) -> None:
    run = Run(run_id(1), 1, repo_id(1), ScanType.FULL, Trigger.MANUAL, Status.RUNNING)
    statuses = []
    for _ in range(5):
        found = after(run, Ending("died"), Rules(), NOW, 0.0)
        statuses.append(found.status)
        run = Run(run_id(1), 1, repo_id(1), ScanType.FULL, Trigger.MANUAL, Status.RUNNING, repairs=found.repairs)
        if found.status.final:
            break
    assert statuses == [Status.QUEUED, Status.QUEUED, Status.FAILED]


def test_delays_are_one_two_and_four_seconds_with_jitter_on_top() -> None:
    assert [delay(n, Rules(), 0.0).total_seconds() for n in (1, 2, 3, 9)] == [1, 2, 4, 4]
    assert delay(1, Rules(), 0.999).total_seconds() < 1.25


def run_at(position: int, status: Status = Status.QUEUED, due: datetime = NOW) -> Run:
    return Run(run_id(position), position, repo_id(1), ScanType.FULL, Trigger.MANUAL, status, not_before=due)


def test_the_oldest_run_that_is_due_is_next() -> None:
    later = NOW + timedelta(seconds=5)
    assert next_step([run_at(3), run_at(2), run_at(1, due=later)], NOW) == Start(run_at(2))
    assert next_step([run_at(1, due=later)], NOW) == WaitUntil(later)
    assert next_step([run_at(1, Status.RUNNING), run_at(2)], NOW) == Nothing()
    assert next_step([], NOW) == Nothing()


@given(
    st.lists(st.tuples(st.sampled_from(("want", "release", "forget")), st.integers(1, 6)), max_size=60),
    st.integers(1, 3),
)
def test_permits_are_never_given_twice_and_nobody_who_waits_is_passed_over(
    steps: list[tuple[str, int]], number: int
) -> None:
    permits = Permits(number)
    line: list[RepoId] = []
    for what, who in steps:
        repo = repo_id(who)
        if what == "want" and repo not in permits.held and repo not in line:
            line.append(repo)
        if what == "forget" and repo in line:
            line.remove(repo)
        getattr(permits, what)(repo)
        granted = permits.grant()
        assert [who for who, _ in granted] == line[: len(granted)]
        line = line[len(granted) :]
        held = permits.held
        assert len(held) <= number
        assert len(set(held.values())) == len(held)
        assert set(held.values()) <= set(range(1, number + 1))
        assert list(permits.waiting) == line
        assert not line or len(held) == number


def test_a_permit_whose_scan_never_started_is_taken_back_at_the_second_look() -> None:
    permits = Permits(1)
    permits.want(repo_id(1))
    permits.grant()
    permits.compare(frozenset())
    assert permits.held == {repo_id(1): 1}
    permits.compare(frozenset())
    assert permits.held == {}


def test_who_was_granted_another_permit_between_two_looks_keeps_it() -> None:
    permits = Permits(1)
    for _ in range(2):
        permits.want(repo_id(1))
        permits.grant()
        permits.compare(frozenset())
        permits.release(repo_id(1))
    permits.want(repo_id(1))
    permits.grant()
    permits.compare(frozenset())
    assert permits.held == {repo_id(1): 1}
    permits.compare(frozenset({repo_id(1)}))
    permits.compare(frozenset())
    assert permits.held == {repo_id(1): 1}


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_a_hundred_means_that_nothing_is_known_to_be_false(verified: int, drifted: int) -> None:
    found = score(verified, drifted)
    assert (found is None) == (verified + drifted == 0)
    if found is not None:
        assert 0 <= found <= 100
        assert (found == 100) == (drifted == 0)


def test_the_trend_is_told_by_the_last_two_scores() -> None:
    points = [HealthPoint("", s, 1, 1, 0) for s in (90, None, 80, 100)]
    assert trend(points) == "improving"
    assert trend(points[2:]) == "declining"
    assert trend(points[:1]) == "steady"


def test_a_limited_answer_names_the_limit() -> None:
    request = Request(repo_id(1), ScanType.PUSH, Trigger.PUSH, commit_sha="a" * 40)
    refusal = Refusal("repository", 1, NOW)
    assert admit([request], Known(REPOS, (), {}), DAY, [run_id(1)], lambda _: [refusal]) == [Limited(refusal)]
