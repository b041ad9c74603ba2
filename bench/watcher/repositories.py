"""Thousands of repositories due at once: real git, ten bare repositories, each registered under many addresses (symbolic links)."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

import psycopg
from msgspec import Struct

from bench.watcher.serving import serve
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server
from docalign_actors.settings.model import WatchSettings
from docalign_actors.watch.recurrence import jitter, parse

_FEW = 10
_MOVED = 10
"""One repository in so many has a head that nobody has scanned."""
_PATIENCE = 900.0
_FILL = """INSERT INTO repos (id, url, name, status, default_branch, head_sha, last_full_scan_at)
SELECT gen_random_uuid(), %(folder)s || '/links/' || n, 'r' || n, 'active', 'main',
       CASE WHEN n %% %(moved)s = 0 THEN (%(olds)s::text[])[n %% %(few)s + 1] ELSE (%(heads)s::text[])[n %% %(few)s + 1] END, now()
  FROM generate_series(0, %(number)s - 1) n"""
_DUE = "UPDATE watch_schedules SET check_at = %s, full_at = now() + interval '7 days', looked_at = NULL"
_LATE = """SELECT percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY extract(epoch FROM looked_at - %s))
  FROM watch_schedules"""
_LOOKED = """SELECT count(*) FROM watch_schedules w
 WHERE looked_at IS NOT NULL OR EXISTS (SELECT FROM scan_runs s WHERE s.repo_id = w.repo_id)"""
_Row = tuple[object, ...]


class Round(Struct):
    """All were due once: how long it took, how late they were looked at, and what the process held then."""

    seconds: float
    late: tuple[float, float, float]
    megabytes: float


def measure(numbers: Sequence[int], rounds: int) -> list[str]:
    """Prints the figures; gives what should not have been."""
    allowed = jitter(parse(WatchSettings().check))
    print(
        f"due at once; real git, {_FEW} repositories under N addresses, one in {_MOVED} moved; jitter {allowed:.0f} s"
    )
    print(f"{'N':>8} {'round':>6} {'seconds':>8} {'looks/s':>8} {'late p50':>9} {'p99':>7} {'most s':>7} {'RSS MB':>7}")
    wrong: list[str] = []
    for number in numbers:
        with _house(number) as (url, folder):
            wrong += _rounds(url, folder, number, rounds, allowed)
            wrong += _killed(url, folder, number)
    for line in wrong:
        print(f"WRONG: {line}")
    return wrong


def _rounds(url: str, folder: Path, number: int, rounds: int, allowed: float) -> list[str]:
    wrong = []
    with psycopg.connect(url, autocommit=True) as connection, _watcher(url, folder) as process:
        for n in range(1, rounds + 1):
            found = _round(connection, process, number)
            print(
                f"{number:>8,} {n:>6} {found.seconds:>8.1f} {number / found.seconds:>8.0f} {found.late[0]:>9.1f} "
                f"{found.late[1]:>7.1f} {found.late[2]:>7.1f} {found.megabytes:>7.1f}", flush=True,
            )  # fmt: skip
            if found.late[2] > allowed:
                wrong.append(f"one of {number:,} was looked at {found.late[2]:.0f} s late")
    return wrong + _check_runs(url, number)


def _round(connection: psycopg.Connection[_Row], process: BaseProcess, number: int) -> Round:
    connection.execute("DELETE FROM scan_runs")  # nobody carries them out here
    due = datetime.now(UTC)
    connection.execute(_DUE, (due,))
    began = time.monotonic()
    _wait(connection, number, began)
    seconds = time.monotonic() - began
    row = connection.execute(_LATE, (due,)).fetchone()
    late = [float(str(x)) for x in row[0]] if row is not None and isinstance(row[0], list) else [0.0, 0.0, 0.0]
    return Round(seconds, (late[0], late[1], late[2]), _megabytes(process))


def _killed(url: str, folder: Path, number: int) -> list[str]:
    """Killed with half of them looked at, and started again: none is lost, and none is asked for twice."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM scan_runs")
        connection.execute(_DUE, (datetime.now(UTC) - timedelta(seconds=1),))
        began = time.monotonic()
        with _watcher(url, folder):
            _wait(connection, number // 2, began)
        looked = _looked(connection)
        with _watcher(url, folder):
            _wait(connection, number, began)
    wrong = _check_runs(url, number)
    seconds = time.monotonic() - began
    verdict = "; ".join(wrong) or "nothing lost, nothing doubled"
    print(f"{number:>8,} killed with {looked:,} looked at, all looked at after {seconds:.1f} s: {verdict}", flush=True)
    return wrong


def _check_runs(url: str, number: int) -> list[str]:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*), count(DISTINCT repo_id) FROM scan_runs").fetchone()
    found = row or (0, 0)
    wanted = len(range(0, number, _MOVED))
    return (
        []
        if found == (wanted, wanted)
        else [f"of {number:,}: {found[0]} runs of {found[1]} repositories, not {wanted}"]
    )


def _wait(connection: psycopg.Connection[_Row], wanted: int, began: float) -> None:
    while _looked(connection) < wanted:
        if time.monotonic() - began > _PATIENCE:
            raise RuntimeError(f"{_looked(connection)} of {wanted} were looked at in {_PATIENCE:.0f} s")
        time.sleep(0.1)


def _looked(connection: psycopg.Connection[_Row]) -> int:
    """A scan that was asked for comes of a look, although the look itself was not written down before the kill."""
    row = connection.execute(_LOOKED).fetchone()
    return int(str(row[0])) if row is not None else 0


def _megabytes(process: BaseProcess) -> float:
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def _watcher(url: str, folder: Path) -> Iterator[BaseProcess]:
    """A process that watches; killed at the end, without a word."""
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(url, str(folder)), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join(10)


@contextmanager
def _house(number: int) -> Iterator[tuple[str, Path]]:
    with tempfile.TemporaryDirectory(prefix="docalign-bench-") as name, Server(Path(name) / "data") as server:
        folder = Path(name)
        migrate(server.url)
        olds, heads = zip(*(_repository(folder / f"real-{n}") for n in range(_FEW)), strict=True)
        (folder / "links").mkdir()
        for n in range(number):
            (folder / "links" / str(n)).symlink_to(folder / f"real-{n % _FEW}")
        values = {
            "folder": str(folder), "moved": _MOVED, "few": _FEW, "number": number, "olds": list(olds), "heads": list(heads)
        }  # fmt: skip
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(_FILL, values)
            connection.execute("UPDATE watch_schedules SET check_at = now() + interval '1 hour'")
            connection.execute("VACUUM ANALYZE")
        yield server.url, folder


def _repository(path: Path) -> tuple[str, str]:
    """A bare repository of two commits; gives both."""
    who = {f"GIT_{role}_{what}": "bench@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(path), *arguments], env={**os.environ, **who}, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    path.mkdir()
    git("init", "-q", "--bare", "-b", "main")
    tree = git("hash-object", "-t", "tree", "-w", os.devnull)
    first = git("commit-tree", tree, "-m", "first")
    second = git("commit-tree", tree, "-p", first, "-m", "second")
    git("update-ref", "refs/heads/main", second)
    return first, second
