"""Every statement of this side finds its rows by an index, however many rows there are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import statements
from tests.support.database import create_database, drop_database

_ID = UUID(int=7)
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_FAR = datetime(2100, 1, 1, tzinfo=UTC)
_VALUES: dict[str, Any] = {
    "id": _ID,
    "repo": _ID,
    "run": _ID,
    "token": _ID,
    "url": "https://example.org/x7",
    "host": "git",
    "name": "x",
    "organisation": "",
    "role": "viewer",
    "hash": b"\7" * 32,
    "one_time": False,
    "now": _LONG_AGO,
    "expires_at": _FAR,
    "at": _FAR,
    "before": 500,
    "after": 0,
    "limit": 50,
    "file": "f",
    "line": 0,
    "fingerprint": "",
    "scopes": [],
    "event_types": ["*"],
    "tenant": "",
    "under_way": [],
    "most": 50,
    "github": True,
    "repos": [_ID],
    "ids": [7],
    "check_rule": None,
    "full_rule": None,
    "check_at": None,
    "full_at": None,
    "state": "closed",
    "failures": 1,
    "origin": "look",
    "open_until": None,
    "trial_until": None,
    "error_code": "",
    "error": "",
    "cause": "x",
}
_FILTERS: dict[str, list[dict[str, Any]]] = {
    "views_runs": [
        {"repo": None, "status": None},
        {"repo": _ID, "status": None},
        {"repo": None, "status": "queued"},
        {"repo": None, "status": "completed"},
        {"repo": _ID, "status": "completed"},
    ],
    "views_claims": [{"verdict": None}, {"verdict": "drifted"}],
    "watch_due": [{"now": _FAR}, {"now": _LONG_AGO}],
    "watch_set_rules": [{"check_rule": "never", "full_rule": "never"}],
    "watch_settle": [
        {
            "check_rules": [""],
            "full_rules": [""],
            "check_at": [_FAR],
            "full_at": [_FAR],
            "checks_were": [_FAR],
            "fulls_were": [_FAR],
            "heads": [""],
            "branches": [""],
            "looked_at": [_FAR],
            "errors": [""],
        }
    ],
    "circuits_note": [{"before": "closed", "after": "open"}],
    "circuits_shorten": [{"latest": _FAR}],
}
_OWN = [name for name in statements() if name.startswith(("views_", "tokens_", "repos_", "watch_", "circuits_"))]
for _once in ("watch_spread", "watch_rules"):  # once a start, and for all of them
    _OWN.remove(_once)
_CASES = [(name, filters) for name in _OWN for filters in _FILTERS.get(name, [{}])]

FILL = """
INSERT INTO repos (id, url, name, created_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'https://example.org/x' || n, 'x', now() - n * interval '1 second' FROM generate_series(1, 2000) n;
INSERT INTO scan_runs (id, repo_id, type, trigger, status, completed_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n %% 2000 + 1), 32, '0')::uuid, 'full', 'manual',
       CASE WHEN n %% 50 = 0 THEN 'queued' ELSE 'completed' END, CASE WHEN n %% 50 = 0 THEN NULL ELSE now() END
  FROM generate_series(1, 5000) n;
INSERT INTO scan_findings SELECT lpad(to_hex(n), 32, '0')::uuid, 1, 'x', true, '{}' FROM generate_series(1, 5000) n;
INSERT INTO claims (repo_id, fingerprint, kind, text, file, line, verdict, severity, confidence)
SELECT lpad(to_hex(n %% 20 + 1), 32, '0')::uuid, n::text, 'path', 'x', 'f' || n %% 100, n, CASE WHEN n %% 20 = 0 THEN 'drifted' ELSE 'verified' END, 'low', 1
  FROM generate_series(1, 20000) n;
