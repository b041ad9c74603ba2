"""The repositories of a run: small, real, and growing while the service scans them."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from pathlib import Path

_WHO = {
    "GIT_AUTHOR_NAME": "Chaos", "GIT_AUTHOR_EMAIL": "chaos@example.org", "GIT_COMMITTER_NAME": "Chaos",
    "GIT_COMMITTER_EMAIL": "chaos@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip
PULLS = (1, 2, 3)


class ChaosRepository:
    """One repository with a default branch and three pull requests."""

    def __init__(self, root: Path, number: int) -> None:
        self.root = root
        self.number = number
        self.id = ""
        self.lock = threading.Lock()
        self._commits = 0
        root.mkdir(parents=True)
        self._git("init", "-q", "-b", "main")
        for i in range(5):
            (root / f"module{i}.py").write_text(f"def function_{i}():\n    return {i}\n")
        lines = "".join(f"- `module{i}.py` has `function_{i}()`\n" for i in range(5))
        (root / "README.md").write_text(f"# Repository {number}\n\n{lines}")
        self._git("add", "-A")
        self._git("commit", "-qm", "first")
        for pull in PULLS:
            self._git("branch", f"pull-{pull}")

    def commit(self, branch: str, chance: random.Random) -> tuple[str, str]:
        """A new commit on a branch; (before, after)."""
        with self.lock:
            before = self._git("rev-parse", branch)
            self._commits += 1
            blob = self._git(
                "hash-object", "-w", "--stdin", given=f"def function_{self._commits}():\n    return {chance.random()}\n"
            )
            tree = self._git("ls-tree", before)
            kept = [line for line in tree.splitlines() if not line.endswith("\tmodule0.py")]
            made = self._git("mktree", given="\n".join([*kept, f"100644 blob {blob}\tmodule0.py"]) + "\n")
            after = self._git("commit-tree", made, "-p", before, "-m", f"change {self._commits}")
            self._git("update-ref", f"refs/heads/{branch}", after)
            return before, after

    def _git(self, *arguments: str, given: str = "") -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments], input=given.encode(), capture_output=True, check=True, timeout=60,
            env={**os.environ, **_WHO},
        )  # fmt: skip
        return done.stdout.decode().strip()
