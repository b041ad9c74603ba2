"""Every statement of the queue and of the outbox finds its rows by an index, however many rows there are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import psycopg
from psycopg.types.json import Jsonb

from docalign_actors.agent_tasks.admission import TaskRequest, admit
from docalign_actors.agent_tasks.messages import Claim, Create, Heartbeat, Op, Submit
from docalign_actors.agent_tasks.model import Status, TaskId
from docalign_actors.agent_tasks.ports import Performed
from docalign_actors.ids import new_id
from docalign_actors.outbound.backoff import Backoff
from docalign_actors.persistence.agent_tasks import PostgresTaskStore, _Batch
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import statements
from tests.http.test_plans import _whole_tables

_ID = UUID(int=7)
_NOW = datetime(2000, 1, 1, tzinfo=UTC)
_VALUES: dict[str, Any] = {
    "task": _ID, "tenant": "", "now": _NOW, "limit": 10, "commands": ["X"], "count": 1, "workers": ["w"], "untils": [_NOW],
    "worker": "w", "until": _NOW, "key": "k", "status": "FAILED", "location": "NONE", "visible_at": None, "error": "e",
    "ended_at": _NOW, "name": "n", "content_type": "t", "data": b"", "command": "X", "before": _NOW, "ids": [_ID], "id": _ID,
    "ttl": 1, "tenant_id": "", "worker_id": "w", "callback_url": "u", "event_types": ["X"], "delivery_mode": "fanout",
    "group_id": "", "min_interval": 1, "created_at": _NOW, "expires_at": _NOW, "lanes": ["l"], "counts": [1], "busy": [],
    "attempts": 1, "due": _NOW, "what": "nacked", "reason": "r", "last": _NOW, "pending": ["X"],
    "run": _ID, "kept": "k", "since": _NOW, "dispatch": False, "tasks": [_ID], "claims": [""], "questions": ["q1"], "after": _NOW,
    "notice": "n", "tokens": 1, "undelivered": 0,
}  # fmt: skip
_LISTS = {
    "tasks_create": {
        "id": [_ID], "tenant_id": [""], "command": ["X"], "payload": ["1"], "priority": [0], "webhook": [""], "max_attempts": [5],
        "idempotency_key": ["k"], "visible_at": [None], "trace": [""], "created_at": [_NOW],
    },
    "tasks_submit": {
        "task": [_ID], "tenant": [""], "worker": ["w"], "status": ["FAILED"], "submission": [_ID], "result": [None], "error": ["e"],
        "artifacts": [None],
    },
    "tasks_list": {"before": 100}, "outbox_failing": {"before": 100}, "outbox_letters": {"before": 100, "status": "dead"},
    "waits_append_event": {"data": Jsonb({})},
    "outbox_put": {"id": [_ID], "lane": ["l"], "tenant_id": [""], "kind": ["k"], "url": ["u"], "body": ["b"], "trace": [""]},
    "outbox_settle": {"ids": [_ID], "statuses": ["dead"], "attempts": [1], "errors": ["e"], "dues": [None]},
}  # fmt: skip
FILL = """
INSERT INTO agent_tasks (id, tenant_id, command, payload, priority, status, location, max_attempts, attempts, worker_id, lease_until,
                         visible_at, error, created_at, updated_at, ended_at, idempotency_key)
SELECT lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 50 = 0 THEN '' ELSE 'other' END, 'C' || n % 20, '1', n % 10,
       s.status, s.location, 5, 1, CASE WHEN s.status = 'IN_PROGRESS' THEN 'w' ELSE '' END,
       CASE WHEN s.status = 'IN_PROGRESS' THEN now() END, CASE WHEN s.location = 'DELAYED_ZSET' THEN now() END, 'e', now(), now(),
       CASE WHEN s.status IN ('COMPLETED', 'FAILED') THEN now() END, 'k' || n
  FROM generate_series(1, 6000) n
  JOIN (VALUES (0, 'PENDING', 'PENDING_LIST'), (1, 'PENDING', 'DELAYED_ZSET'), (2, 'IN_PROGRESS', 'INPROG_SET'),
               (3, 'COMPLETED', 'NONE'), (4, 'FAILED', 'NONE'), (5, 'FAILED', 'DLQ_SET')) AS s (k, status, location) ON s.k = n % 6;
