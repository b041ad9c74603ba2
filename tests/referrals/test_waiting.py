"""A scan that waits for agents, over a real database and the real queue. The scans themselves are stepped by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from prometheus_client import CollectorRegistry

from docalign_actors.agent_tasks.errors import NotInProgressError, NotOwnerError, UnfitResultError
from docalign_actors.agent_tasks.messages import Claim, Nack, Submit
from docalign_actors.agent_tasks.model import Status
from docalign_actors.clock import SystemClock
from docalign_actors.ids import new_id
from docalign_actors.scans import waiting_room
from docalign_actors.scans.figures import count
from docalign_actors.scans.referrals import AgentRules
from tests.referrals.questions import reading, says
from tests.referrals.waiting import (
    ASKED,
    REPORT,
    TIMEOUT,
    about,
    findings,
    hand_in,
    open_tasks,
    pull,
    take,
    wait_in_the_room,
)
from tests.support.spine import PATIENCE, Spine, SteppedProcesses

pytestmark = pytest.mark.usefixtures("no_net")


def test_a_scan_waits_without_a_permit_and_goes_on_when_its_tasks_have_ended(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    row = wait_in_the_room(spine, run)
    assert (row["permit"], row["lease"], row["attempt"]) == (None, None, 0)
    first, second = sorted(take(spine, 2), key=about, reverse=True)
    hand_in(spine, first, says("drifted", severity="high", suggestion="timeout is 3"))
    assert spine.row(run)["status"] == "queued"
    hand_in(spine, second, says("verified", tokens=40))
    look_up = processes.wait_for(2)
    assert [one.quote for one in look_up.job.citations] == ["RETRIES = 3"] * 2
    assert look_up.job.head == REPORT.commit
    look_up.find(1, 1)
    row = spine.wait_for_status(run, "completed")
    assert (row["claims_checked"], row["claims_verified"], row["claims_drifted"], row["claims_uncertain"]) == (
        4,
        2,
        2,
        0,
    )
    assert (row["total_token_cost"], row["attempt"]) == (40, 1)
    said = {one["claim"]: one for one in findings(spine, run)}
    assert (said["timeout"]["rule"], said["timeout"]["decided_by"]) == ("agent-verdict", "agent")
    assert said["timeout"]["fix"] == {"replacement": "timeout is 3", "safe": False}
    assert said["known"]["decided_by"] == ""
    kinds = spine.rows(
        "SELECT kind, data->>'done' FROM scan_events WHERE run_id = %s AND data->>'stage' = 'agents' ORDER BY seq", run
    )
    assert kinds[0] == ("stage", "0")


def test_other_scans_of_the_repository_run_while_one_waits(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    waiting = pull(spine, repo, 7)
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, waiting)
    other = pull(spine, repo, 8)
    processes.wait_for(2).report()
    spine.wait_for_status(other, "completed")
    push = spine.triggers.enqueue_push_scan(repo, "0" * 40, "b" * 40).result(PATIENCE)
    processes.wait_for(3).report()
    spine.wait_for_status(push, "completed")
    assert spine.row(waiting)["status"] == "queued"


def test_more_scans_may_wait_than_there_are_permits(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(permits=1)
    runs = [pull(spine, spine.add_repo()) for _ in range(3)]
    for number, run in enumerate(runs, 1):
        processes.wait_for(number).report(REPORT, referrals=ASKED)
        wait_in_the_room(spine, run)
    for task in take(spine, 6):
        hand_in(spine, task, says("uncertain", cites=False))
    for run in runs:
        assert spine.wait_for_status(run, "completed")["claims_uncertain"] == 3
    assert len(processes.started) == 3, "nothing was cited, so nothing had to be looked up"


def test_a_task_that_dies_or_fails_leaves_its_claim_undecided_and_that_is_said(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(agents=AgentRules(attempts=1))
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    first, second = take(spine, 2)
    spine.queue.ask(Nack("", first.id, "w", 0, "no model", 0.5)).result(PATIENCE)
    spine.queue.ask(Submit("", second.id, "w", new_id(), Status.FAILED, None, "too large")).result(PATIENCE)
    row = spine.wait_for_status(run, "completed")
    assert (row["claims_drifted"], row["claims_uncertain"]) == (1, 3)
    assert spine.rows("SELECT notice FROM scan_waits")[0][0].startswith("Agents answered 0 of 2 questions")


def test_when_the_time_is_up_what_is_decided_counts_and_the_rest_is_withdrawn(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(agents=AgentRules(wait=1.0))
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    first, second = take(spine, 2)
    hand_in(spine, first, says("verified", cites=False))
    row = spine.wait_for_status(run, "completed")
    assert row["claims_verified"] in (1, 2)
    assert row["claims_uncertain"] > 0
    spine.wait_until(lambda: not open_tasks(spine))
    with pytest.raises(NotInProgressError):
        hand_in(spine, second, says("verified"))
    assert "1 of 2" in spine.rows("SELECT notice FROM scan_waits")[0][0]


def test_a_cancelled_scan_wants_its_tasks_no_more(spine: Spine, processes: SteppedProcesses) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, run)
    (task,) = take(spine)
    spine.triggers.cancel_scan(run)
    assert spine.row(run)["status"] == "cancelled"
    spine.wait_until(lambda: not open_tasks(spine))
    with pytest.raises(NotInProgressError):
        hand_in(spine, task, says("verified"))
    assert len(processes.started) == 1


def test_a_new_head_takes_the_place_of_one_that_waits_and_its_tasks_are_withdrawn(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    old = pull(spine, repo)
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, old)
    new = pull(spine, repo, head="b" * 40)
    assert spine.wait_for_status(old, "cancelled")["superseded_by"] == new
    processes.wait_for(2).report()
    spine.wait_for_status(new, "completed")
    spine.wait_until(lambda: not open_tasks(spine))


def test_a_scan_whose_head_has_moved_on_asks_nobody(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    old = pull(spine, repo)
    process = processes.wait_for(1)
    with spine.database.transaction() as connection:  # what another request writes at this very moment, before it tells
        connection.execute("UPDATE scan_runs SET cancel_requested_at = now() WHERE id = %s", (old,))
    process.report(REPORT, referrals=ASKED)
    spine.wait_for_status(old, "cancelled")
    assert not spine.rows("SELECT FROM agent_tasks")


def test_a_bad_result_is_refused_with_a_reason_and_the_lease_stays(spine: Spine, processes: SteppedProcesses) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED[:1])
    (task,) = take(spine)
    with pytest.raises(UnfitResultError, match="a drifted claim needs evidence"):
        hand_in(spine, task, says("drifted", cites=False))
    with pytest.raises(NotOwnerError):
        hand_in(spine, task, says("drifted", cites=False), worker="somebody else")
    hand_in(spine, task, says("uncertain", cites=False))
    spine.wait_for_status(run, "completed")
    with pytest.raises(NotInProgressError):
        hand_in(spine, task, says("drifted", cites=False))


def test_what_is_suppressed_is_not_asked(spine: Spine, processes: SteppedProcesses) -> None:
    repo = spine.add_repo()
    with spine.database.transaction() as connection:
        connection.execute(
            "INSERT INTO suppressions (id, repo_id, scope, value, reason, created_by) VALUES (%s, %s, 'claim', %s, 'x', 'me')",
            (new_id(), repo, TIMEOUT.claim_id),
        )
    pull(spine, repo)
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    assert [about(task) for task in take(spine)] == ["port"]
    assert open_tasks(spine) == 1


def test_what_agents_read_out_of_prose_is_asked_about_in_its_turn(spine: Spine, processes: SteppedProcesses) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=(reading(),))
    (task,) = take(spine, commands=("claim_extraction",))
    found = {"file": "README.md", "line": 9, "text": "The queue is kept in memory.", "mapped_files": ["src/app.py"]}
    hand_in(spine, task, {"type": "claim_extraction", "claims": [found]})
    (further,) = take(spine, commands=("verification",))
    asked = json.loads(further.payload)
    assert (asked["verification_path"], asked["claim"]["text"]) == (2, "The queue is kept in memory.")
    assert asked["mapped_files"][0]["path"] == "src/app.py"
    hand_in(spine, further, says("drifted"))
    processes.wait_for(2).find(1)
    row = spine.wait_for_status(run, "completed")
    assert (row["claims_checked"], row["claims_drifted"], row["claims_uncertain"]) == (5, 2, 3)
    assert {one["claim"] for one in findings(spine, run)} == {"known", "The queue is kept in memory."}


def test_answers_that_nobody_can_look_up_do_not_cost_what_code_decided(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED[:1])
    (task,) = take(spine)
    hand_in(spine, task, says("drifted"))
    for number in (2, 3, 4):
        processes.wait_for(number).fail()
    row = spine.wait_for_status(run, "completed")
    assert (row["claims_drifted"], row["claims_uncertain"]) == (1, 3)
    assert [one["claim"] for one in findings(spine, run)] == ["known"]


def test_a_scan_that_died_while_it_looked_answers_up_takes_them_up_again(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED[:1])
    (task,) = take(spine)
    hand_in(spine, task, says("drifted"))
    processes.wait_for(2).die()
    processes.wait_for(3).find(1)
    assert spine.wait_for_status(run, "completed")["claims_drifted"] == 2


def test_an_admin_cannot_forget_a_task_that_a_scan_waits_for(spine: Spine, processes: SteppedProcesses) -> None:
    from docalign_actors.persistence.agent_task_views import TaskViews

    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    first, second = take(spine, 2)
    hand_in(spine, first, says("verified", cites=False))
    views = TaskViews(spine.database)
    later = SystemClock().now() + timedelta(hours=1)
    assert views.cleanup("", later, 100) == 0
    hand_in(spine, second, says("verified", cites=False))
    assert spine.wait_for_status(run, "completed")["claims_verified"] == 3
    assert views.cleanup("", later, 100) == 2


def test_a_full_scan_that_asked_agents_knows_what_they_found_with_its_history_and_health(
    spine: Spine, processes: SteppedProcesses
) -> None:
    run = spine.triggers.enqueue_full_scan(spine.add_repo()).result(PATIENCE)
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    for task in take(spine, 2):
        hand_in(spine, task, says("drifted" if about(task) == "timeout" else "verified"))
    processes.wait_for(2).find(1, 1)
    spine.wait_for_status(run, "completed")
    known = {text: (verdict, rule) for text, verdict, rule in spine.rows("SELECT text, verdict, rule FROM claims")}
    assert known["timeout"] == ("drifted", "agent-verdict")
    assert known["port"] == ("verified", "default")
    assert spine.rows("SELECT verified, drifted FROM health_history") == [(2, 2)]
    history = "SELECT r.verdict FROM verification_results r JOIN claims c USING (repo_id, fingerprint) WHERE c.text = 'timeout'"
    assert spine.rows(history) == [("drifted",)]
    assert ("src/app.py",) in spine.rows("SELECT code_file FROM mappings")


def test_a_repository_whose_only_scan_waits_may_sleep_and_is_woken_by_the_answer(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(idle=0.1)
    repo = spine.add_repo()
    run = pull(spine, repo)
    processes.wait_for(1).report(REPORT, referrals=ASKED[:1])
    (task,) = take(spine)
    spine.wait_until(lambda: not any(info.name == f"repo/{repo}" for info in spine.system.snapshot()))
    hand_in(spine, task, says("verified", cites=False))
    spine.wait_for_status(run, "completed")


def test_a_run_whose_tasks_ended_without_a_word_is_found_all_the_same(
    make_spine: Callable[..., Spine], processes: SteppedProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_room, "_NET", 0.2)
    spine = make_spine()
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, run)
    with spine.database.transaction() as connection:
        connection.execute(
            "UPDATE agent_tasks SET status = 'FAILED', location = 'NONE', error = 'lost', ended_at = now()"
        )
    assert spine.wait_for_status(run, "completed")["claims_uncertain"] == 3


def test_what_agents_did_is_counted(spine: Spine, processes: SteppedProcesses) -> None:
    registry = CollectorRegistry()
    count(spine.events, registry)
    run = pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    first, second = take(spine, 2)
    hand_in(spine, first, says("verified", cites=False, tokens=7))
    spine.queue.ask(Submit("", second.id, "w", new_id(), Status.FAILED, None, "no")).result(PATIENCE)
    spine.wait_for_status(run, "completed")
    spine.wait_until(lambda: registry.get_sample_value("docalign_agent_tokens_total") == 7)
    outcomes = ("decided", "undecided", "unanswered")
    figures = [registry.get_sample_value("docalign_agent_questions_total", {"outcome": one}) for one in outcomes]
    assert figures == [1, 0, 1]


def test_a_waiting_claim_is_woken_by_the_task_of_a_scan(spine: Spine, processes: SteppedProcesses) -> None:
    until = SystemClock().now() + timedelta(seconds=PATIENCE)
    reply = spine.queue.ask(Claim("", "w", ("verification",), 60.0, 1, until))
    pull(spine, spine.add_repo())
    processes.wait_for(1).report(REPORT, referrals=ASKED[:1])
    (task,) = reply.result(PATIENCE / 2)
    assert isinstance(task.id, UUID)
