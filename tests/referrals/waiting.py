"""A scan that asks agents, as the tests of waiting step it by hand."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from docalign_actors.agent_tasks.messages import Claim, Submit
from docalign_actors.agent_tasks.model import Status, Task
from docalign_actors.clock import SystemClock
from docalign_actors.findings.model import Verdict
from docalign_actors.ids import new_id
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.outcomes import Rules
from tests.referrals.questions import claim, question, report, says
from tests.support.spine import PATIENCE, Spine, SteppedProcesses

TIMEOUT, PORT, KNOWN = (
    claim("timeout", line=3),
    claim("port", line=5, times=2),
    claim("known", Verdict.DRIFTED, "Gone."),
)
REPORT = report(TIMEOUT, PORT, KNOWN)
ASKED = (question(TIMEOUT), question(PORT))
QUICK = Rules(delays=(0.01, 0.01, 0.01))


def pull(spine: Spine, repo: RepoId, number: int = 7, head: str = "a" * 40) -> RunId:
    return spine.triggers.enqueue_pr_scan(repo, number, "main", head).result(PATIENCE)


def wait_in_the_room(spine: Spine, run: RunId) -> dict[str, Any]:
    spine.wait_until(lambda: spine.row(run)["status"] == "queued" and spine.row(run)["stage"] == "agents")
    return spine.row(run)


def take(spine: Spine, count: int = 1, worker: str = "w", commands: tuple[str, ...] = ()) -> list[Task]:
    until = SystemClock().now() + timedelta(seconds=PATIENCE)
    found: list[Task] = []
    while len(found) < count:
        got = spine.queue.ask(Claim("", worker, commands, 60.0, count - len(found), until)).result(PATIENCE + 5)
        assert got, f"{len(found)} of {count} tasks"
        found += got
    return found


def hand_in(spine: Spine, task: Task, result: dict[str, Any], worker: str = "w") -> None:
    op = Submit("", task.id, worker, new_id(), Status.COMPLETED, json.dumps(result), "")
    spine.queue.ask(op).result(PATIENCE)


def about(task: Task) -> str:
    return str(json.loads(task.payload)["claim"]["text"])


def open_tasks(spine: Spine) -> int:
    return int(spine.rows("SELECT count(*) FROM agent_tasks WHERE status IN ('PENDING', 'IN_PROGRESS')")[0][0])


def findings(spine: Spine, run: RunId) -> list[dict[str, Any]]:
    rows = spine.rows("SELECT finding FROM scan_findings WHERE run_id = %s ORDER BY position", run)
    return [finding for (finding,) in rows]


def answered_once(spine: Spine, processes: SteppedProcesses, repo: RepoId) -> None:
    """A first scan of a pull request, of which agents answered one question; the other came to nothing."""
    run = pull(spine, repo)
    processes.wait_for(1).report(REPORT, referrals=ASKED)
    wait_in_the_room(spine, run)
    for task in take(spine, 2):
        if about(task) == "timeout":
            hand_in(spine, task, says("drifted", suggestion="timeout is 3", tokens=40))
        else:
            spine.queue.ask(Submit("", task.id, "w", new_id(), Status.FAILED, None, "no idea")).result(PATIENCE)
    processes.wait_for(2).find(1)
    spine.wait_for_status(run, "completed")
