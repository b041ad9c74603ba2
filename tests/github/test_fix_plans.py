"""Every statement about fixes and suggestions finds its rows by an index, however many rows there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from docalign_actors.persistence.database import Database
from docalign_actors.persistence.sql import statements
from tests.http.test_plans import _whole_tables

_ID = UUID(int=7)
_VALUES: dict[str, Any] = {
    "id": _ID, "repo": _ID, "number": 7, "findings": ["f"], "asked_by": "a", "source": "s7", "installation": 7, "parent": "p",
    "now": datetime(2000, 1, 1, tzinfo=UTC), "commit": "a" * 40, "branch": "b", "base": "main", "pull": 1, "mended": "[]",
    "state": "failed", "reason": "r", "delay": timedelta(), "error": "e", "before": 10**6, "limit": 10, "sha": "a" * 40,
    "review": 1, "wanted": 1, "done": True, "run": _ID,
}  # fmt: skip
_OWN = (
    "github_ask_fix", "github_fix_of_source", "github_next_fix", "github_scan_of_head", "github_scan_of_default",
    "github_record_making", "github_start_fix_over", "github_end_fix", "github_tell_of_fix", "github_put_off_fix",
    "github_fixes_of_repo", "github_mark_reviewing", "github_record_suggested", "github_record_review", "github_next_head",
)  # fmt: skip
FILL = """
INSERT INTO repos (id, url, name) SELECT lpad(to_hex(n), 32, '0')::uuid, 'u' || n, 'x' FROM generate_series(1, 6000) n;
INSERT INTO github_installations (id, account) SELECT n, 'a' FROM generate_series(1, 200) n;
INSERT INTO github_repos (repo_id, github_id, installation_id, full_name)
SELECT lpad(to_hex(n), 32, '0')::uuid, n, n % 200 + 1, 'a/' || n FROM generate_series(1, 6000) n;
INSERT INTO github_pulls (repo_id, number, state, head_sha, base_ref, updated_at)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, 'open', repeat('a', 40), 'main', now() FROM generate_series(1, 6000) n;
INSERT INTO github_checks (repo_id, number, head_sha, final, told)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, repeat('a', 40), true, 1 FROM generate_series(1, 6000) n;
INSERT INTO scan_runs (id, repo_id, type, trigger, status, completed_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'full', 'manual', 'completed', now() FROM generate_series(1, 6000) n;
INSERT INTO github_suggestions (repo_id, number, finding_id, head_sha, review_id)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, 'f', repeat('a', 40), 1 FROM generate_series(1, 6000) n;
INSERT INTO github_fixes (id, repo_id, number, asked_by, source, state, reason, ended_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, 'a', 's' || n, 'nothing', 'r', now()
  FROM generate_series(1, 6000) n
"""


def test_no_statement_reads_a_whole_table(fresh_database: Database) -> None:
    with fresh_database.transaction() as connection:
        for statement in FILL.split(";\n"):
            connection.execute(statement.encode())
    with fresh_database.transaction() as connection:
        connection.execute("ANALYZE")
        read = {name: _whole_tables(connection, statements()[name], _VALUES) for name in _OWN}
    # Of tables that are empty here nothing can be said.
    wrong = {name: tables for name, found in read.items() if (tables := [t for t in found if f"INTO {t} " in FILL])}
    assert wrong == {}
