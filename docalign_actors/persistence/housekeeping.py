"""Throws away what is old, in bounded pieces; writes incidents down."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import query
from docalign_actors.upkeep.ports import Keep

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
            "github_commands": keep.runs_days,
            "rate_counters": 0,
            "sessions": 0,
            "tokens": 0,
            "claims": keep.runs_days,
            "repos": keep.events_days,
            "agent_tasks": keep.tasks_days,
            "agent_verdicts": keep.verdicts_days,
            "journal": keep.journal_days,
            "app_deliveries": keep.deliveries_days,
            "health_history": 0,
            "circuit_history": keep.runs_days,
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