INSERT INTO health_history SELECT lpad(to_hex(n %% 20 + 1), 32, '0')::uuid, now() - n * interval '1 second', NULL, 9, 9, 9, 0 FROM generate_series(1, 5000) n;
INSERT INTO actor_incidents (actor, kind, error) SELECT 'a', 'failed', 'x' FROM generate_series(1, 5000);
INSERT INTO tokens (id, name, role, hash, revoked_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'x', 'viewer', sha256(n::text::bytea), CASE WHEN n %% 2 = 0 THEN now() END FROM generate_series(1, 2000) n;
INSERT INTO github_deliveries (app_id, delivery_id, event, status, content)
SELECT 1, n::text, 'push', 'waiting', '{}' FROM generate_series(1, 2000) n;
INSERT INTO agent_tasks (id, tenant_id, command, payload, priority, status, location, max_attempts, attempts, created_at, updated_at, ended_at)
SELECT id, '', 'X', '1', 0, 'COMPLETED', 'NONE', 1, 1, now(), now(), now() FROM scan_runs;
INSERT INTO scan_waits (run_id, kept, since, until, ended_at, withdrawn)
SELECT id, CASE WHEN completed_at IS NULL THEN 'k' ELSE '' END, now(), now(), completed_at, completed_at IS NOT NULL FROM scan_runs;
INSERT INTO scan_tasks (task_id, run_id, announced) SELECT id, id, true FROM scan_runs;
UPDATE watch_schedules SET check_at = '2050-01-01', full_at = NULL;
INSERT INTO circuits (repo_id, state, failures, open_until, changed_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n %% 50 = 0 THEN 'open' ELSE 'closed' END, 5, CASE WHEN n %% 50 = 0 THEN now() END,
       now() - n * interval '1 second' FROM generate_series(1, 2000) n;
INSERT INTO circuit_history (repo_id, at, before, after, cause, failures)
SELECT lpad(to_hex(n %% 2000 + 1), 32, '0')::uuid, now(), 'closed', 'open', 'x', 5 FROM generate_series(1, 5000) n;
INSERT INTO circuit_inbox (repo_id, kind) SELECT lpad(to_hex(n), 32, '0')::uuid, 'asked' FROM generate_series(1, 2000) n;
INSERT INTO journal_branches (repo_id, branch, commit) SELECT id, 'side', 'c' FROM repos;
INSERT INTO github_installations (id, account) VALUES (1, 'x');
INSERT INTO github_repos (repo_id, github_id, installation_id, full_name)
SELECT lpad(to_hex(n), 32, '0')::uuid, n, 1, 'x/y' || n FROM generate_series(1, 2000) n;
INSERT INTO sessions SELECT sha256(n::text::bytea), lpad(to_hex(n), 32, '0')::uuid, now(), now() + n * interval '1 second' FROM generate_series(1, 2000) n;
"""


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for inner in plan.get("Plans", []) for node in nodes(inner))]


@pytest.fixture
def filled() -> Iterator[Database]:
    """A database of its own, with many rows."""
    url = create_database()
    with Database(url) as database:
        with database.transaction() as connection:
            for statement in FILL.replace("%%", "%").split(";\n"):
                connection.execute(statement)
        with database.transaction() as connection:
            connection.execute("ANALYZE")
        yield database
    drop_database(url)


def test_no_statement_reads_a_whole_table(filled: Database) -> None:
    with filled.transaction() as connection:
        wrong = {
            f"{name} {filters}": found
            for name, filters in _CASES
            if (found := _whole_tables(connection, statements()[name], {**_VALUES, **filters}))
        }
    wrong.pop("tokens_list {}", None)  # all of them are asked for
    assert wrong == {}


def _whole_tables(connection: Connection, statement: str, values: dict[str, Any]) -> list[str]:
    plan = _plan(connection, statement, values)
    return [node["Relation Name"] for node in nodes(plan) if node["Node Type"] == "Seq Scan"]


def _plan(connection: Connection, statement: str, values: dict[str, Any]) -> dict[str, Any]:
    row = connection.execute("EXPLAIN (FORMAT JSON) " + statement, values, prepare=False).fetchone()
    assert row is not None
    found: dict[str, Any] = row[0][0]["Plan"]
    return found


def test_every_statement_has_values_to_be_planned_with() -> None:
    assert len(_OWN) > 20


def test_a_status_that_few_scans_have_has_an_index_of_its_own(filled: Database) -> None:
    values = {**_VALUES, "repo": None}
    with filled.transaction() as connection:
        for status, index in (
            ("failed", "scan_runs_unusual"),
            ("cancelled", "scan_runs_unusual"),
            ("queued", "scan_runs_waiting"),
        ):
            plan = _plan(connection, statements()["views_runs"], {**values, "status": status})
            assert index in [node.get("Index Name") for node in nodes(plan)], status
