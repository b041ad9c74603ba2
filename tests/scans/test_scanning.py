"""The life of a scan, from a request to its end, over a real database. The scans themselves are stepped by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.errors import ScanLimitError, UnknownRepositoryError, UnknownScanError
from docalign_actors.findings.report import Report
from docalign_actors.ids import new_id
from docalign_actors.scans.assembly import ScanNumbers
from docalign_actors.scans.handing_back import hand_back
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.messages import ReportMade, ScanFacts
from docalign_actors.scans.model import RepoId, RunId, Status, Trigger
from docalign_actors.scans.outcomes import Rules
from docalign_actors.telemetry.events import ActorFailed
from tests.support.spine import PATIENCE, Spine, SteppedProcesses


def full(spine: Spine, repo: RepoId) -> RunId:
    return spine.triggers.enqueue_full_scan(repo).result(PATIENCE)


def pull(spine: Spine, repo: RepoId, number: int, head: str) -> RunId:
    return spine.triggers.enqueue_pr_scan(repo, number, "main", head).result(PATIENCE)


def push(spine: Spine, repo: RepoId, head: str) -> RunId:
    return spine.triggers.enqueue_push_scan(repo, "0" * 40, head).result(PATIENCE)


def test_a_full_scan_runs_and_its_counts_are_stored(spine: Spine, processes: SteppedProcesses) -> None:
    run = full(spine, spine.add_repo())
    process = processes.wait_for(1)
    process.reach("extraction", 2, 5)
    process.report()
    row = spine.wait_for_status(run, "completed")
    assert (row["claims_checked"], row["claims_verified"], row["claims_drifted"]) == (3, 2, 1)
    assert row["attempt"] == 1
    assert row["trigger"] == "manual"
    kinds = [kind for (kind,) in spine.rows("SELECT kind FROM scan_events WHERE run_id = %s ORDER BY seq", run)]
    assert kinds[0] == "stage"
    assert kinds[-1] == "end"


def test_two_scans_of_a_repository_run_one_after_the_other_in_the_order_of_their_requests(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    first, second = full(spine, repo), push(spine, repo, "a" * 40)
    processes.wait_for(1).report()
    spine.wait_for_status(first, "completed")
    process = processes.wait_for(2)
    assert process.job.run_id == str(second)
    process.report()
    spine.wait_for_status(second, "completed")


def test_no_more_scans_run_at_once_than_there_are_permits_and_all_run_in_the_end(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(permits=2))
    runs = [full(spine, spine.add_repo()) for _ in range(6)]
    for number in range(1, 7):
        process = processes.wait_for(number)
        busy = spine.rows("SELECT count(*), count(DISTINCT permit) FROM scan_runs WHERE status = 'running'")[0]
        assert busy[0] <= 2
        assert busy[0] == busy[1]
        process.report()
    for run in runs:
        spine.wait_for_status(run, "completed")


def test_a_repository_with_many_scans_does_not_starve_another(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(permits=1))
    busy, other = spine.add_repo(), spine.add_repo()
    for number in range(5):
        push(spine, busy, f"{number}" * 40)
    processes.wait_for(1)
    last = full(spine, other)
    spine.wait_until(lambda: len(spine.rows("SELECT 1 FROM scan_runs WHERE status = 'queued'")) == 5)
    processes.wait_for(1).report()
    assert processes.wait_for(2).job.run_id == str(last)


def test_a_new_head_takes_the_place_of_a_waiting_scan_of_the_same_pull_request(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    running = full(spine, repo)
    processes.wait_for(1)
    old, new = pull(spine, repo, 7, "a" * 40), pull(spine, repo, 7, "b" * 40)
    row = spine.wait_for_status(old, "cancelled")
    assert row["superseded_by"] == new
    processes.wait_for(1).report()
    spine.wait_for_status(running, "completed")
    processes.wait_for(2).report()
    spine.wait_for_status(new, "completed")
    assert len(processes.started) == 2


def test_a_new_head_stops_the_scan_that_is_under_way_and_runs_after_it(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    old = pull(spine, repo, 7, "a" * 40)
    process = processes.wait_for(1)
    new = pull(spine, repo, 7, "b" * 40)
    assert process.ended.wait(PATIENCE)
    row = spine.wait_for_status(old, "cancelled")
    assert row["superseded_by"] == new
    assert row["attempt"] == 0
    processes.wait_for(2).report()
    assert spine.wait_for_status(new, "completed")["cancel_requested_at"] is None


def test_the_same_head_twice_is_one_scan(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    assert pull(spine, repo, 7, "a" * 40) == pull(spine, repo, 7, "a" * 40)
    processes.wait_for(1)
    assert pull(spine, repo, 7, "a" * 40) == RunId(spine.rows("SELECT id FROM scan_runs")[0][0])


def test_the_same_push_twice_is_one_scan_while_it_waits_or_runs_and_another_after_it_ended(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    first = push(spine, repo, "a" * 40)
    processes.wait_for(1)
    assert push(spine, repo, "a" * 40) == first
    processes.wait_for(1).report()
    spine.wait_for_status(first, "completed")
    assert push(spine, repo, "a" * 40) != first


def test_a_delivery_that_comes_again_leads_to_the_same_scan(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    asked = [spine.triggers.enqueue_full_scan(repo, delivery=("test", "1")) for _ in range(3)]
    assert len({one.result(PATIENCE) for one in asked}) == 1
    processes.wait_for(1).report()
    spine.wait_for_status(asked[0].result(), "completed")
    assert spine.triggers.enqueue_full_scan(repo, delivery=("test", "1")).result(PATIENCE) == asked[0].result()


def test_a_failed_attempt_is_tried_again_and_the_third_is_final(spine: Spine, processes: SteppedProcesses) -> None:
    run = full(spine, spine.add_repo())
    processes.wait_for(1).fail("first")
    processes.wait_for(2).fail("second")
    processes.wait_for(3).fail("third")
    row = spine.wait_for_status(run, "failed")
    assert (row["attempt"], row["last_error"], row["last_error_code"]) == (3, "third", "DOCALIGN_E106")
    assert spine.rows("SELECT status, last_error FROM repos") == [("failing", "third")]


def test_a_pull_request_that_cannot_be_scanned_is_no_fault_of_its_repository(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    run = pull(spine, repo, 1, "gone")
    processes.wait_for(1).fail("This repository has no revision 'gone'.", "DOCALIGN_E403", permanent=True)
    spine.wait_for_status(run, "failed")
    whole = full(spine, repo)
    processes.wait_for(2).report()
    spine.wait_for_status(whole, "completed")
    again = pull(spine, repo, 2, "gone")
    processes.wait_for(3).fail("This repository has no revision 'gone'.", "DOCALIGN_E403", permanent=True)
    spine.wait_for_status(again, "failed")
    assert spine.rows("SELECT status, last_error FROM repos") == [("active", "")]


def test_a_run_that_began_at_the_instant_of_the_stop_is_handed_back_and_it_costs_it_nothing(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = full(spine, spine.add_repo())
    processes.wait_for(1).hurry()
    spine.stop()
    assert spine.store.start(run, 1, new_id()) is not None  # and nobody is left to make an actor for it
    assert hand_back(spine.store, Rules(), SystemClock()) == 1
    row = spine.row(run)
    assert (row["status"], row["attempt"], row["repairs"], row["lease"]) == ("queued", 0, 0, None)


def test_a_failure_that_cannot_be_helped_is_final_at_once(spine: Spine, processes: SteppedProcesses) -> None:
    run = full(spine, spine.add_repo())
    processes.wait_for(1).fail("bad configuration", "DOCALIGN_E401", permanent=True)
    assert spine.wait_for_status(run, "failed")["attempt"] == 1


def test_a_scan_whose_process_dies_is_tried_again(spine: Spine, processes: SteppedProcesses) -> None:
    run = full(spine, spine.add_repo())
    processes.wait_for(1).die()
    processes.wait_for(2).report()
    assert spine.wait_for_status(run, "completed")["attempt"] == 2


def test_a_queued_scan_is_cancelled_at_once_and_never_starts(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    first, second = full(spine, repo), full(spine, repo)
    processes.wait_for(1)
    answer = spine.triggers.cancel_scan(second)
    assert (answer.before, answer.after) == (Status.QUEUED, Status.CANCELLED)
    processes.wait_for(1).report()
    spine.wait_for_status(first, "completed")
    assert spine.row(second)["status"] == "cancelled"
    assert len(processes.started) == 1


def test_a_running_scan_is_cancelled_and_its_process_ended(spine: Spine, processes: SteppedProcesses) -> None:
    run = full(spine, spine.add_repo())
    process = processes.wait_for(1)
    assert spine.triggers.cancel_scan(run).before is Status.RUNNING
    assert process.ended.wait(PATIENCE)
    row = spine.wait_for_status(run, "cancelled")
    assert row["attempt"] == 0
    assert spine.triggers.cancel_scan(run).after is Status.CANCELLED


def test_cancelling_what_is_not_there_is_an_error(spine: Spine) -> None:
    with pytest.raises(UnknownScanError):
        spine.triggers.cancel_scan(RunId(new_id()))


def test_a_scan_past_its_deadline_is_told_to_hurry_and_keeps_what_it_has(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(deadline=0.05, grace=60))
    run = full(spine, spine.add_repo())
    process = processes.wait_for(1)
    assert process.hurried.wait(PATIENCE)
    process.report()
    row = spine.wait_for_status(run, "partial")
    assert (row["claims_verified"], row["last_error_code"]) == (2, "DOCALIGN_E407")


def test_a_scan_that_does_not_hurry_is_ended(make_spine: Callable[..., Spine], processes: SteppedProcesses) -> None:
    spine = make_spine(ScanNumbers(deadline=0.05, grace=0.05))
    run = full(spine, spine.add_repo())
    assert processes.wait_for(1).ended.wait(PATIENCE)
    assert spine.wait_for_status(run, "partial")["claims_verified"] == 0


def test_a_repository_nobody_knows_is_an_error(spine: Spine) -> None:
    with pytest.raises(UnknownRepositoryError):
        full(spine, RepoId(new_id()))


def test_a_limit_refuses_the_scan_beyond_it_and_counts_nothing_for_it(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(limits=Limits(repository=2, organisation=3)))
    one, other = spine.add_repo(organisation="acme"), spine.add_repo(organisation="acme")
    push(spine, one, "1" * 40)
    push(spine, one, "2" * 40)
    with pytest.raises(ScanLimitError):
        push(spine, one, "3" * 40)
    push(spine, other, "1" * 40)
    with pytest.raises(ScanLimitError):
        push(spine, other, "2" * 40)
    used = dict(spine.rows("SELECT scope, sum(used)::int FROM rate_counters GROUP BY scope"))
    assert used == {"repository": 3, "organisation": 3}


def test_a_scheduled_full_scan_counts_against_nobody(spine: Spine) -> None:
    spine.triggers.enqueue_full_scan(spine.add_repo(organisation="acme"), trigger=Trigger.SCHEDULED).result(PATIENCE)
    assert spine.rows("SELECT * FROM rate_counters") == []


def test_after_a_restart_everything_queued_or_running_is_carried_through(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    before = make_spine(ScanNumbers(permits=1, rules=Rules(delays=(0.01,))))
    runs = [full(before, before.add_repo()) for _ in range(3)]
    processes.wait_for(1)
    # As after kill -9: the actors are gone, the rows stay as they were. Nobody hands anything back.
    with before.database.transaction() as connection:
        kept = connection.execute("SELECT id, lease, permit FROM scan_runs WHERE status = 'running'").fetchall()
    before.stop()
    with before.database.transaction() as connection:
        for run, lease, permit in kept:
            connection.execute(
                "UPDATE scan_runs SET status = 'running', lease = %s, permit = %s WHERE id = %s AND status = 'queued'",
                (lease, permit, run),
            )
    later = make_spine(ScanNumbers(permits=1, rules=Rules(delays=(0.01,))))
    number = len(processes.started)
    for step in range(1, 4):
        processes.wait_for(number + step).report()
    assert [later.wait_for_status(run, "completed")["repairs"] for run in runs] == [1, 0, 0]


def test_a_scan_whose_actor_dies_is_repaired_and_gives_its_permit_back(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(permits=1))
    run = full(spine, spine.add_repo())
    first = processes.wait_for(1)
    first.tell(ReportMade(cast(Report, None), ScanFacts()))  # a message that the actor does not survive
    second = processes.wait_for(2)
    assert first.ended.is_set()
    second.report()
    row = spine.wait_for_status(run, "completed")
    assert (row["attempt"], row["repairs"]) == (1, 1)


def test_a_scan_from_start_to_end_leaves_no_message_that_nobody_handled(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = full(spine, spine.add_repo())
    processes.wait_for(1).report()
    spine.wait_for_status(run, "completed")
    spine.wait_until(lambda: not any("/scan/" in info.name for info in spine.system.snapshot()))
    assert spine.system.dead_letters.count == 0


def test_the_next_scan_does_not_start_before_the_process_of_the_cancelled_one_is_gone(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(ScanNumbers(permits=1))
    first, second = full(spine, spine.add_repo()), full(spine, spine.add_repo())
    process = processes.wait_for(1)
    lingering = threading.Event()
    process.end = lingering.set  # type: ignore[method-assign]
    spine.triggers.cancel_scan(first)
    assert lingering.wait(PATIENCE)
    assert spine.row(first)["status"] == "running"
    assert len(processes.started) == 1
    process.die()
    spine.wait_for_status(first, "cancelled")
    processes.wait_for(2).report()
    spine.wait_for_status(second, "completed")


def test_a_scan_that_the_service_has_no_time_for_is_handed_back_and_uses_up_nothing(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    before = make_spine()
    run = full(before, before.add_repo())
    processes.wait_for(1)
    before.stop()
    row = before.row(run)
    assert (row["status"], row["attempt"], row["repairs"]) == ("queued", 0, 0)
    later = make_spine()
    processes.wait_for(2).report()
    assert later.wait_for_status(run, "completed")["attempt"] == 1


def test_requests_go_on_after_an_ingest_actor_that_failed(spine: Spine, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = spine.add_repo()
    failed = threading.Event()
    spine.events.subscribe(lambda _: failed.set(), ActorFailed)

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(spine.store, "enqueue", broken)
        with pytest.raises(RuntimeError):
            full(spine, repo)
        assert failed.wait(PATIENCE)
    asked = [spine.triggers.enqueue_push_scan(repo, "0" * 40, f"{n:040x}") for n in range(20)]
    assert len({one.result(PATIENCE) for one in asked}) == 20
