"""scripts/bench-watcher: thousands of repositories due at once: how late each is looked at, what a kill loses, how memory grows;
and a thousand subscribers of one repository: deliveries a second, what a kill loses, how memory grows."""

from __future__ import annotations

import argparse
import os

from bench.watcher import subscribers
from bench.watcher.repositories import measure


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-watcher", description=__doc__)
    parser.add_argument("--repositories", type=int, nargs="+", default=[1_000, 3_000, 10_000])
    parser.add_argument("--rounds", type=int, default=3, help="how often all of them are due, for the memory")
    parser.add_argument("--subscribers", type=int, nargs="*", default=[100, 1_000], help="none leaves this half out")
    parser.add_argument("--files", type=int, default=20, help="of the repository that is subscribed to")
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} cores, load {' '.join(f'{f:.2f}' for f in os.getloadavg())}, fsync on")
    wrong = measure(given.repositories, given.rounds)
    fine = [subscribers.measure(count, given.files) for count in given.subscribers]
    print(f"machine: load {' '.join(f'{f:.2f}' for f in os.getloadavg())} at the end")
    return 1 if wrong or not all(fine) else 0


if __name__ == "__main__":
    raise SystemExit(main())
