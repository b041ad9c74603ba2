"""Real git repositories for tests, built file by file and commit by commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from docalign_actors.engine.changes import scan_change
from docalign_actors.engine.ports import Cache
from docalign_actors.engine.scan import scan
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding, Verdict
from docalign_actors.findings.report import Report
from docalign_actors.hosts.localgit.changes import GitChange
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree

_WHO = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_DATE": "2024-05-01T12:00:00Z", "GIT_COMMITTER_DATE": "2024-05-01T12:00:00Z",
    "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "gc.auto", "GIT_CONFIG_VALUE_0": "0",
    "GIT_CONFIG_KEY_1": "maintenance.auto", "GIT_CONFIG_VALUE_1": "false",
}  # fmt: skip


class Repository:
    """A repository on disk.

    repo = Repository(tmp_path, {"README.md": "See `src/app.py`.", "src/app.py": "x = 1"})
    repo.move("src/app.py", "src/main.py").commit("move")
    repo.drifted() -> the findings of a whole scan;  repo.drifted(since="HEAD~1") -> of a scan of the change
    """

    def __init__(self, root: Path, files: dict[str, str | bytes] | None = None) -> None:
        self.root = root
        # Without the sample hooks: thousands of tests begin so, and copying them takes longer than all the rest.
        self.git("init", "-q", "-b", "main", "--template=")
        if files:
            self.write(files).commit("first")

    def git(self, *arguments: str, on: str = "") -> str:
        """Runs git; `on` is the day on which it seems to run."""
        day = {"GIT_AUTHOR_DATE": f"{on}T12:00:00Z", "GIT_COMMITTER_DATE": f"{on}T12:00:00Z"} if on else {}
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env={**os.environ, **_WHO, **day},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "replace")

    def write(self, files: dict[str, str | bytes]) -> Repository:
        for path, content in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def replace(self, old: str, new: str, *paths: str) -> Repository:
        """Replaces a text in the named files."""
        for path in paths:
            target = self.root / path
            before = target.read_text()
            assert old in before, f"{old!r} is not in {path}"
            target.write_text(before.replace(old, new))
        return self

    def move(self, old: str, new: str) -> Repository:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)
        return self

    def delete(self, *paths: str) -> Repository:
        self.git("rm", "-rq", *paths)
        return self

    def commit(self, message: str = "change", on: str = "") -> Repository:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, on=on)
        return self

    def age(self, commits: int = 20) -> Repository:
        """Puts so many empty commits on top that what went before is no longer fresh."""
        head = "commit refs/heads/main\ncommitter Ada <ada@example.org> 1714564800 +0000\ndata 4\nlate\n"
        stream = f"{head}from refs/heads/main^0\n\n" + f"{head}\n" * (commits - 1)
        subprocess.run(
            ["git", "-C", str(self.root), "fast-import", "--quiet"],
            input=stream.encode(),
            env={**os.environ, **_WHO},
            check=True,
        )
        return self

    def scan(
        self,
        *,
        since: str = "",
        settings: ScanSettings | None = None,
        show: frozenset[Verdict] | None = None,
        cache: Cache | None = None,
    ) -> Report:
        git = Git(self.root)
        tree = WorkingTree(git)
        shown = show or frozenset({Verdict.DRIFTED})
        chosen = settings or ScanSettings(jobs=1)
        if since:
            return scan_change(GitChange(git, since, tree), chosen, show=shown, cache=cache)
        return scan(tree, GitHistory(git, tree), chosen, show=shown, cache=cache)

    def drifted(self, *, since: str = "", settings: ScanSettings | None = None) -> list[Finding]:
        return self.scan(since=since, settings=settings).drifted

    def stale_lines(self, *, since: str = "") -> set[tuple[str, int]]:
        """Every (file, line) that some finding points at."""
        return {(m.file, m.line) for f in self.drifted(since=since) for m in f.mentions}
