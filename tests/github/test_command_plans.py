"""Every statement of the conversation finds its rows by an index, however many rows there are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from docalign_actors.persistence.database import Database
from docalign_actors.persistence.sql import statements
from tests.http.test_plans import _whole_tables

_ID = UUID(int=7)
_NOW = datetime(2000, 1, 1, tzinfo=UTC)
_VALUES: dict[str, Any] = {
    "id": 7, "repo": _ID, "github_id": 7, "place": "issue", "source": 7, "number": 7, "pull": True, "bot": False, "author": "a", "most": 10,
    "lines": ["x"], "now": _NOW, "installation": 7, "permission": "read", "base": "b", "head": "h", "material": "m", "comment": 1,
    "error": "e", "delay": None, "ids": ["abc"], "whole": True, "result": "done", "reply": "", "rescan": False, "run": _ID, "reason": "r",
    "notice": "n", "title": "t", "fingerprint": "f", "scope": "claim", "value": "v", "expires_at": None, "about": "", "origin": "api",
    "finding": "", "limit": 10, "days": 900,
}  # fmt: skip
_OTHERS: dict[str, dict[str, Any]] = {
    "commands_note_reactions": {"sources": [1], "ordinals": [0], "authors": ["a"], "lines": ["x"]},
    "commands_forget_dismissals": {"ids": [_ID]}, "suppressions_revoke": {"ids": [_ID]}, "suppressions_add": {"id": _ID},
    "suppressions_one": {"id": _ID}, "suppressions_describe": {"id": _ID}, "scans_co_changes": {"code": ["x"], "docs": ["y"]},
}  # fmt: skip
FILL = """
INSERT INTO repos (id, url, name) SELECT lpad(to_hex(n), 32, '0')::uuid, 'u' || n, 'x' FROM generate_series(1, 9000) n;
INSERT INTO github_installations (id, account) SELECT n, 'a' FROM generate_series(1, 200) n;
INSERT INTO github_repos (repo_id, github_id, installation_id, full_name)
SELECT lpad(to_hex(n), 32, '0')::uuid, n, n % 200 + 1, 'a/' || n FROM generate_series(1, 9000) n;
INSERT INTO github_pulls (repo_id, number, state, head_sha, base_ref, updated_at)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, 'open', repeat('a', 40), 'main', now() FROM generate_series(1, 6000) n;
INSERT INTO github_checks (repo_id, number, head_sha, final, told)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n, repeat('a', 40), true, 1 FROM generate_series(1, 6000) n;
INSERT INTO scan_runs (id, repo_id, type, trigger, status, completed_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'full', 'manual', 'completed', now() FROM generate_series(1, 6000) n;
INSERT INTO scan_findings SELECT lpad(to_hex(n), 32, '0')::uuid, 1, 'x', true, '{}' FROM generate_series(1, 6000) n;
INSERT INTO github_commands (repo_id, place, source_id, ordinal, number, pull, author, line, state, result, permission, run_id, created_at)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'issue', n, 0, 1, true, 'a' || n, 'x', s.state, s.result, 'read',
       CASE WHEN s.state = 'waiting' THEN lpad(to_hex(n), 32, '0')::uuid END, now() - n * interval '1 minute'
  FROM generate_series(1, 6000) n
  JOIN (VALUES (0, 'asked', ''), (1, 'ready', ''), (2, 'waiting', ''), (3, 'answered', 'done')) AS w (k, state, result) ON w.k = n % 400
  CROSS JOIN LATERAL (SELECT w.state, w.result) AS s;
INSERT INTO github_commands (repo_id, place, source_id, ordinal, number, pull, author, line, state, result, created_at)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'review', n, 0, 1, true, 'a' || n, 'x', 'told', 'done', now() - n * interval '1 minute'
  FROM generate_series(1, 20000) n;
INSERT INTO github_pauses SELECT repo_id, 0, 'a', '' FROM github_repos;
INSERT INTO github_dismissals SELECT repo_id, 'f', 'thread', 1, 1, 'a' FROM github_repos;
INSERT INTO suppressions (id, repo_id, scope, value, reason, created_by)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'claim', n::text, 'r', 'a' FROM generate_series(1, 6000) n;
INSERT INTO claims (repo_id, fingerprint, kind, text, file, line, verdict, severity, confidence)
SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, n::text, 'path', 'x', 'f', n, 'drifted', 'low', 1 FROM generate_series(1, 6000) n;
INSERT INTO github_fixes (id, repo_id, asked_by, source, state, reason, ended_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'a', 'comment:' || n || ':9', 'nothing', 'r', now() FROM generate_series(1, 6000) n;
INSERT INTO co_changes SELECT lpad(to_hex(n % 2000 + 1), 32, '0')::uuid, 'x', 'y', n::text FROM generate_series(1, 6000) n
"""


def test_no_statement_reads_a_whole_table(fresh_database: Database) -> None:
    own = [name for name in statements() if name.startswith(("commands_", "suppressions_"))]
    own += ["scans_co_changes", "upkeep_sweep_github_commands"]
    assert len(own) > 30
    with fresh_database.transaction() as connection:
        for statement in FILL.split(";\n"):
            connection.execute(statement.encode())
    with fresh_database.transaction() as connection:
        connection.execute("ANALYZE")
        wrong = {
            name: found
            for name in own
            if (found := _whole_tables(connection, statements()[name], {**_VALUES, **_OTHERS.get(name, {})}))
        }
    wrong.pop("commands_installations", None)  # there are never many of them
    assert wrong == {}
