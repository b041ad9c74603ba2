"""A GitHub of the benchmark's own, as a process; what was asked of it is counted there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bench.chaos.github_world import serve
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Repository


class BenchWorld:
    """One repository whose documentation makes so many claims, and pull requests that touch all of them."""

    def __init__(self, root: Path) -> None:
        self.github = FakeGitHub(root)
        self.repository: Repository
        self._seen = 0

    def hello(self) -> dict[str, Any]:
        github = self.github
        return {
            "address": github.address, "base": github.base, "app": github.app.id, "key": github.app.private_key,
            "secret": github.hooks.secret,
        }  # fmt: skip

    def begin(self, url: str, claims: int) -> None:
        self.github.hooks.url = url
        lines = "".join(f"- `src/part{n}.py` has the function `do_part_{n}()`.\n" for n in range(claims // 2))
        files = {f"src/part{n}.py": f"def do_part_{n}():\n    return {n}\n" for n in range(claims // 2)}
        self.repository = self.github.create_repository("acme/tool", {"README.md": f"# Tool\n\n{lines}", **files})
        self.github.install("acme", self.repository)

    def settled(self) -> int:
        """From here on requests are counted."""
        self.github.hooks.wait()
        self._seen = len(self.github.asked)
        return self._seen

    def open(self, number: int, claims: int, false: int) -> str:
        """A pull request that writes every file of the code anew, and renames so many functions that the docs name."""
        parts = {}
        for n in range(claims // 2):
            name = f"make_part_{n}" if n < false else f"do_part_{n}"
            parts[f"src/part{n}.py"] = f"def {name}():\n    return {number * 1000 + n}\n"
        self._seen = len(self.github.asked)
        return self.github.open_pull(self.repository, f"b{number}", files=parts).head

    def look(self, head: str) -> dict[str, Any] | None:
        """How the check of a head was concluded, and what was asked of GitHub since it was pushed; None while it is not."""
        done = [c for c in self.repository.checks.values() if c.head_sha == head and c.status == "completed"]
        if not done:
            return None
        asked = self.github.asked[self._seen :]
        tokens = sum("access_tokens" in a.path for a in asked)
        return {
            "conclusion": done[0].conclusion, "annotations": len(done[0].annotations), "requests": len(asked) - tokens,
            "paths": [f"{a.method} {a.path}" for a in asked],
        }  # fmt: skip


if __name__ == "__main__":
    world = BenchWorld(Path(sys.argv[1]))
    serve(world, world.github)
