"""Scans as they really run: a process of their own, a mirror, a real repository, the engine, the database."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from docalign_actors.hosts.processes import LocalProcesses
from docalign_actors.persistence.database import Database
from docalign_actors.scans.messages import CancelRun
from docalign_actors.scans.model import RunId
from tests.support.repository import Repository
from tests.support.spine import PATIENCE, Spine

FILES: dict[str, str | bytes] = {
    "README.md": "# Tool\n\nStart with `src/app.py`, then read [the guide](docs/guide.md).\n",
    "docs/guide.md": "# Guide\n\nCall `make_report()` from `src/app.py`.\n",
    "src/app.py": "def make_report():\n    return 1\n",
}


@pytest.fixture
def spine(database: Database, tmp_path: Path) -> Iterator[Spine]:
    made = Spine(database, LocalProcesses(), mirrors=tmp_path / "mirrors")
    yield made
    made.stop()


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Every git that a scan starts waits for somebody who never comes, so that no scan can end before it is ended.

    What is given lets those go on that start later.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    os.mkfifo(programs / "nobody")
    git = programs / "git"
    git.write_text(f'#!/bin/sh\nread word < "{programs}/nobody"\n')
    git.chmod(0o755)
    before = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{programs}:{before}")
    yield lambda: monkeypatch.setenv("PATH", before)
    with suppress(OSError):  # nobody waits any more
        os.close(os.open(programs / "nobody", os.O_WRONLY | os.O_NONBLOCK))


def ended(spine: Spine, run: RunId) -> dict[str, object]:
    return spine.wait_for_status(run, "completed", "partial", "failed", "cancelled")


def test_a_full_scan_of_a_local_repository_knows_its_claims_and_its_health(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    row = ended(spine, spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE))
    assert row["status"] == "completed", row["last_error"]
    assert row["claims_drifted"] == 0
    claims = dict(spine.rows("SELECT text, verdict FROM claims WHERE gone_at IS NULL"))
    assert claims["src/app.py"] == "verified"
    assert spine.rows("SELECT health_score, status, default_branch FROM repos") == [(100, "active", "main")]
    assert ("src/app.py",) in spine.rows("SELECT DISTINCT code_file FROM mappings")


def test_a_push_that_removes_what_the_docs_name_is_found_and_the_verdict_s_history_is_kept(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    ended(spine, spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE))
    before = repo.git("rev-parse", "HEAD").strip()
    repo.move("src/app.py", "src/main.py").write({"docs/guide.md": "# Guide\n\nCall it.\n"}).commit("move")
    after = repo.git("rev-parse", "HEAD").strip()
    run = spine.triggers.enqueue_push_scan(repo_id, before, after).result(PATIENCE)
    row = ended(spine, run)
    assert row["status"] == "completed", row["last_error"]
    found = spine.rows("SELECT finding ->> 'claim', is_new FROM scan_findings WHERE run_id = %s", run)
    assert ("src/app.py", True) in found
    verdicts = spine.rows(
        "SELECT r.verdict FROM verification_results r JOIN claims c USING (repo_id, fingerprint)"
        " WHERE c.text = 'src/app.py' AND c.kind = 'path' ORDER BY r.id"
    )
    assert [verdict for (verdict,) in verdicts] == ["verified", "drifted"]
    assert spine.rows("SELECT code_file, doc_file FROM co_changes") == [("src/main.py", "docs/guide.md")]


def test_a_push_that_rewrote_history_is_carried_out_as_a_full_scan_and_an_ordinary_one_is_not(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    first = repo.git("rev-parse", "HEAD").strip()
    both = {"docs/guide.md": "# Guide\n", "src/app.py": "def make_report():\n    return 2\n"}
    repo.write(both).commit("next")
    second = repo.git("rev-parse", "HEAD").strip()
    ended(spine, spine.triggers.enqueue_push_scan(repo_id, first, second).result(PATIENCE))
    assert spine.rows("SELECT last_full_scan_at FROM repos") == [(None,)]
    assert spine.rows("SELECT code_file, doc_file, commit_sha FROM co_changes") == [
        ("src/app.py", "docs/guide.md", second)
    ]
    repo.write({"docs/guide.md": "# A guide\n", "src/app.py": "x = 1\n"}).git(
        "commit", "-qa", "--amend", "-m", "rewritten"
    )
    third = repo.git("rev-parse", "HEAD").strip()
    ended(spine, spine.triggers.enqueue_push_scan(repo_id, second, third).result(PATIENCE))
    assert spine.rows("SELECT last_full_scan_at IS NOT NULL, head_sha FROM repos") == [(True, third)]
    assert len(spine.rows("SELECT 1 FROM co_changes")) == 1


def test_a_pull_request_s_scan_changes_nothing_that_is_known_of_the_default_branch(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    ended(spine, spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE))
    known = spine.rows("SELECT fingerprint, verdict, line FROM claims ORDER BY 1")
    repo.git("checkout", "-qb", "feature")
    repo.move("src/app.py", "src/main.py").commit("move")
    run = spine.triggers.enqueue_pr_scan(repo_id, 1, "main", "feature").result(PATIENCE)
    row = ended(spine, run)
    assert row["status"] == "completed", row["last_error"]
    assert row["claims_drifted"] != 0
    assert spine.rows("SELECT fingerprint, verdict, line FROM claims ORDER BY 1") == known
    assert spine.rows("SELECT health_score FROM repos") == [(100,)]


def test_a_repository_that_is_not_there_fails_with_what_git_said(spine: Spine, tmp_path: Path) -> None:
    repo_id = spine.add_repo(str(tmp_path / "nothing"))
    row = ended(spine, spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE))
    assert (row["status"], row["last_error_code"]) == ("failed", "DOCALIGN_E106")
    assert "nothing" in str(row["last_error"])


def test_an_empty_repository_is_scanned_and_has_no_health(spine: Spine, tmp_path: Path) -> None:
    root = tmp_path / "empty"
    root.mkdir()
    Repository(root)
    row = ended(spine, spine.triggers.enqueue_full_scan(spine.add_repo(str(root))).result(PATIENCE))
    assert row["status"] == "completed", row["last_error"]
    assert spine.rows("SELECT health_score FROM repos") == [(None,)]


def test_a_bad_configuration_fails_once_and_names_the_mistake(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    repo = repository({**FILES, ".docalign.yml": "verfication: {}\n"})
    row = ended(spine, spine.triggers.enqueue_full_scan(spine.add_repo(str(repo.root))).result(PATIENCE))
    assert (row["status"], row["attempt"], row["last_error_code"]) == ("failed", 1, "DOCALIGN_E401")
    assert "verification" in str(row["last_error"])


def test_a_process_that_is_killed_is_tried_again_and_leaves_nothing_behind(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository], request: pytest.FixtureRequest
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    let_go = request.getfixturevalue("held")
    run = spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE)
    spine.wait_until(lambda: bool(scan_processes(run)))
    let_go()
    killed = scan_processes(run)
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    row = ended(spine, run)
    assert row["status"] == "completed", row["last_error"]
    assert not [pid for pid in killed if is_alive(pid)]


def test_a_cancelled_scan_s_process_is_gone(
    spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository], request: pytest.FixtureRequest
) -> None:
    repo = repository(FILES)
    repo_id = spine.add_repo(str(repo.root))
    request.getfixturevalue("held")
    run = spine.triggers.enqueue_full_scan(repo_id).result(PATIENCE)
    spine.wait_until(lambda: bool(scan_processes(run)))
    spine.triggers.cancel_scan(run)
    spine.system.tell(f"repo/{repo_id}", CancelRun(run))  # a second wish changes nothing
    assert ended(spine, run)["status"] == "cancelled"
    spine.wait_until(lambda: not scan_processes(run))


def scan_processes(run: RunId) -> list[int]:
    """Children of this process that are scans. Which run they are of is not seen from outside, as it should be."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == str(os.getpid()) and b"docalign_actors.scan_process" in command:
                found.append(int(entry.name))
    return found


def is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