INSERT INTO agent_task_results (task_id, submission, status, worker_id, error, completed_at)
SELECT id, id, 'FAILED', 'w', 'e', now() FROM agent_tasks;
INSERT INTO agent_task_history (task_id, at, what, attempt) SELECT id, now(), 'expired', 1 FROM agent_tasks;
INSERT INTO agent_task_artifacts SELECT id, 'n', 't', '' FROM agent_tasks;
INSERT INTO agent_subscriptions (id, tenant_id, worker_id, callback_url, event_types, delivery_mode, min_interval, ttl, created_at, expires_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, 't' || n % 100, 'w', 'u', '{X}', 'fanout', 1, 1, now(), now() FROM generate_series(1, 2000) n;
INSERT INTO outbox_lanes SELECT 'l' || n, (n % 50 = 0)::int, now() FROM generate_series(1, 3000) n;
INSERT INTO outbox (id, lane, kind, url, body, status, last_error, created_at, ended_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'l' || n, 'k', 'u', 'b', CASE WHEN n % 50 = 0 THEN 'waiting' WHEN n % 50 = 1 THEN 'dead' ELSE 'delivered' END,
       'e', now(), CASE WHEN n % 50 > 0 THEN now() END FROM generate_series(1, 3000) n;
INSERT INTO repos (id, url, name) SELECT lpad(to_hex(n), 32, '0')::uuid, 'u' || n, 'n' FROM generate_series(1, 60) n;
INSERT INTO scan_runs (id, repo_id, type, trigger, status, not_before, completed_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n % 60 + 1), 32, '0')::uuid, 'full', 'manual',
       CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'completed' END, 'infinity', CASE WHEN n % 100 > 0 THEN now() END FROM generate_series(1, 6000) n;
INSERT INTO scan_waits (run_id, kept, since, until, ended_at, withdrawn)
SELECT id, CASE WHEN completed_at IS NULL THEN 'k' ELSE '' END, now(), now(), completed_at, completed_at IS NOT NULL FROM scan_runs;
INSERT INTO scan_tasks (task_id, run_id, announced, question) SELECT id, id, true, 'q' || position FROM agent_tasks
"""
_TASKS = FILL.split(";\n")[0].encode()


def test_no_statement_reads_a_whole_table(fresh_database: Database) -> None:
    own = [name for name in statements() if name.startswith(("tasks_", "outbox_", "waits_"))]
    assert len(own) > 30
    with fresh_database.transaction() as connection:
        for statement in FILL.split(";\n"):
            connection.execute(statement.encode())
    with fresh_database.transaction() as connection:
        connection.execute("ANALYZE")
        wrong = {
            name: found
            for name in own
            if (found := _whole_tables(connection, statements()[name], {**_VALUES, **_LISTS.get(name, {})}))
        }
    assert wrong == {}


def test_plans_that_were_made_while_there_were_no_tasks_do_not_read_all_of_them_later(fresh_database: Database) -> None:
    """Prepared plans stay with their connection until the table is analysed, which may be a minute of full load later."""
    with psycopg.connect(fresh_database.url, autocommit=True) as alone:
        # An index that is read for a whole tenant looks cheap by what was counted when there were others too ...
        for step in (_TASKS, b"ANALYZE agent_tasks", b"TRUNCATE agent_tasks CASCADE", b"VACUUM ANALYZE agent_tasks"):
            alone.execute(step)
    with psycopg.connect(fresh_database.url) as reader, Database(fresh_database.url, pool_size=1) as one:
        # ... and cheaper still while a reader from before keeps rows from being cleared away.
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM agent_tasks")
        store = PostgresTaskStore(one)
        for _ in range(12):
            cycle(lambda ops: store.perform(ops, _NOW, notify=False), _NOW)
        with fresh_database.transaction() as connection:
            connection.execute(_TASKS)
        with one.transaction() as connection:
            before = read_so_far(connection)
            cycle(lambda ops: _Batch(connection, _NOW, Backoff(), {}).run(ops, notify=False), _NOW)
            after = read_so_far(connection)
    assert {
        name: count - before.get(name, 0) for name, count in after.items() if count - before.get(name, 0) > 40
    } == {}


def cycle(perform: Callable[[list[Op]], Performed], now: datetime) -> None:
    """Two tasks are created, claimed, kept and completed."""
    request = TaskRequest(command="X", payload=msgspec.Raw(b"1"))
    perform([Create(admit(request, TaskId(new_id()), "", now)) for _ in range(2)])
    claimed = [task for tasks in perform([Claim("", "w", ("X",), 60.0)] * 2).answers for task in tasks]
    perform([Heartbeat("", task.id, "w", 60.0) for task in claimed])
    done = perform([Submit("", task.id, "w", new_id(), Status.COMPLETED, "1", "") for task in claimed])
    assert [record.status for record in done.answers] == ["COMPLETED"] * 2


def read_so_far(connection: Connection) -> dict[str, int]:
    """Rows that this connection has read of each table."""
    rows = connection.execute(
        "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname LIKE 'agent_%'"
    ).fetchall()
    return dict(rows)
