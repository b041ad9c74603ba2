"""Mirrors whose history is cut off, and pull requests that began before the cut."""

from __future__ import annotations

import threading
from io import BytesIO
from pathlib import Path

from docalign_actors.demo.github.gitstore import GitStore
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.scan_process import Voice, run
from docalign_actors.scans.ports import Job


def repository(tmp_path: Path) -> tuple[str, str, str]:
    """Its address, and a head that left main three commits ago; since then main's own documentation became false."""
    store = GitStore(tmp_path / "origin.git")
    files = {
        "README.md": "Start with `src/app.py` and `src/own.py`.\n",
        "src/app.py": "x = 1\n",
        "src/own.py": "y = 1\n",
    }
    first = store.commit("refs/heads/main", files)
    head = store.commit("refs/pull/1/head", {"src/new.py": "z = 1\n"}, parent=first)
    store.commit("refs/heads/main", {"src/moved.py": "x = 1\n"}, ["src/app.py"])
    for n in range(3):
        store.commit("refs/heads/main", {"other.txt": f"{n}\n"})
    return f"file://{store.path}", first, head


def test_where_a_branch_began_is_found_although_only_the_end_was_fetched(tmp_path: Path) -> None:
    url, first, head = repository(tmp_path)
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(url, [head], timeout=30, depth=1)
    tip = mirror.resolve("main")
    assert not mirror.related(tip, head)
    mirror.deepen(url, [tip, head], timeout=30)
    assert mirror.related(tip, head)
    assert mirror.git.run("merge-base", tip, head).decode().strip() == first
    mirror.deepen(url, [tip, head], timeout=30)  # there is nothing left to do


def test_a_pull_request_is_not_blamed_for_what_others_merged_meanwhile(tmp_path: Path) -> None:
    url, _, head = repository(tmp_path)
    job = Job("run", "repo", url, "pr", str(tmp_path / "mirror.git"), "", "main", head, 30.0, depth=1)
    made = run(job, Voice(BytesIO()), threading.Event())
    assert [finding.message for finding in made.report.drifted] == []
    assert made.facts.code == ("src/new.py",)
