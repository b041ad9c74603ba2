"""What must hold, asked of the database itself and of the disk, never of the service's own counters."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg

from bench.chaos.load import Asked, Book

_RESTART = 30.0
KILLED = "DOCALIGN_E601"
"""The one reason for which a scan may fail in such a run: its worker was killed too often."""

Row = tuple[str, str, str, str, str | None, str]


def runs(url: str) -> dict[str, Row]:
    """Every run: id → (status, type, error, repository, the run that took its place, commit)."""
    with _connected(url) as connection:
        rows = connection.execute(
            "SELECT id::text, status, type, last_error, repo_id::text, superseded_by::text, commit_sha FROM scan_runs"
        ).fetchall()
    return {row[0]: row[1:] for row in rows}


def failures(url: str) -> Counter[str]:
    """Why runs failed, and how many."""
    with _connected(url) as connection:
        rows = connection.execute(
            "SELECT coalesce(last_error_code, '') || ' ' || left(last_error, 200) FROM scan_runs WHERE status = 'failed'"
        ).fetchall()
    return Counter(row[0] for row in rows)


def _connected(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection. The service calls itself ready for a second after its database was killed, and starts that again meanwhile."""
    until = time.monotonic() + _RESTART
    while True:
        try:
            return psycopg.connect(url, connect_timeout=10)
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def always(url: str, book: Book, permits: int) -> list[str]:
    """What holds at every instant."""
    known = runs(url)
    lost = [asked for asked in book.accepted() if asked.run not in known]
    return [f"lost: {asked.kind} {asked.run} of {asked.repo}" for asked in lost] + of_database(url, permits)


def of_database(url: str, permits: int) -> list[str]:
    """What holds at every instant, whoever asked: one scan a repository, no more than the permits, one end a run."""
    found: list[str] = []
    known = runs(url)
    working = [row for row in known.values() if row[0] == "running"]
    busy = Counter(row[3] for row in working)
    found += [f"{number} running scans of {repo}" for repo, number in busy.items() if number > 1]
    if len(working) > permits:
        found.append(f"{len(working)} running scans")
    found += [f"failed without a reason: {run}" for run, row in known.items() if row[0] == "failed" and not row[2]]
    reasons = failures(url)
    found += [f"failed, though only killing was done: {why} ({n})" for why, n in reasons.items() if KILLED not in why]
    with psycopg.connect(url, connect_timeout=10) as connection:
        doubled = connection.execute(
            "SELECT run_id::text, count(*) FROM scan_events WHERE kind = 'end' GROUP BY 1 HAVING count(*) > 1"
        ).fetchall()
        endless = connection.execute(
            "SELECT id::text FROM scan_runs r WHERE completed_at IS NOT NULL"
            " AND NOT EXISTS (SELECT FROM scan_events e WHERE e.run_id = r.id AND e.kind = 'end')"
        ).fetchall()
    found += [f"ended {number} times: {run}" for run, number in doubled]
    found += [f"ended without a word: {run}" for (run,) in endless]
    return found


def open_runs(url: str) -> int:
    """Runs that wait or are worked on."""
    with psycopg.connect(url, connect_timeout=10) as connection:
        row = connection.execute("SELECT count(*) FROM scan_runs WHERE status IN ('queued', 'running')").fetchone()
    return int(row[0]) if row is not None else 0


def at_the_end(url: str, book: Book, mirrors: Path) -> tuple[list[str], Counter[str]]:
    """What holds when everything has come to rest; and how it ended."""
    found: list[str] = []
    known = runs(url)
    outcomes: Counter[str] = Counter()
    for asked in book.accepted():
        row = known.get(asked.run)
        if row is None:
            continue
        status, superseded = row[0], row[4] is not None
        outcomes["superseded" if status == "cancelled" and superseded else status] += 1
        if status not in ("completed", "partial", "failed", "cancelled"):
            found.append(f"never ended: {asked.kind} {asked.run} is {status}")
        if status == "cancelled" and not superseded and asked.run not in book.cancelled:
            found.append(f"cancelled, and nobody asked for it: {asked.run}")
    found += _strangers(known, book)
    found += _twice(known, book)
    found += _last_heads(known, book)
    found += [f"left behind: {path}" for path in leftovers(mirrors)]
    return found, outcomes


def _strangers(known: dict[str, Row], book: Book) -> list[str]:
    """A run that nobody asked for. One whose answer was lost was asked for, and is known by its delivery."""
    answered = {asked.run for asked in book.asked if asked.run}
    silent = Counter((asked.repo, asked.kind) for asked in book.asked if not asked.run and not asked.refused)
    found = []
    for run, row in known.items():
        if run in answered:
            continue
        key = (row[3], row[1])
        silent[key] -= 1
        if silent[key] < 0:
            found.append(f"nobody asked for {row[1]} {run} of {row[3]}")
    return found


def _twice(known: dict[str, Row], book: Book) -> list[str]:
    """One request, one run."""
    seen: dict[str, Asked] = {}
    found = []
    for asked in book.accepted():
        if asked.kind == "full" and asked.run in seen:
            found.append(f"two requests for a full scan share {asked.run}")
        seen[asked.run] = asked
    done = Counter((row[3], row[5]) for row in known.values() if row[1] == "push" and row[0] == "completed")
    asked_for = Counter((asked.repo, asked.head) for asked in book.asked if asked.kind == "push")
    found += [
        f"push {head} of {repo} was scanned {n} times" for (repo, head), n in done.items() if n > asked_for[repo, head]
    ]
    return found


def _last_heads(known: dict[str, Row], book: Book) -> list[str]:
    """The last accepted head of each pull request was scanned, unless somebody cancelled it or it failed with a reason."""
    last: dict[tuple[str, int], Asked] = {}
    for asked in book.accepted():
        if asked.kind == "pr":
            last[asked.repo, asked.number] = asked
    found = []
    for asked in last.values():
        row = known.get(asked.run)
        if row is None or row[0] in ("completed", "partial", "failed") or asked.run in book.cancelled:
            continue
        if row[4] is None or known.get(row[4], ("",))[0] == "":
            found.append(f"the last head of {asked.repo}#{asked.number} was never scanned: {row[0]}")
    return found


def leftovers(mirrors: Path) -> list[Path]:
    """Locks and half-written files in the mirrors."""
    if not mirrors.is_dir():
        return []
    return [p for p in mirrors.rglob("*") if p.is_file() and (p.suffix == ".lock" or p.name.startswith("tmp_"))]
