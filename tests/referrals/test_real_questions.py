"""Scans as they really run, with agents: a process of their own, a real repository, questions, answers, evidence looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from docalign_actors.hosts.processes import LocalProcesses
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RunId
from docalign_actors.scans.ports import Job, Started
from docalign_actors.scans.referrals import Asking
from tests.referrals.waiting import findings, hand_in, take
from tests.support.repository import Repository
from tests.support.spine import PATIENCE, Spine

FILES: dict[str, str | bytes] = {
    "README.md": "# Tool\n\nThe `max_retries` setting is read by the client.\n",
    "src/client.py": "class Client:\n    def __init__(self, max_retries=3):\n        self.max_retries = max_retries\n",
}
WRITTEN = (
    "# Tool\n\nThe `max_retries` setting is read by the client.\n\n"
    "Call `connect_quickly` on the connection to begin.\n\nRequests that fail are retried and then written to disk.\n"
)
CODE = "def use(conn):\n    return conn.connect_quickly\n"


class AskingSpine(Spine):
    """Its scans ask agents."""

    def job(self, started: Started) -> Job:
        return msgspec.structs.replace(super().job(started), asking=Asking(50, 4, "acme/tool"))


@pytest.fixture
def spine(database: Database, tmp_path: Path) -> Iterator[Spine]:
    made = AskingSpine(database, LocalProcesses(), mirrors=tmp_path / "mirrors")
    yield made
    made.stop()


def pull(spine: Spine, repo: Repository) -> RunId:
    base = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "-b", "feature")
    repo.write({"README.md": WRITTEN, "src/use.py": CODE}).commit("more")
    head = repo.git("rev-parse", "HEAD").strip()
    return spine.triggers.enqueue_pr_scan(spine.add_repo(str(repo.root)), 7, base, head).result(PATIENCE)


def asked(spine: Spine, count: int) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Tasks and payloads, by what they ask about."""
    found = {}
    for task in take(spine, count):
        payload = msgspec.json.decode(task.payload)
        key = payload["claim"]["text"] if payload["type"] == "verification" else "prose"
        found[key] = (task, payload)
    return found


def test_what_a_pull_request_writes_and_code_cannot_decide_is_asked_with_evidence_and_the_answer_is_looked_up(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository(FILES)
    run = pull(spine, repo)
    tasks = asked(spine, 2)
    task, payload = tasks["connect_quickly"]
    assert payload["verification_path"] == 1
    assert [(e["file"], e["line"]) for e in payload["evidence"]] == [("src/use.py", 1)]
    assert payload["repository"]["commit"] == repo.git("rev-parse", "feature").strip()
    assert "Call `connect_quickly`" in payload["claim"]["context"]
    prose, reading = tasks["prose"]
    assert [(p["file"], p["line"]) for p in reading["passages"]] == [("README.md", 7)]
    hand_in(spine, prose, {"type": "claim_extraction", "claims": []})
    cited = {"file": "src/use.py", "line": 2, "quote": "return conn.connect_quickly"}
    wrong = {"file": "src/nowhere.py", "line": 2, "quote": "return conn.connect_quickly"}
    hand_in(spine, task, {
        "type": "verification", "verdict": "drifted", "confidence": 0.95, "reasoning": "It is an attribute and cannot be called.",
        "evidence": [wrong, cited],
    })  # fmt: skip
    row = spine.wait_for_status(run, "completed", "failed")
    assert row["status"] == "completed", row["last_error"]
    (found,) = findings(spine, run)
    assert (found["claim"], found["decided_by"]) == ("connect_quickly", "agent")
    assert [(e["file"], e["line"]) for e in found["evidence"]] == [("src/use.py", 2)]


def test_evidence_that_does_not_exist_makes_nothing_false(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    run = pull(spine, repository(FILES))
    tasks = asked(spine, 2)
    hand_in(spine, tasks["prose"][0], {"type": "claim_extraction", "claims": []})
    invented = [
        {"file": "src/use.py", "line": 2, "quote": "raise NotImplementedError"},
        {"file": "src/use.py", "line": 2_000, "quote": "return conn.connect_quickly"},
        {"file": "src/other.py", "line": 1, "quote": "def"},
    ]
    hand_in(spine, tasks["connect_quickly"][0], {
        "type": "verification", "verdict": "drifted", "confidence": 1.0, "reasoning": "Believe me.", "evidence": invented,
    })  # fmt: skip
    assert spine.wait_for_status(run, "completed")["claims_drifted"] == 0
    assert findings(spine, run) == []
