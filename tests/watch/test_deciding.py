"""What is done about a repository that is due, as properties of the pure decisions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.scans.model import RepoId, ScanType
from docalign_actors.watch.circuit import Circuit, State
from docalign_actors.watch.deciding import Ask, Due, Head, Look, Numbers, Wait, first_step, plan, wanted
from docalign_actors.watch.recurrence import Every, Never, OnDays, Recurrence

UNHURRIED = settings(deadline=None, max_examples=60)
NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)
SHAS = st.sampled_from(["", "a" * 40, "b" * 40])
TIMES = st.one_of(st.none(), st.integers(-10_000, 10_000).map(lambda s: NOW + timedelta(seconds=s)))
RULES: st.SearchStrategy[Recurrence | None] = st.sampled_from([None, Never(), Every(300), OnDays((0,), 60)])
CIRCUITS = st.one_of(
    st.just(Circuit()),
    st.integers(-100, 100).map(
        lambda s: Circuit(state=State.OPEN, failures=5, open_until=NOW + timedelta(minutes=s))
    ),
)  # fmt: skip
DUE = st.builds(
    Due, repo_id=st.integers(0, 2**128 - 1).map(lambda n: RepoId(UUID(int=n))), url=st.just("/x"), due_at=st.just(NOW), check_at=TIMES,
    full_at=TIMES, check=RULES, full=RULES, seen_head=SHAS, scanned_head=SHAS, scanned_branch=st.sampled_from(["", "main"]),
    scanned=st.booleans(), busy=st.booleans(), elsewhere=st.booleans(), followed=st.dictionaries(st.just("side"), SHAS),
    failed_code=st.sampled_from(["", "DOCALIGN_E106", "DOCALIGN_E401"]), failed_at=TIMES, circuit=CIRCUITS,
)  # fmt: skip
HEADS = st.one_of(
    st.none(), st.builds(Head, st.sampled_from(["", "main", "trunk"]), SHAS, st.sampled_from([None, True, False]))
)
NUMBERS = st.builds(Numbers, st.sampled_from([Never(), Every(300)]), st.sampled_from([Never(), Every(604_800)]))


@UNHURRIED
@given(DUE, NUMBERS, st.booleans())
def test_what_was_planned_lies_ahead_or_is_never(due: Due, numbers: Numbers, reached: bool) -> None:
    step = first_step(due, NOW, numbers)
    found = plan(due, step, NOW, numbers, reached=reached and not isinstance(step, Wait))
    for at in (found.check_at, found.full_at):
        assert at is None or at > NOW
    if isinstance(due.check or numbers.check, Never) and (due.check_at is None or due.check_at <= NOW):
        assert found.check_at is None
    if isinstance(step, Wait) and found.check_at is not None:
        assert found.check_at >= step.until


@UNHURRIED
@given(DUE, NUMBERS)
def test_an_open_circuit_bars_every_look_and_every_scan_by_schedule(due: Due, numbers: Numbers) -> None:
    open_until = due.circuit.open_until
    barred = open_until is not None and open_until > NOW
    assert isinstance(first_step(due, NOW, numbers), Wait) == barred


@UNHURRIED
@given(DUE, NUMBERS)
def test_what_somebody_else_looks_at_is_not_looked_at(due: Due, numbers: Numbers) -> None:
    step = first_step(due, NOW, numbers)
    assert not (due.elsewhere and isinstance(step, Look))
    assert isinstance(step, (Wait, Look, Ask))


@UNHURRIED
@given(DUE, HEADS, NUMBERS)
def test_nothing_but_a_full_scan_that_is_due_is_asked_for_while_a_scan_waits(
    due: Due, head: Head | None, numbers: Numbers
) -> None:
    found = wanted(due, head, NOW, numbers)
    if due.busy and found is not None:
        assert found.why == "a full scan is due"
        assert due.full_at is not None
        assert due.full_at <= NOW


@UNHURRIED
@given(DUE, HEADS, NUMBERS)
def test_a_push_goes_from_one_known_commit_to_another_that_may_follow_it(
    due: Due, head: Head | None, numbers: Numbers
) -> None:
    found = wanted(due, head, NOW, numbers)
    if found is not None and found.type is ScanType.PUSH:
        assert head is not None
        assert found.before
        assert found.after
        assert found.before != found.after
        assert (found.before, found.after) == (due.scanned_head, head.sha)
        assert head.follows is not False
    if found is not None:
        assert (found.kind == "initial") == (not due.scanned)


@UNHURRIED
@given(DUE, NUMBERS)
def test_a_head_that_was_scanned_asks_for_nothing_while_what_is_followed_stands_still(
    due: Due, numbers: Numbers
) -> None:
    there = {name: commit for name, commit in due.followed.items() if commit}
    quiet = due.scanned and not due.failed_code and (due.full_at is None or due.full_at > NOW)
    if quiet:
        assert wanted(due, Head(due.scanned_branch, due.scanned_head, None, there), NOW, numbers) is None
    if quiet and due.followed and not due.busy:
        moved = Head(due.scanned_branch, due.scanned_head, None, {"side": "c" * 40})
        assert wanted(due, moved, NOW, numbers) is not None


def test_at_the_first_look_a_head_that_was_scanned_is_no_news_after_a_failure() -> None:
    due = Due(
        repo_id=RepoId(UUID(int=1)), url="/x", due_at=NOW, scanned=True, scanned_head="a" * 40, scanned_branch="main",
        failed_code="DOCALIGN_E403", failed_at=NOW - timedelta(seconds=2),
    )  # fmt: skip
    numbers = Numbers(Every(300), Every(604_800))
    assert wanted(due, Head("main", "a" * 40), NOW, numbers) is None
    assert wanted(due, Head("main", "b" * 40), NOW, numbers) is not None
