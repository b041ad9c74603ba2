"""Throws away what is old, in bounded pieces; writes incidents down; looks after the folder of mirrors."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from uuid import UUID

from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import query
from docalign_actors.upkeep.ports import Keep

_IN_USE = 3600.0
"""Seconds since its last use within which a mirror may belong to a scan under way."""
_VACUUM_SLACK = 1.25
"""A table that was swept keeps its size until vacuum has come: swept again only beyond this."""


class PostgresHousekeeper:
    """What `upkeep.ports.Housekeeper` and `IncidentLog` ask for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, actor: str, kind: str, error: str, trace: str) -> None:
        values = {"actor": actor, "kind": kind, "error": error.replace("\0", " "), "trace": trace}
        self._database.run(lambda c: c.execute(query("upkeep_record_incident"), values))

    def sweep(self, keep: Keep) -> dict[str, int]:
        days = {
            "scan_runs": keep.runs_days,
            "scan_events": keep.events_days,
            "actor_incidents": keep.incidents_days,
            "deliveries": keep.events_days,
            "github_deliveries": keep.events_days,
            "rate_counters": 0,
            "sessions": 0,
            "tokens": 0,
            "claims": keep.runs_days,
            "repos": keep.events_days,
            "agent_tasks": keep.tasks_days,
            "journal": keep.journal_days,
            "app_deliveries": keep.deliveries_days,
            "health_history": 0,
        }
        gone = {table: self._delete(table, number) for table, number in days.items()}
        gone["blob_cache"] = self._sweep_blobs(keep.blob_cache_bytes)
        return {table: number for table, number in gone.items() if number}

    def _delete(self, table: str, days: int) -> int:
        statement = query(f"upkeep_sweep_{table}")
        return self._database.run(lambda c: c.execute(statement, {"days": days}).rowcount)

    def _sweep_blobs(self, most: int) -> int:
        def unit(connection: Connection) -> int:
            row = connection.execute(query("upkeep_blob_cache_size")).fetchone()
            if row is None or row[0] <= most * _VACUUM_SLACK:
                return 0
            return connection.execute(query("upkeep_sweep_blob_cache")).rowcount

        return self._database.run(unit)

    def known_repos(self) -> set[UUID]:
        rows = self._database.run(lambda c: c.execute(query("upkeep_known_repos")).fetchall())
        return {row[0] for row in rows}


class MirrorFolder:
    """What `upkeep.ports.MirrorKeeper` asks for. A mirror's folder is named after its repository's id."""

    def __init__(self, folder: Path, house: PostgresHousekeeper) -> None:
        self._folder = folder
        self._house = house

    def sweep(self, most_bytes: int) -> list[str]:
        if not self._folder.is_dir():
            return []
        known = {str(repo) for repo in self._house.known_repos()}
        mirrors = [path for path in self._folder.iterdir() if path.suffix == ".git"]
        doomed = [path for path in mirrors if path.stem not in known]
        kept = sorted((p for p in mirrors if p.stem in known), key=_last_used, reverse=True)
        total = 0
        for path in kept:
            total += size_of(path)
            if total > most_bytes and time.time() - _last_used(path) > _IN_USE:
                doomed.append(path)
        for path in doomed:
            shutil.rmtree(path, ignore_errors=True)
        return [path.name for path in doomed]


def _last_used(path: Path) -> float:
    try:
        return max(path.stat().st_mtime, (path / "used").stat().st_mtime if (path / "used").exists() else 0.0)
    except OSError:
        return 0.0


def size_of(path: Path) -> int:
    """Bytes on disk of everything below a folder."""
    total = 0
    for file in path.rglob("*"):
        try:
            total += file.lstat().st_blocks * 512
        except OSError:
            continue
    return total
