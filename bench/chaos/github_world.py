"""A GitHub of the run's own, as a process: whatever is killed on our side, it remembers.

Commands come on standard input, answers go to standard output, one JSON document a line each. It ends with its input.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Pull, Repository

PULLS = 3
"""Pull requests that are open at once in a repository."""
_README = "# Tool {n}\n\nStart with `src/app.py`; it has `make_report()`.\n"
_APP = "def make_report():\n    return {n}\n"
_FAULTS = (
    {"kind": "after", "method": "POST", "path": "/check-runs"},
    {"kind": "after", "method": "PATCH", "path": "/check-runs"},
    {"kind": "after", "method": "POST", "path": "/comments"},
    {"kind": "before", "method": "(POST|PATCH)", "path": "/(check-runs|comments)"},
    {"kind": "before", "method": "GET", "path": "/pulls"},
    {"kind": "hang_after", "method": "POST", "path": "/(check-runs|comments)"},
    {"kind": "secondary", "method": "(POST|PATCH)", "retry_after": 1},
    {"kind": "missing", "method": "POST", "path": "/check-runs"},
    {"kind": "stale", "method": "GET", "path": "/(pulls|comments|check-runs)"},
)


class GitHubWorld:
    """People who push, open and close; webhooks that get lost; requests that fail."""

    def __init__(self, root: Path) -> None:
        self.github = FakeGitHub(root)
        # Weeks of people's work pass in minutes: an hour's allowance would be gone, and then nothing happens for the rest of it.
        self.github.limit = 1_000_000
        self.repositories: list[Repository] = []
        self.broken: dict[str, bool] = {}
        """Whether the documentation is false at a head."""
        self._changes = 0
        self._closed = 0

    def hello(self) -> dict[str, Any]:
        github = self.github
        return {
            "address": github.address, "base": github.base, "app": github.app.id, "key": github.app.private_key,
            "secret": github.hooks.secret,
        }  # fmt: skip

    def begin(self, url: str, number: int) -> None:
        """The App is installed on this many repositories; nothing goes wrong yet."""
        self.github.hooks.url = url
        for n in range(number):
            files = {"README.md": _README.format(n=n), "src/app.py": _APP.format(n=n)}
            self.repositories.append(self.github.create_repository(f"acme/tool{n}", files))
        self.github.install("acme", *self.repositories)

    def disturb(self, seed: int, lost: float, failed: float, doubled: float) -> None:
        self.github.hooks.disturb(seed, lost=lost, failed=failed, doubled=doubled)

    def step(self, seed: float) -> str:
        """Somebody does something."""
        chance = random.Random(seed)
        repository = chance.choice(self.repositories)
        still = [pull for pull in repository.pulls.values() if pull.state == "open"]
        self._changes += 1
        if chance.random() < 0.15:
            self.github.push(repository, {"other.py": f"x = {self._changes}\n"})
            return "push"
        if len(still) < PULLS:
            self._open(repository, chance)
            return "open"
        pull = chance.choice(still)
        if chance.random() < 0.08:
            self._closed += 1
            self.github.close_pull(repository, pull, merged=chance.random() < 0.5)
            return "close"
        self._push(repository, pull, chance)
        return "head"

    def disorder(self, seed: float) -> None:
        """What was held back comes in another order; and perhaps the next events are held back, or a request fails."""
        chance = random.Random(seed)

        def shuffled(held: list[Any]) -> list[Any]:
            chance.shuffle(held)
            return held

        self.github.hooks.release(shuffled)
        if chance.random() < 0.5:
            self.github.hooks.hold()
        if chance.random() < 0.7:
            self.github.fail(**chance.choice(_FAULTS), times=1)

    def calm(self) -> None:
        """From now on nothing goes wrong any more; what is lost stays lost."""
        self.github.hooks.release()
        self.github.hooks.disturb(0)
        self.github.faults.lift_all()

    def report(self) -> dict[str, Any]:
        """Everything that can be seen at GitHub."""
        with self.github.lock:
            deliveries = self.github.hooks.deliveries
            fates = Counter("lost" if not d.listed else d.status for d in deliveries)
            shown = [self._shown(repository) for repository in self.repositories]
            return {"repositories": shown, "deliveries": fates, "requests": len(self.github.requests())}

    def _open(self, repository: Repository, chance: random.Random) -> None:
        """From the default branch as it is, with a file that moves, or one that does not."""
        branch = f"b{self._changes}"
        false = chance.random() < 0.5
        self.github.open_pull(repository, branch, **self._change(repository, false))
        self.broken[repository.git.resolve(branch)] = false

    def _push(self, repository: Repository, pull: Pull, chance: random.Random) -> None:
        false = chance.random() < 0.5
        change = self._change(repository, false)
        sha = self.github.push(
            repository, change["files"], branch=pull.head_ref, delete=change["delete"], start="main", force=True
        )
        self.broken[sha] = false

    def _change(self, repository: Repository, false: bool) -> dict[str, Any]:
        """Every head starts from the default branch: a force push each time, so that no head rests on another."""
        n = repository.full_name.removeprefix("acme/tool")
        code = _APP.format(n=n) + f"# {self._changes}\n"
        return {"files": {"src/main.py" if false else "src/app.py": code}, "delete": ["src/app.py"] if false else []}

    def _shown(self, repository: Repository) -> dict[str, Any]:
        pulls = [
            {"number": p.number, "open": p.state == "open", "head": p.head, "heads": [sha for _, sha in p.heads]}
            for p in repository.pulls.values()
        ]
        checks = [
            {"head": c.head_sha, "status": c.status, "conclusion": c.conclusion or "", "title": c.title, "id": c.id}
            for c in repository.checks.values()
        ]
        bot = self.github.app.bot["login"]
        comments = [c.number for c in repository.comments.values() if c.user["login"] == bot]
        heads = {p["head"]: self.broken.get(str(p["head"])) for p in pulls}
        return {
            "name": repository.full_name, "pulls": pulls, "checks": checks, "comments": comments, "broken": heads,
            "main": repository.git.resolve("main"),
        }  # fmt: skip


def serve(world: object, github: FakeGitHub) -> None:
    """Carries commands out until there are no more."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with github:
        for line in sys.stdin.buffer:
            name, arguments = msgspec.json.decode(line, type=tuple[str, list[Any]])
            command: Callable[..., Any] = getattr(world, name)
            out.write(msgspec.json.encode(command(*arguments)) + b"\n")
            out.flush()


if __name__ == "__main__":
    made = GitHubWorld(Path(sys.argv[1]))
    serve(made, made.github)
