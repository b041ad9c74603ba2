"""Whoever waits for a scan sees each stage advance, and never go back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from docalign_actors.engine.scan import scan
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_claims_are_counted_as_they_are_settled(repository: Make) -> None:
    lines = "".join(f"Edit `src/part_{n}.py`, and never `src/gone_{n}.py`.\n\n" for n in range(30))
    files: dict[str, str | bytes] = {f"src/part_{n}.py": "x = 1\n" for n in range(30)}
    repo = repository({"README.md": lines, **files})
    seen: dict[str, list[int]] = defaultdict(list)
    tree = WorkingTree(Git(repo.root))
    scan(
        tree, GitHistory(Git(repo.root), tree), ScanSettings(jobs=1),
        progress=lambda stage, done, total: seen[stage].append(done),
    )  # fmt: skip
    assert len(set(seen["claims"])) > 10
    assert seen["claims"] == sorted(seen["claims"])
