"""scripts/chaos: kills the service and its database at random instants under load, and checks what must hold."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from bench.chaos.api_side import ApiSide
from bench.chaos.github_side import GitHubSide
from bench.chaos.invariants import failures, open_runs
from bench.chaos.load import Client
from bench.chaos.service import ServiceProcess, free_port
from bench.chaos.watching import ScanWatcher

PERMITS = 5
BLOWS = ("kill service", "kill postmaster", "kill both", "stop and continue", "stop and kill", "terminate")
_CLIENTS = 4
_REST = 600.0
"""Seconds for everything to come to an end after the last blow."""


def main() -> int:
    given = _arguments()
    base = Path(given.keep or tempfile.mkdtemp(prefix="docalign-chaos-"))
    base.mkdir(parents=True, exist_ok=True)
    try:
        chaos = Chaos(base, given)
        try:
            return chaos.run()
        finally:
            chaos.service.kill()
            chaos.side.end()
    finally:
        if not given.keep:
            shutil.rmtree(base, ignore_errors=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/chaos", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how often something is killed (default: 200)")
    parser.add_argument(
        "--github", action="store_true", help="the load comes from a GitHub that loses webhooks and fails"
    )
    parser.add_argument("--repositories", type=int, help="how many (default: 30; with --github 6)")
    parser.add_argument(
        "--open", type=int, default=60, help="how many scans may wait before no more are asked for (default: 60)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same blows and the same load")
    parser.add_argument("--load", type=float, default=1.0, help="seconds of load before each blow, at the most")
    parser.add_argument("--keep", metavar="DIR", help="work in this folder, and leave it there")
    return parser.parse_args()


class Side(Protocol):
    """Whom the service works for in this run: clients of the API, or GitHub."""

    environment: dict[str, str]

    def begin(self, port: int, url: str) -> set[str]: ...
    def step(self, chance: random.Random) -> None: ...
    def disorder(self, chance: random.Random) -> None: ...
    def always(self, url: str, permits: int) -> list[str]: ...
    def come_to_rest(self, url: str, seconds: float) -> None: ...
    def at_the_end(self, url: str) -> list[str]: ...
    def report(self) -> list[tuple[str, str]]: ...
    def end(self) -> None: ...


class Allowance:
    """How much may still be asked for in a round: no more than can be worked off."""

    def __init__(self, left: int) -> None:
        self._left = left
        self._lock = threading.Lock()

    def take(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0


class Chaos:
    """One run."""

    def __init__(self, base: Path, given: argparse.Namespace) -> None:
        self.given = given
        self.chance = random.Random(given.seed)
        self.blows: Counter[str] = Counter()
        self.starts: list[float] = []
        self.problems: list[str] = []
        self.repos: set[str] = set()
        self.failed: Counter[str] = Counter()
        self.service = ServiceProcess(base / "data", free_port())
        self.url = f"postgresql://postgres@/docalign?host={quote(str(base / 'data' / 'socket'), safe='')}"
        self.client = Client(self.service.port, "")
        self.side: Side = (
            GitHubSide(base, given.repositories or 6, given.seed)
            if given.github
            else ApiSide(base, given.repositories or 30, self.client)
        )
        self.service.environment |= self.side.environment

    def run(self) -> int:
        began = time.monotonic()
        self.client.token = self.service.docalign("token", "create", "--role", "admin", "--plain")
        self.starts.append(self.service.start(self.client))
        self.repos = self.side.begin(self.service.port, self.url)
        watcher = ScanWatcher(self.repos, PERMITS)
        watcher.start()
        for number in range(1, self.given.rounds + 1):
            self._round(number)
            if self.problems:
                break
        resting = time.monotonic()
        if not self.problems:
            self.side.come_to_rest(self.url, _REST)
        rested = time.monotonic() - resting
        watcher.end()
        self.problems += watcher.problems[:20]
        self.problems += self.side.at_the_end(self.url) + self.side.always(self.url, PERMITS)
        self.failed = failures(self.url)
        self.service.signal(signal.SIGTERM)
        self.service.wait()
        self.problems += [f"orphan: {o}" for o in self.service.orphans(self.repos)]
        self._report(watcher, time.monotonic() - began, rested)
        return 1 if self.problems else 0

    def _round(self, number: int) -> None:
        stop = threading.Event()
        seeds = [self.chance.random() for _ in range(_CLIENTS)]
        allowance = Allowance(self.given.open - open_runs(self.url))
        with ThreadPoolExecutor(_CLIENTS) as clients:
            working = [clients.submit(self._client, random.Random(seed), allowance, stop) for seed in seeds]
            stop.wait(self.chance.uniform(0.05, self.given.load))
            self.side.disorder(self.chance)
            blow = self.chance.choice(BLOWS)
            self.blows[blow] += 1
            self._strike(blow)
            stop.set()
        for client in working:
            client.result()
        self._recover()
        self.problems += [f"round {number} ({blow}): {p}" for p in self.side.always(self.url, PERMITS)]
        if sys.stderr.isatty() or number % 10 == 0:
            print(f"round {number} of {self.given.rounds}: {blow}", file=sys.stderr)

    def _client(self, chance: random.Random, allowance: Allowance, stop: threading.Event) -> None:
        while not stop.is_set() and allowance.take():
            self.side.step(chance)

    def _strike(self, blow: str) -> None:
        if blow == "kill service":
            self.service.kill()
        elif blow == "kill postmaster":
            self.service.kill_postmaster()
        elif blow == "kill both":
            self.service.kill_postmaster()
            self.service.kill()
        elif blow.startswith("stop"):
            self.service.signal(signal.SIGSTOP)
            threading.Event().wait(self.chance.uniform(0.1, 2.0))
            if blow == "stop and kill":
                self.service.kill()
            self.service.signal(signal.SIGCONT)
        else:
            self.service.signal(signal.SIGTERM)
            self.service.wait()

    def _recover(self) -> None:
        if self.service.running:
            self.service.wait_ready(self.client)
            return
        self.problems += [f"orphan: {o}" for o in self.service.orphans(self.repos)]
        self.starts.append(self.service.start(self.client))

    def _report(self, watcher: ScanWatcher, seconds: float, rested: float) -> None:
        starts = sorted(self.starts)
        load = " ".join(f"{figure:.2f}" for figure in os.getloadavg())
        median, slowest = starts[len(starts) // 2], starts[-1]
        lines = [
            ("rounds", f"{sum(self.blows.values())} (seed {self.given.seed})"),
            ("blows", ", ".join(f"{name} {n}" for name, n in sorted(self.blows.items()))),
            *self.side.report(),
            *[("failed", f"{n}: {why}") for why, n in self.failed.most_common()],
            ("scans at once", f"{watcher.most} at the most, in {watcher.looks} looks at the processes"),
            ("start until ready", f"median {median:.2f} s, slowest {slowest:.2f} s, {len(starts)} starts"),
            ("took", f"{seconds:.0f} s, {rested:.0f} s of them to come to rest; load {load} on {os.cpu_count()} cores"),
            ("violated invariants", str(len(self.problems))),
        ]
        for name, text in lines:
            print(f"{name:<21} {text}")
        for problem in self.problems[:50]:
            print(f"  {problem}")


if __name__ == "__main__":
    sys.exit(main())
