"""scripts/chaos: kills the service and its database at random instants under load, and checks what must hold."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.chaos.invariants import always, at_the_end
from bench.chaos.load import Book, Client, ask, one_step
from bench.chaos.repositories import ChaosRepository
from bench.chaos.service import ServiceProcess
from bench.chaos.watching import ScanWatcher

PERMITS = 5
BLOWS = ("kill service", "kill postmaster", "kill both", "stop and continue", "stop and kill", "terminate")
_CLIENTS = 4


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
    finally:
        if not given.keep:
            shutil.rmtree(base, ignore_errors=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/chaos", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how often something is killed (default: 200)")
    parser.add_argument("--repositories", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same blows and the same load")
    parser.add_argument("--load", type=float, default=1.0, help="seconds of load before each blow, at the most")
    parser.add_argument("--keep", metavar="DIR", help="work in this folder, and leave it there")
    return parser.parse_args()


class Chaos:
    """One run."""

    def __init__(self, base: Path, given: argparse.Namespace) -> None:
        self.given = given
        self.chance = random.Random(given.seed)
        self.book = Book()
        self.blows: Counter[str] = Counter()
        self.starts: list[float] = []
        self.problems: list[str] = []
        self.service = ServiceProcess(base / "data", _free_port())
        self.url = f"postgresql://postgres@/docalign?host={quote(str(base / 'data' / 'socket'), safe='')}"
        self.mirrors = base / "data" / "mirrors"
        self.repositories = [ChaosRepository(base / "repositories" / f"r{n:02}", n) for n in range(given.repositories)]

    def run(self) -> int:
        began = time.monotonic()
        token = self.service.docalign("token", "create", "--role", "admin", "--plain")
        self.client = Client(self.service.port, token)
        self.starts.append(self.service.start(self.client))
        self._register()
        watcher = ScanWatcher({r.id for r in self.repositories}, PERMITS)
        watcher.start()
        for number in range(1, self.given.rounds + 1):
            self._round(number)
            if self.problems:
                break
        self._come_to_rest()
        watcher.end()
        self.problems += watcher.problems[:20]
        found, outcomes = at_the_end(self.url, self.book, self.mirrors)
        self.problems += found + always(self.url, self.book, PERMITS)
        self.service.signal(signal.SIGTERM)
        self.service.wait()
        self.problems += [f"orphan: {o}" for o in self.service.orphans({r.id for r in self.repositories})]
        self._report(outcomes, watcher, time.monotonic() - began)
        return 1 if self.problems else 0

    def _register(self) -> None:
        for repository in self.repositories:
            status, answer = self.client.call("POST", "/api/repos", {"url": str(repository.root)})
            if status not in (200, 201):
                raise RuntimeError(f"registration was refused: {status} {answer}")
            repository.id = answer["id"]

    def _round(self, number: int) -> None:
        stop = threading.Event()
        seeds = [self.chance.random() for _ in range(_CLIENTS)]
        with ThreadPoolExecutor(_CLIENTS) as clients:
            for seed in seeds:
                clients.submit(self._client, random.Random(seed), stop)
            stop.wait(self.chance.uniform(0.05, self.given.load))
            blow = self.chance.choice(BLOWS)
            self.blows[blow] += 1
            self._strike(blow)
            stop.set()
        self._recover()
        self.problems += [
            f"round {number} ({blow}): {p}" for p in (*always(self.url, self.book, PERMITS), *self.book.problems)
        ]
        if sys.stderr.isatty() or number % 10 == 0:
            print(
                f"round {number} of {self.given.rounds}: {blow}; {len(self.book.accepted())} accepted", file=sys.stderr
            )

    def _client(self, chance: random.Random, stop: threading.Event) -> None:
        while not stop.is_set():
            one_step(self.client, self.book, chance.choice(self.repositories), chance)

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
        self.problems += [f"orphan: {o}" for o in self.service.orphans({r.id for r in self.repositories})]
        self.starts.append(self.service.start(self.client))

    def _come_to_rest(self) -> None:
        """Asks again for everything that got no answer, then waits until nothing is open."""
        bodies = {"push": {"type": "push"}, "full": {"type": "full"}, "pr": {"type": "pr", "base": "main"}}
        for asked in self.book.asked:
            if asked.run or asked.refused:
                continue
            body: dict[str, Any] = dict(bodies[asked.kind])
            if asked.kind == "push":
                body |= {"before": "0" * 40, "after": asked.head}
            if asked.kind == "pr":
                body |= {"number": asked.number, "head": asked.head}
            ask(self.client, self.book, asked, body)
        until = time.monotonic() + 900
        while time.monotonic() < until and not self.problems:
            waiting = [self.client.call("GET", f"/api/scans?status={s}&limit=1")[1] for s in ("queued", "running")]
            if all(page is not None and not page["items"] for page in waiting):
                return
            threading.Event().wait(0.2)

    def _report(self, outcomes: Counter[str], watcher: ScanWatcher, seconds: float) -> None:
        starts = sorted(self.starts)
        load = " ".join(f"{figure:.2f}" for figure in os.getloadavg())
        print(f"rounds                {sum(self.blows.values())} (seed {self.given.seed})")
        print(f"blows                 {', '.join(f'{name} {n}' for name, n in sorted(self.blows.items()))}")
        print(f"accepted              {len(self.book.accepted())} of {len(self.book.asked)} asked for")
        print(f"outcomes              {', '.join(f'{name} {n}' for name, n in sorted(outcomes.items()))}")
        print(f"scans at once         {watcher.most} at the most, in {watcher.looks} looks at the processes")
        print(
            f"start until ready     median {starts[len(starts) // 2]:.2f} s, slowest {starts[-1]:.2f} s, {len(starts)} starts"
        )
        print(f"took                  {seconds:.0f} s; load of the machine {load} on {os.cpu_count()} cores")
        print(f"violated invariants   {len(self.problems)}")
        for problem in self.problems[:50]:
            print(f"  {problem}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
