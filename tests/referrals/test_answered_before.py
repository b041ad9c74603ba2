"""What agents have answered for one scan is not asked by the next, over a real database and the real queue."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.scans.referrals import AgentRules
from tests.referrals.questions import question, says
from tests.referrals.waiting import (
    ASKED,
    REPORT,
    TIMEOUT,
    about,
    answered_once,
    findings,
    hand_in,
    open_tasks,
    pull,
    take,
    wait_in_the_room,
)
from tests.support.spine import Spine, SteppedProcesses

pytestmark = pytest.mark.usefixtures("no_net")


def test_what_agents_have_answered_is_not_asked_again_and_costs_nothing_again(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    answered_once(spine, processes, repo)
    run = pull(spine, repo, head="b" * 40)
    processes.wait_for(3).report(REPORT, referrals=ASKED)
    (task,) = take(spine)
    assert about(task) == "port"
    assert open_tasks(spine) == 1
    hand_in(spine, task, says("verified", tokens=2))
    look_up = processes.wait_for(4)
    assert len(look_up.job.citations) == 2
    look_up.find(1, 1)
    row = spine.wait_for_status(run, "completed")
    assert row["total_token_cost"] == 2
    assert [finding["claim"] for finding in findings(spine, run)] == ["timeout", "known"]


def test_a_scan_of_which_every_question_is_answered_already_goes_on_at_once(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    answered_once(spine, processes, repo)
    run = pull(spine, repo, head="b" * 40)
    processes.wait_for(3).report(REPORT, referrals=(question(TIMEOUT),))
    processes.wait_for(4).find(1)
    spine.wait_for_status(run, "completed")
    assert [finding["claim"] for finding in findings(spine, run)] == ["timeout", "known"]


def test_a_remembered_answer_counts_only_if_what_it_cites_still_stands_there(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    answered_once(spine, processes, repo)
    run = pull(spine, repo, head="b" * 40)
    processes.wait_for(3).report(REPORT, referrals=(question(TIMEOUT),))
    processes.wait_for(4).find(0)
    spine.wait_for_status(run, "completed")
    assert [finding["claim"] for finding in findings(spine, run)] == ["known"]


def test_an_operator_may_have_everything_asked_every_time(
    make_spine: Callable[..., Spine], processes: SteppedProcesses
) -> None:
    spine = make_spine(agents=AgentRules(remember=0))
    repo = spine.add_repo()
    answered_once(spine, processes, repo)
    pull(spine, repo, head="b" * 40)
    processes.wait_for(3).report(REPORT, referrals=ASKED)
    assert {about(task) for task in take(spine, 2)} == {"timeout", "port"}


def test_a_task_that_several_runs_remember_goes_only_when_none_of_them_waits(
    spine: Spine, processes: SteppedProcesses
) -> None:
    repo = spine.add_repo()
    answered_once(spine, processes, repo)
    run = pull(spine, repo, head="b" * 40)
    processes.wait_for(3).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, run)
    links = "SELECT count(*), count(*) FILTER (WHERE remembered) FROM scan_tasks WHERE run_id = %s"
    assert spine.rows(links, run) == [(2, 1)]
    spine.triggers.cancel_scan(run)
    spine.wait_for_status(run, "cancelled")
    spine.wait_until(lambda: open_tasks(spine) == 0)
    assert spine.rows("SELECT count(*) FROM agent_tasks WHERE status = 'COMPLETED'") == [(1,)]
