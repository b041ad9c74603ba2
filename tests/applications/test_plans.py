"""Every statement of this capability finds its rows by an index, however many rows there are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from docalign_actors.persistence.database import Database
from docalign_actors.persistence.sql import statements
from tests.http.test_plans import _whole_tables

_ID = UUID(int=7)
_NOW = datetime(2000, 1, 1, tzinfo=UTC)
_VALUES: dict[str, Any] = {
    "id": _ID, "ids": [_ID], "app": _ID, "repo": _ID, "run": _ID, "token": _ID, "subscription": _ID, "name": "n", "url": "u", "by": "", "now": _NOW,
    "at": _NOW, "branch": "b", "head": "h", "commit": "c", "before": ["f"], "score_before": 1, "score": 1, "total": 1, "verified": 1, "drifted": 1,
    "data": Jsonb({}), "limit": 10, "note": 7, "count": 1, "position": 7, "low": 8, "sort": "file", "cursor": "", "sorts": ["file"], "names": ["n"],
    "lane": "l7", "held": True, "paths": [], "events": ["x"], "attempts": [1], "errors": ["e"], "answers": ["a"], "phases": ["new"], "commits": [None],
    "cursors": [""], "positions": [1], "sequences": [1], "promised": ["v"], "since": 1, "status": None, "after": "",
}  # fmt: skip
_LISTS: dict[str, dict[str, Any]] = {
    "journal_insert": {
        "kind": ["file.deleted"], "name": ["n"], "previous_name": [""], "mode": [""], "blob": [""], "size": [0], "is_binary": [False], "commit": ["c"],
        "data": [Jsonb({})],
    },
    "journal_advance": {"before": None},
    "journal_deliveries": {
        "id": [_ID], "app_id": [_ID], "subscription_id": [_ID], "sequence": [1], "event": ["e"], "sort": [""], "name": [""], "previous_name": [""],
        "version": [None], "blob": [""], "chunk": [1], "chunks": [1], "body": ["{}"],
    },
    "apps_subscriptions": {"before": UUID(int=2**128 - 1)}, "apps_deliveries": {"before": 10**9},
}  # fmt: skip
_FILTERS: list[dict[str, Any]] = [
    {"app": None, "subscription": None}, {"subscription": None}, {"app": None}, {"app": None, "subscription": None, "status": "dead"},
]  # fmt: skip
_WHOLE = {"apps_figures", "journal_repos_with_work"}
"""What counts everything has to look at everything."""
FILL = """
INSERT INTO repos (id, url, name) SELECT lpad(to_hex(n), 32, '0')::uuid, 'u' || n, 'x' FROM generate_series(1, 2000) n;
INSERT INTO scan_runs (id, repo_id, type, trigger) SELECT id, id, 'full', 'manual' FROM repos;
INSERT INTO tokens (id, name, role, hash) SELECT id, 'x', 'subscriber', sha256(id::text::bytea) FROM repos;
INSERT INTO applications (id, name, url, token_id, secret_rotated_at, created_at) SELECT id, id::text, 'u', id, now(), now() FROM repos;
INSERT INTO journal_branches (repo_id, branch, commit, position) SELECT id, 'b', 'c', 10 FROM repos;
INSERT INTO journal (repo_id, branch, position, kind, name, at) SELECT id, 'b', n, 'file.deleted', 'n', now() FROM repos, generate_series(1, 3) n;
INSERT INTO journal_notes (repo_id, sort, run_id) SELECT id, 'scan', id FROM repos;
INSERT INTO app_subscriptions (id, app_id, repo_id, branch, events, created_at) SELECT id, id, id, 'b', '{x}', now() FROM repos;
INSERT INTO app_holdings (subscription_id, sort, name, promised) SELECT id, 'file', n::text, 'v' FROM repos, generate_series(1, 5) n;
INSERT INTO app_deliveries (id, app_id, subscription_id, sequence, event, body, status, error, created_at, ended_at)
SELECT gen_random_uuid(), id, id, n, 'e', '{}', CASE WHEN n = 1 AND random() < 0.01 THEN 'dead' ELSE 'delivered' END, 'e', now(), now()
  FROM repos, generate_series(1, 5) n;
INSERT INTO claims (repo_id, fingerprint, kind, text, file, line, verdict, severity, confidence)
SELECT id, n::text, 'path', 'x', 'f', n, 'drifted', 'low', 1 FROM repos, generate_series(1, 3) n;
INSERT INTO outbox_lanes SELECT 'l' || n, 1, now() FROM generate_series(1, 3000) n;
INSERT INTO outbox (id, lane, kind, url, body, status, last_error, created_at, ended_at)
SELECT gen_random_uuid(), 'l' || n, 'k', 'u', 'b', 'dead', 'e', now(), now() FROM generate_series(1, 3000) n
"""


def test_no_statement_reads_a_whole_table(fresh_database: Database) -> None:
    own = [name for name in statements() if name.startswith(("apps_", "journal_")) and name not in _WHOLE]
    assert len(own) > 50
    with fresh_database.transaction() as connection:
        for statement in FILL.split(";\n"):
            connection.execute(statement.encode())
    with fresh_database.transaction() as connection:
        connection.execute("ANALYZE")
        wrong: dict[str, list[str]] = {}
        for name in own:
            for filters in _FILTERS if name == "apps_deliveries" else [{}]:
                values = {**_VALUES, **_LISTS.get(name, {}), **filters}
                found = _whole_tables(connection, statements()[name], values)
                if found:
                    wrong[f"{name} {filters}"] = found
    assert wrong == {}
