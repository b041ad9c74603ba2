"""The run on GitHub: people push and open, webhooks get lost, and at the end every head has its one check.

What must hold is looked for at GitHub's side and in the database, never in the service's own counters.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from bench.chaos.invariants import of_database

LOST, FAILED, DOUBLED = 0.10, 0.05, 0.10
"""Shares of the webhooks."""
RECONCILE = 3
"""Seconds of a round of the reconciler."""
_ROUNDS_OF_NOTHING = 10
"""After so many rounds in which nothing was found to do, nothing will be."""
_STEP = 0.2
_ANSWER = 60.0
_OPEN = (
    "SELECT (SELECT count(*) FROM scan_runs WHERE status IN ('queued', 'running')),"
    " (SELECT count(*) FROM github_deliveries WHERE status = 'waiting'),"
    " (SELECT count(*) FROM github_checks WHERE told < wanted)"
)
_RUNS = (
    "SELECT g.full_name, r.commit_sha, r.status, r.last_error, r.superseded_by IS NOT NULL, r.cancel_reason"
    " FROM scan_runs r JOIN github_repos g USING (repo_id) WHERE r.type = 'pr' ORDER BY r.position"
)


_FAILED = (
    "SELECT g.full_name, r.commit_sha FROM scan_runs r JOIN github_repos g USING (repo_id)"
    " WHERE r.type <> 'pr' AND r.status = 'failed' AND r.last_error <> ''"
)
"""Those whose worker was killed too often, say."""


class WorldProcess:
    """The fake GitHub's process, spoken to in lines."""

    def __init__(self, folder: Path, module: str = "bench.chaos.github_world") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._lock = threading.Lock()

    def ask(self, name: str, *arguments: Any) -> Any:
        with self._lock:
            if self._process.stdin is None or self._process.stdout is None:
                raise RuntimeError("the fake GitHub has no pipes")
            self._process.stdin.write(msgspec.json.encode((name, arguments)) + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the fake GitHub has ended")
        return msgspec.json.decode(line)

    def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(_ANSWER)


def settings_for(hello: dict[str, Any], base: Path) -> dict[str, str]:
    """What a service must know of this GitHub."""
    key = base / "app.pem"
    key.touch(mode=0o600)
    key.write_text(hello["key"])
    return {
        "DOCALIGN_GITHUB_APP_ID": str(hello["app"]), "DOCALIGN_GITHUB_PRIVATE_KEY_FILE": str(key),
        "DOCALIGN_GITHUB_WEBHOOK_SECRET": hello["secret"], "DOCALIGN_GITHUB_API_URL": hello["base"],
        "DOCALIGN_GITHUB_WEB_URL": hello["address"],
    }  # fmt: skip


class GitHubSide:
    """What the driver does to a GitHub, and what it expects of it."""

    def __init__(self, base: Path, number: int, seed: int) -> None:
        self._seed = seed
        self._number = number
        self.world = WorldProcess(base / "github")
        self.environment = settings_for(self.world.ask("hello"), base) | {
            # Weeks of people's work pass in minutes: this is an Enterprise Server, which has no limits of its own.
            "DOCALIGN_GITHUB_WRITE_INTERVAL": "0", "DOCALIGN_GITHUB_WRITES_PER_MINUTE": "0", "DOCALIGN_GITHUB_WRITES_PER_HOUR": "0",
            "DOCALIGN_GITHUB_TIMEOUT": "8",
            "DOCALIGN_GITHUB_RECONCILE_EVERY": str(RECONCILE),
        }  # fmt: skip
        self.steps: Counter[str] = Counter()
        self.last: dict[str, Any] = {}
        self.ends: list[str] = []

    def begin(self, port: int, url: str) -> set[str]:
        """Installs the App; gives the ids of the repositories when all are registered."""
        self.world.ask("begin", f"http://127.0.0.1:{port}/webhooks/github", self._number)
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with psycopg.connect(url, connect_timeout=10) as connection:
                rows = connection.execute("SELECT repo_id::text FROM github_repos").fetchall()
            if len(rows) == self._number:
                self.world.ask("disturb", self._seed, LOST, FAILED, DOUBLED)
                return {row[0] for row in rows}
            threading.Event().wait(_STEP)
        raise RuntimeError("the installation did not register its repositories")

    def step(self, chance: random.Random) -> None:
        self.steps[self.world.ask("step", chance.random())] += 1
        threading.Event().wait(chance.uniform(0.0, 0.1))

    def disorder(self, chance: random.Random) -> None:
        self.world.ask("disorder", chance.random())

    def always(self, url: str, permits: int) -> list[str]:
        """At every instant: not two checks at a head, not two comments at a pull request."""
        return of_database(url, permits) + doubles(self.world.ask("report"))

    def come_to_rest(self, url: str, seconds: float) -> None:
        """Until nothing is open, and nobody at GitHub waits for anything."""
        self.world.ask("calm")
        until = time.monotonic() + seconds
        idle_since = time.monotonic()
        while time.monotonic() < until and time.monotonic() - idle_since < _ROUNDS_OF_NOTHING * RECONCILE:
            with psycopg.connect(url, connect_timeout=10) as connection:
                rows = connection.execute(_OPEN).fetchone()
            if rows != (0, 0, 0):
                idle_since = time.monotonic()
            elif not self.at_the_end(url):
                return
            threading.Event().wait(_STEP * 5)

    def at_the_end(self, url: str) -> list[str]:
        """What GitHub shows, and what the database has of it."""
        self.last = self.world.ask("report")
        with psycopg.connect(url, connect_timeout=10) as connection:
            runs: dict[tuple[str, str], Any] = {(r[0], r[1]): r[2:] for r in connection.execute(_RUNS).fetchall()}
            heads: dict[str, str] = dict(
                connection.execute(
                    "SELECT g.full_name, r.head_sha FROM repos r JOIN github_repos g ON g.repo_id = r.id"
                ).fetchall()
            )
            self.ends = [row[0] for row in connection.execute("SELECT status FROM scan_runs").fetchall()]
            failed = set(connection.execute(_FAILED).fetchall())
            still = connection.execute(_OPEN).fetchone()
        found = doubles(self.last)
        if still != (0, 0, 0):
            found.append(f"still open: runs, deliveries, checks: {still}")
        for shown in self.last["repositories"]:
            found += of_repository(shown, runs)
            if heads.get(shown["name"]) != shown["main"] and (shown["name"], shown["main"]) not in failed:
                found.append(f"the default branch of {shown['name']} was not scanned at {shown['main'][:10]}")
        return found

    def report(self) -> list[tuple[str, str]]:
        shown = self.last["repositories"]
        ends = Counter(self.ends)
        checks = Counter(c["conclusion"] or c["status"] for r in shown for c in r["checks"])
        told = {
            "people's steps": self.steps, "webhooks": self.last["deliveries"], "scans": ends, "checks": checks,
        }  # fmt: skip
        lines = [
            (name, ", ".join(f"{what} {n}" for what, n in sorted(counted.items()))) for name, counted in told.items()
        ]
        pulls = [p for r in shown for p in r["pulls"]]
        heads = sum(len(p["heads"]) for p in pulls)
        comments = sum(len(r["comments"]) for r in shown)
        lines.append(("pull requests", f"{len(pulls)}, with {heads} heads and {comments} comments"))
        return [*lines, ("requests to GitHub", f"{self.last['requests']:,}")]

    def end(self) -> None:
        self.world.end()


def doubles(report: dict[str, Any]) -> list[str]:
    """What GitHub must never show."""
    found: list[str] = []
    for shown in report["repositories"]:
        heads = Counter(check["head"] for check in shown["checks"])
        found += [f"{n} checks at {shown['name']} {head[:10]}" for head, n in heads.items() if n > 1]
        numbers = Counter(shown["comments"])
        found += [f"{n} comments at {shown['name']}#{number}" for number, n in numbers.items() if n > 1]
    return found


def of_repository(shown: dict[str, Any], runs: dict[tuple[str, str], Any]) -> list[str]:
    """Every check is completed; the head of every open pull request has one that says what is true of it."""
    name = shown["name"]
    checks = {check["head"]: check for check in shown["checks"]}
    found = [f"{name} {h[:10]} is {c['status']}: {c['title']}" for h, c in checks.items() if c["status"] != "completed"]
    for pull in shown["pulls"]:
        if not pull["open"]:
            continue
        where, head = f"{name}#{pull['number']} {pull['head'][:10]}", pull["head"]
        check, run = checks.get(head), runs.get((name, head))
        if check is None or run is None:
            found.append(f"{where} has no {'check' if check is None else 'scan'}")
            continue
        status, error = run[0], run[1]
        if status not in ("completed", "partial") and not (status == "failed" and error):
            found.append(f"{where} was never scanned: {status} {run[2:]}; its check says {check['title']!r}")
        elif status == "completed":
            found += _of_verdict(where, pull["number"], shown, check["conclusion"])
    return found


def _of_verdict(where: str, number: int, shown: dict[str, Any], conclusion: str) -> list[str]:
    false = shown["broken"].get(next(p["head"] for p in shown["pulls"] if p["number"] == number))
    if conclusion != ("action_required" if false else "success"):
        return [f"{where} is {'false' if false else 'true'}, and its check says {conclusion}"]
    if false and number not in shown["comments"]:
        return [f"{where} is false, and has no comment"]
    return []
