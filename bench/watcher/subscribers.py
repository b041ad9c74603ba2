"""scripts/bench-watcher, second half: many subscribers of one repository. A snapshot to all of them with a `kill -9` in its midst,
then one push: deliveries a second, what was lost or came out of order, and the memory of the process that tells them."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import tempfile
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from bench.watcher.receiver import receive
from bench.watcher.telling import tell
from docalign_actors.applications.admission import checked_subscription
from docalign_actors.clock import SystemClock
from docalign_actors.findings.report import Report, Summary
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.ids import new_id
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.server import Server
from docalign_actors.scans.merging import merge
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import RepoId, Request, RunId, ScanType, Trigger
from docalign_actors.scans.outcomes import Ending, Rules, after

_SPAWN = multiprocessing.get_context("spawn")
_PATIENCE = 1_800.0
_CONTENT = "A line of documentation that says something about the code.\n"


class Bench:
    """One repository, its subscribers, the process that tells them, and the one that hears."""

    def __init__(self, url: str, folder: Path, files: int) -> None:
        self.url = url
        self.folder = folder
        self.repo = RepoId(new_id())
        self.source = folder / "source"
        self.source.mkdir()
        self.git("init", "-q", "-b", "main")
        for number in range(files):
            (self.source / f"{number:05}.md").write_text(f"# {number}\n" + _CONTENT * 20)
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        here, there = _SPAWN.Pipe()
        self._heard: Connection = here
        self._receiver = _SPAWN.Process(target=receive, args=(there,), daemon=True)
        self._receiver.start()
        self.port: int = here.recv()
        self.teller: BaseProcess | None = None

    def git(self, *arguments: str) -> None:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", "-C", str(self.source), *who, *arguments], check=True, capture_output=True)

    def scan(self, database: Database) -> None:
        """What a scan writes when it ends."""
        mirror = Mirror(self.folder / "mirrors" / f"{self.repo}.git")
        mirror.fetch(str(self.source), timeout=60)
        head = mirror.resolve("main")
        store, run, lease = PostgresScanStore(database), RunId(new_id()), new_id()
        request = Request(self.repo, ScanType.FULL, Trigger.MANUAL)
        store.enqueue([request], [run], SystemClock().now().date(), lambda demands: [None] * len(demands))
        store.start(run, 1, lease)
        results = merge(Report(Summary(), commit=head), ScanFacts("main", head), (), knowledge=True)
        now = SystemClock().now()
        store.store_results(run, lease, lambda r, s: after(r, Ending("completed"), Rules(), now, 0.0, s), results, 1)

    def subscribe(self, database: Database, count: int) -> None:
        store = ApplicationStore(database, SystemClock())
        wanted = checked_subscription("", (), ())
        for number in range(count):
            app, _ = store.add(f"app-{number}", f"http://127.0.0.1:{self.port}/{number}")
            store.subscribe(app, self.repo, wanted)

    def start(self) -> None:
        here, there = _SPAWN.Pipe()
        self.teller = _SPAWN.Process(target=tell, args=(self.url, str(self.folder), there), daemon=True)
        self.teller.start()
        if not here.poll(60):
            raise RuntimeError("the process that tells did not start")

    def kill(self) -> None:
        if self.teller is not None:
            self.teller.kill()
            self.teller.join(10)

    def heard(self) -> dict[str, Any]:
        self._heard.send("?")
        found: dict[str, Any] = self._heard.recv()
        return found

    def until(self, count: int) -> tuple[float, list[float]]:
        """Waits until so many different deliveries came; gives the seconds, and megabytes of memory on the way."""
        began, memory = time.perf_counter(), []
        while self.heard()["sum"] < count:
            if time.perf_counter() - began > _PATIENCE:
                raise RuntimeError(f"only {self.heard()} of {count}")
            memory.append(self.memory())
            time.sleep(0.5)
        return time.perf_counter() - began, memory

    def memory(self) -> float:
        try:
            pages = int(Path(f"/proc/{self.teller.pid if self.teller else 0}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        self.kill()
        self._receiver.kill()
        self._receiver.join(10)


def measure(subscribers: int, files: int) -> bool:
    """Whether nothing was lost, and everything came in its order."""
    with tempfile.TemporaryDirectory(prefix="docalign-bench-") as name, Server(Path(name) / "data") as server:
        migrate(server.url)
        bench = Bench(server.url, Path(name), files)
        try:
            with Database(server.url) as database:
                return _measure(bench, database, subscribers, files)
        finally:
            bench.close()


def _measure(bench: Bench, database: Database, subscribers: int, files: int) -> bool:
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO repos (id, url, name) VALUES (%s, %s, 'project')", (bench.repo, str(bench.source))
        )
    bench.scan(database)
    began = time.perf_counter()
    bench.subscribe(database, subscribers)
    print(f"{subscribers:,} applications onboarded and subscribed in {time.perf_counter() - began:.1f} s")
    total = subscribers * (files + 2)
    bench.start()
    first, memory = bench.until(total // 2)
    bench.kill()
    print(f"kill -9 after {bench.heard()['sum']:,} of {total:,} deliveries")
    bench.start()
    second, more = bench.until(total)
    memory += more
    found = bench.heard()
    print(
        f"snapshots: {total:,} deliveries in {first + second:.1f} s, {total / (first + second):,.0f} a second; "
        f"lost {total - found['sum']:,}, out of order {found['wrong']:,}, came twice {found['twice']:,}"
    )
    quarter = max(1, len(more) // 4)
    print(
        f"memory: {more[quarter - 1]:.0f} MB after a quarter of the second run, {max(memory):.0f} MB at the most, "
        f"{more[-1]:.0f} MB at the end"
    )
    (bench.source / "00000.md").write_text("# changed\n")
    bench.git("commit", "-qam", "change")
    began = time.perf_counter()
    bench.scan(database)
    bench.until(total + subscribers)
    found = bench.heard()
    print(
        f"one push: heard by all {subscribers:,} within {time.perf_counter() - began:.1f} s of its scan, up to 15 s of it "
        f"the wait for the next round; lost {total + subscribers - found['sum']:,}, out of order {found['wrong']:,}"
    )
    return found["sum"] == total + subscribers and not found["wrong"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.watcher.subscribers", description=__doc__)
    parser.add_argument("--subscribers", type=int, nargs="+", default=[100, 1_000])
    parser.add_argument("--files", type=int, default=20)
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} cores, load {' '.join(f'{f:.2f}' for f in os.getloadavg())}, fsync on")
    fine = [measure(count, given.files) for count in given.subscribers]
    print(f"machine: load {' '.join(f'{f:.2f}' for f in os.getloadavg())} at the end")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    raise SystemExit(main())
