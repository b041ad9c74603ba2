"""scripts/bench-github: how fast webhooks are taken, how long a pull request waits for its check, and what that asks of GitHub."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from bench.chaos.github_side import WorldProcess, settings_for
from bench.chaos.load import Client
from bench.chaos.service import ServiceProcess, free_port
from bench.github import ingest
from bench.service.enqueue import CONNECTIONS, KINDS, median
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server

PARTS = ("ingest", "checks")
CASES = ((50, 3), (200, 3), (200, 100))
"""Claims that a pull request touches, and files of which it makes what is said of them false."""
_PATIENCE = 300.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-github", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--turns", type=int, default=3, help="how often each kind of taking is measured")
    parser.add_argument("--seconds", type=float, default=5.0, help="for how long, each time")
    parser.add_argument("--pulls", type=int, default=20, help="pull requests for each figure")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    print(f"machine               {os.cpu_count()} cores, load {_load()}, fsync on", flush=True)
    if not given.parts or "ingest" in given.parts:
        _ingest(given)
    if not given.parts or "checks" in given.parts:
        _checks(given)
    return 0


def _ingest(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="docalign-bench-") as folder, Server(Path(folder)) as server:
        migrate(server.url)
        found = ingest.measure(server.url, turns=given.turns, seconds=given.seconds)
    rates = {kind: median(figures.rates) for kind, figures in found.items()}
    print(
        f"\nwebhooks of {ingest.SIZE:,} bytes, {CONNECTIONS} connections, median of {given.turns} turns of {given.seconds:.0f} s"
    )
    for kind, figures in found.items():
        print(f"  {kind:<28} {rates[kind]:>7.0f} a second   p99 {median(figures.p99):>6.1f} ms")
    own, bare, nothing = rates[KINDS[2]], rates[KINDS[1]], rates[KINDS[0]]
    print(f"  docalign is {own / bare:.2f} x one INSERT each (goal 1.5), {own / nothing:.2f} x no database (goal 0.6)")
    print(f"  load {_load()}", flush=True)


def _checks(given: argparse.Namespace) -> None:
    print(f"\nwebhook → completed check, one pull request after another, {given.pulls} for each line")
    print("  claims  false  write_interval   P50      P95      slowest   requests (most)")
    for interval in ("1", "0"):
        for claims, false in CASES:
            _one_line(given.pulls, interval, claims, false)
    print(f"  load {_load()}", flush=True)


def _one_line(pulls: int, interval: str, claims: int, false: int) -> None:
    with tempfile.TemporaryDirectory(prefix="docalign-bench-") as folder:
        base = Path(folder)
        world = WorldProcess(base / "github", "bench.github.world")
        service = ServiceProcess(base / "data", free_port())
        client = Client(service.port, "")
        service.environment |= settings_for(world.ask("hello"), base) | {
            "DOCALIGN_GITHUB_WRITE_INTERVAL": interval, "DOCALIGN_GITHUB_RECONCILE_EVERY": "3600",
            "DOCALIGN_SCANS_CLAIMS_PER_PR": "200",
        }  # fmt: skip
        try:
            service.start(client)
            world.ask("begin", f"http://127.0.0.1:{service.port}/webhooks/github", claims)
            _check(world, 0, claims, false)  # the first one waits for the scan of the whole repository
            seen = [_check(world, number, claims, false) for number in range(1, pulls + 1)]
        finally:
            service.kill()
            world.end()
    seconds = sorted(s for s, _ in seen)
    requests, last = [found["requests"] for _, found in seen], seen[-1][1]
    times = "  ".join(f"{s:5.2f} s" for s in (statistics.median(seconds), _share(seconds, 0.95), seconds[-1]))
    told = (
        f"{statistics.median(requests):.0f} ({max(requests)})   {last['conclusion']}, {last['annotations']} annotations"
    )
    print(f"  {claims:>6}  {false:>5}  {interval:>14}   {times}   {told}", flush=True)


def _check(world: WorldProcess, number: int, claims: int, false: int) -> tuple[float, dict[str, Any]]:
    began = time.monotonic()
    head = world.ask("open", number, claims, false)
    while (found := world.ask("look", head)) is None:
        if time.monotonic() - began > _PATIENCE:
            raise RuntimeError("the check was not completed")
        threading.Event().wait(0.01)
    return time.monotonic() - began, found


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _load() -> str:
    return " ".join(f"{figure:.2f}" for figure in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main())
