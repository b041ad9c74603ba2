"""scripts/bench-watcher: thousands of repositories due at once, and many subscribers of one: lateness, losses, memory."""

from __future__ import annotations

import argparse
import os

from bench.watcher.repositories import measure as measure_repositories
from bench.watcher.subscribers import measure as measure_subscribers


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-watcher", description=__doc__)
    parser.add_argument("--repositories", type=int, nargs="+", default=[1_000, 3_000, 10_000])
    parser.add_argument("--rounds", type=int, default=3, help="how often all of them are due, for the memory")
    parser.add_argument("--subscribers", type=int, default=1_000, help="of one repository; 0 leaves them out")
    parser.add_argument("--files", type=int, default=20, help="that each subscriber is told of")
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} cores, load {' '.join(f'{f:.2f}' for f in os.getloadavg())}, fsync on")
    wrong = measure_repositories(given.repositories, given.rounds)
    if given.subscribers:
        measure_subscribers(given.subscribers, given.files)
    print(f"machine: load {' '.join(f'{f:.2f}' for f in os.getloadavg())} at the end")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
