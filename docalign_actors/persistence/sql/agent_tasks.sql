-- name: tasks_create
-- New tasks, in the order in which they came. One whose id or idempotency key is known already stays as it is.
INSERT INTO agent_tasks (id, tenant_id, command, payload, priority, webhook, max_attempts, idempotency_key, status, location,
                         visible_at, trace, created_at, updated_at)
SELECT n.id, n.tenant_id, n.command, n.payload, n.priority, n.webhook, n.max_attempts, n.idempotency_key, 'PENDING',
       CASE WHEN n.visible_at IS NULL THEN 'PENDING_LIST' ELSE 'DELAYED_ZSET' END, n.visible_at, n.trace, n.created_at, n.created_at
  FROM unnest(%(id)s::uuid[], %(tenant_id)s::text[], %(command)s::text[], %(payload)s::text[], %(priority)s::int[], %(webhook)s::text[],
              %(max_attempts)s::int[], %(idempotency_key)s::text[], %(visible_at)s::timestamptz[], %(trace)s::text[],
              %(created_at)s::timestamptz[])
       WITH ORDINALITY AS n (id, tenant_id, command, payload, priority, webhook, max_attempts, idempotency_key, visible_at, trace,
                             created_at, nth)
 ORDER BY n.nth
    ON CONFLICT DO NOTHING
RETURNING id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
          lease_until, error, created_at, updated_at, ended_at;

-- name: tasks_of_key
-- The task that an idempotency key led to.
SELECT id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
       lease_until, error, created_at, updated_at, ended_at
  FROM agent_tasks WHERE tenant_id = %(tenant)s AND idempotency_key = %(key)s AND idempotency_key IS NOT NULL;

-- name: tasks_find
-- One task of a tenant.
SELECT id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
       lease_until, error, created_at, updated_at, ended_at
  FROM agent_tasks WHERE id = %(task)s AND (tenant_id = %(tenant)s) IS TRUE;

-- name: tasks_lock
-- One task of a tenant, held still until this transaction ends.
SELECT id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
       lease_until, error, created_at, updated_at, ended_at
  FROM agent_tasks WHERE id = %(task)s AND (tenant_id = %(tenant)s) IS TRUE FOR UPDATE;

-- name: tasks_repair
-- Delayed tasks whose time has come lie ready again; those whose lease has run out too, or are dead letters after their last delivery.
WITH due AS (
    SELECT id FROM agent_tasks WHERE location = 'DELAYED_ZSET' AND visible_at <= %(now)s
     ORDER BY visible_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), brought AS (
    UPDATE agent_tasks t SET location = 'PENDING_LIST', visible_at = NULL, updated_at = %(now)s FROM due WHERE t.id = due.id
    RETURNING t.*
), lost AS (
    SELECT id, attempts, worker_id FROM agent_tasks WHERE location = 'INPROG_SET' AND lease_until <= %(now)s
     ORDER BY lease_until LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE agent_tasks t
       SET status = CASE WHEN t.attempts >= t.max_attempts THEN 'FAILED' ELSE 'PENDING' END,
           location = CASE WHEN t.attempts >= t.max_attempts THEN 'DLQ_SET' ELSE 'PENDING_LIST' END,
           error = CASE WHEN t.attempts >= t.max_attempts
                        THEN 'lease expired on delivery ' || t.attempts || ' of ' || t.max_attempts ELSE t.error END,
           ended_at = CASE WHEN t.attempts >= t.max_attempts THEN %(now)s::timestamptz END,
           worker_id = '', lease_until = NULL, updated_at = %(now)s
      FROM lost WHERE t.id = lost.id
    RETURNING t.*
), noted AS (
    INSERT INTO agent_task_history (task_id, at, what, attempt, worker_id, reason)
    SELECT l.id, %(now)s, 'expired', l.attempts, l.worker_id, '' FROM lost l
)
SELECT r.id, r.position, r.tenant_id, r.command, '' AS payload, r.priority, r.webhook, r.status, r.location, r.attempts, r.max_attempts,
       r.visible_at, r.worker_id, r.lease_until, r.error, r.created_at, r.updated_at, r.ended_at
  FROM (SELECT * FROM brought UNION ALL SELECT * FROM taken) AS r;

-- name: tasks_ready_commands
-- The commands of a tenant that have a task ready: one step through the index for each, however many tasks there are.
WITH RECURSIVE known AS (
    (SELECT command FROM agent_tasks WHERE tenant_id = %(tenant)s AND location = 'PENDING_LIST' ORDER BY tenant_id, command LIMIT 1)
    UNION ALL
    SELECT (SELECT t.command FROM agent_tasks t
             WHERE t.tenant_id = %(tenant)s AND t.location = 'PENDING_LIST' AND t.command > k.command
             ORDER BY t.tenant_id, t.command LIMIT 1)
      FROM known k WHERE k.command IS NOT NULL
)
SELECT command FROM known WHERE command IS NOT NULL LIMIT 1000;

-- name: tasks_claim
-- The next tasks of these commands, in their order, priority 9 to 0, first in first out: one for each worker's place, no task for two.
WITH picked AS (
    SELECT r.id, row_number() OVER () AS nth
      FROM (
        SELECT q.id
          FROM unnest(%(commands)s::text[]) WITH ORDINALITY AS w (command, nth)
         CROSS JOIN LATERAL (
            SELECT t.id FROM agent_tasks t
             WHERE t.tenant_id = %(tenant)s AND t.command = w.command AND t.location = 'PENDING_LIST'
             ORDER BY t.priority DESC, t.position LIMIT %(count)s FOR UPDATE SKIP LOCKED
         ) AS q
         LIMIT %(count)s
      ) AS r
), places AS (
    SELECT p.worker, p.until, p.nth FROM unnest(%(workers)s::text[], %(untils)s::timestamptz[]) WITH ORDINALITY AS p (worker, until, nth)
)
UPDATE agent_tasks t
   SET status = 'IN_PROGRESS', location = 'INPROG_SET', worker_id = p.worker, lease_until = p.until, attempts = t.attempts + 1,
       updated_at = %(now)s
  FROM picked x JOIN places p ON p.nth = x.nth
 WHERE t.id = x.id
RETURNING t.id, t.position, t.tenant_id, t.command, t.payload, t.priority, t.webhook, t.status, t.location, t.attempts, t.max_attempts,
          t.visible_at, t.worker_id, t.lease_until, t.error, t.created_at, t.updated_at, t.ended_at, p.nth;

-- name: tasks_extend
-- A worker's lease lasts longer, if it has one. Gives the task as it was, and whether it was changed.
WITH seen AS (
    SELECT * FROM agent_tasks WHERE id = %(task)s AND (tenant_id = %(tenant)s) IS TRUE FOR UPDATE
), done AS (
    UPDATE agent_tasks t SET lease_until = greatest(t.lease_until, %(until)s), updated_at = %(now)s FROM seen s
     WHERE t.id = s.id AND s.status = 'IN_PROGRESS' AND s.worker_id = %(worker)s AND s.lease_until > %(now)s
    RETURNING t.id
)
SELECT s.id, s.position, s.tenant_id, s.command, s.payload, s.priority, s.webhook, s.status, s.location, s.attempts, s.max_attempts,
       s.visible_at, s.worker_id, s.lease_until, s.error, s.created_at, s.updated_at, s.ended_at, d.id IS NOT NULL AS changed,
       NULL::uuid AS submission
  FROM seen s LEFT JOIN done d ON d.id = s.id;

-- name: tasks_submit
-- Results of workers that hold the lease. Gives each task as it was, whether it was changed, and the result it had already.
WITH given AS (
    SELECT g.* FROM unnest(%(task)s::uuid[], %(tenant)s::text[], %(worker)s::text[], %(status)s::text[], %(submission)s::uuid[],
                           %(result)s::text[], %(error)s::text[], %(artifacts)s::jsonb[])
           WITH ORDINALITY AS g (task, tenant, worker, status, submission, result, error, artifacts, nth)
), seen AS (
    SELECT x.*, g.nth FROM given g CROSS JOIN LATERAL (
        SELECT * FROM agent_tasks t WHERE t.id = g.task AND (t.tenant_id = g.tenant) IS TRUE FOR UPDATE
    ) AS x
), done AS (
    UPDATE agent_tasks t
       SET status = g.status, location = 'NONE', worker_id = '', lease_until = NULL, error = g.error, updated_at = %(now)s,
           ended_at = %(now)s
      FROM seen s JOIN given g ON g.nth = s.nth
     WHERE t.id = s.id AND s.status = 'IN_PROGRESS' AND s.worker_id = g.worker AND s.lease_until > %(now)s
    RETURNING t.id
), kept AS (
    INSERT INTO agent_task_results (task_id, submission, status, worker_id, result, error, artifacts, completed_at)
    SELECT d.id, g.submission, g.status, g.worker, g.result, g.error, g.artifacts, %(now)s FROM done d JOIN given g ON g.task = d.id
)
SELECT s.id, s.position, s.tenant_id, s.command, '' AS payload, s.priority, s.webhook, s.status, s.location, s.attempts, s.max_attempts,
       s.visible_at, s.worker_id, s.lease_until, s.error, s.created_at, s.updated_at, s.ended_at, d.id IS NOT NULL AS changed,
       (SELECT r.submission FROM agent_task_results r WHERE r.task_id = s.id) AS submission
  FROM seen s LEFT JOIN done d ON d.id = s.id;

-- name: tasks_asked_by_scans
-- Those of these tasks that a scan asks, with what they ask.
SELECT t.id, t.position, t.tenant_id, t.command, t.payload, t.priority, t.webhook, t.status, t.location, t.attempts, t.max_attempts,
       t.visible_at, t.worker_id, t.lease_until, t.error, t.created_at, t.updated_at, t.ended_at
  FROM scan_tasks s JOIN agent_tasks t ON t.id = s.task_id WHERE s.task_id = ANY (%(ids)s) AND NOT s.remembered;

-- name: tasks_announce
-- Tasks that scans have made since the last time, by tenant and command: whoever waits for work is to be told.
WITH fresh AS (
    UPDATE scan_tasks SET announced = true
     WHERE NOT announced AND task_id IN (SELECT task_id FROM scan_tasks WHERE NOT announced ORDER BY task_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    RETURNING task_id
)
SELECT t.tenant_id, t.command, count(*)::int AS count FROM fresh JOIN agent_tasks t ON t.id = fresh.task_id
 WHERE t.location = 'PENDING_LIST' GROUP BY t.tenant_id, t.command;

-- name: tasks_withdraw
-- Open tasks of scans that have gone on or ended: nobody wants their results any more.
WITH over AS (
    SELECT run_id FROM scan_waits WHERE ended_at IS NOT NULL AND NOT withdrawn ORDER BY run_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), done AS (
    UPDATE scan_waits w SET withdrawn = true FROM over WHERE w.run_id = over.run_id
)
UPDATE agent_tasks t
   SET status = 'FAILED', location = 'NONE', error = 'withdrawn: the scan has gone on without it', worker_id = '', lease_until = NULL,
       visible_at = NULL, ended_at = %(now)s, updated_at = %(now)s
  FROM scan_tasks s JOIN over ON over.run_id = s.run_id
 WHERE t.id = s.task_id AND t.status IN ('PENDING', 'IN_PROGRESS')
RETURNING t.id, t.position, t.tenant_id, t.command, '' AS payload, t.priority, t.webhook, t.status, t.location, t.attempts, t.max_attempts,
          t.visible_at, t.worker_id, t.lease_until, t.error, t.created_at, t.updated_at, t.ended_at;

-- name: tasks_put_back
-- A task that its worker could not end: ready, delayed, or a dead letter. How that delivery came to nothing is kept.
WITH noted AS (
    INSERT INTO agent_task_history (task_id, at, what, attempt, worker_id, reason)
    SELECT id, %(now)s, %(what)s, attempts, worker_id, %(reason)s FROM agent_tasks WHERE id = %(task)s AND status = 'IN_PROGRESS'
)
UPDATE agent_tasks
   SET status = %(status)s, location = %(location)s, visible_at = %(visible_at)s, error = %(error)s, ended_at = %(ended_at)s,
       attempts = attempts - %(undelivered)s, worker_id = '', lease_until = NULL, updated_at = %(now)s
 WHERE id = %(task)s AND status = 'IN_PROGRESS';

-- name: tasks_requeue
-- A failed task in line again, with all its attempts; why it had failed is kept.
WITH noted AS (
    INSERT INTO agent_task_history (task_id, at, what, attempt, worker_id, reason)
    SELECT id, %(now)s, 'requeued', attempts, '', error FROM agent_tasks
     WHERE id = %(task)s AND tenant_id = %(tenant)s AND status = 'FAILED'
)
UPDATE agent_tasks
   SET status = 'PENDING', location = 'PENDING_LIST', attempts = 0, error = '', ended_at = NULL, updated_at = %(now)s
 WHERE id = %(task)s AND tenant_id = %(tenant)s AND status = 'FAILED'
RETURNING id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
          lease_until, error, created_at, updated_at, ended_at;

-- name: tasks_forget_result
-- The result of a task that is done again.
DELETE FROM agent_task_results WHERE task_id = %(task)s;

-- name: tasks_result
-- What a worker submitted.
SELECT status, result, error, artifacts, completed_at FROM agent_task_results WHERE task_id = %(task)s;

-- name: tasks_keep_content
-- An artifact that came with its result.
INSERT INTO agent_task_artifacts (task_id, name, content_type, content) VALUES (%(task)s, %(name)s, %(content_type)s, %(data)s)
    ON CONFLICT (task_id, name) DO UPDATE SET content_type = excluded.content_type, content = excluded.content;

-- name: tasks_content
-- One artifact of a tenant's task.
SELECT a.content_type, a.content FROM agent_task_artifacts a JOIN agent_tasks t ON t.id = a.task_id
 WHERE a.task_id = %(task)s AND a.name = %(name)s AND t.tenant_id = %(tenant)s;

-- name: tasks_next_moment
-- When the next task is due, the next lease runs out, or the next postponed notice may be sent.
SELECT least((SELECT min(visible_at) FROM agent_tasks WHERE location = 'DELAYED_ZSET'),
             (SELECT min(lease_until) FROM agent_tasks WHERE location = 'INPROG_SET'),
             (SELECT min(pending_at) FROM agent_subscriptions WHERE pending_at IS NOT NULL));

-- name: tasks_queues
-- How many tasks of a tenant lie where, by command.
SELECT q.command, sum(q.ready)::bigint AS ready, sum(q.delayed)::bigint AS delayed, sum(q.in_progress)::bigint AS in_progress,
       sum(q.dead)::bigint AS dlq
  FROM (
    SELECT command, count(*) AS ready, 0 AS delayed, 0 AS in_progress, 0 AS dead FROM agent_tasks
     WHERE tenant_id = %(tenant)s AND location = 'PENDING_LIST' GROUP BY command
    UNION ALL SELECT command, 0, count(*), 0, 0 FROM agent_tasks
     WHERE tenant_id = %(tenant)s AND location = 'DELAYED_ZSET' GROUP BY command
    UNION ALL SELECT command, 0, 0, count(*), 0 FROM agent_tasks
     WHERE tenant_id = %(tenant)s AND location = 'INPROG_SET' GROUP BY command
    UNION ALL SELECT command, 0, 0, 0, count(*) FROM agent_tasks
     WHERE tenant_id = %(tenant)s AND location = 'DLQ_SET' GROUP BY command
  ) AS q
 WHERE %(command)s::text IS NULL OR q.command = %(command)s
 GROUP BY q.command ORDER BY q.command;

-- name: tasks_list
-- Tasks of a tenant in one status, newest first, before a position.
SELECT id, position, tenant_id, command, payload, priority, webhook, status, location, attempts, max_attempts, visible_at, worker_id,
       lease_until, error, created_at, updated_at, ended_at
  FROM agent_tasks WHERE tenant_id = %(tenant)s AND status = %(status)s AND position < %(before)s
 ORDER BY tenant_id, status, position DESC LIMIT %(limit)s;

-- name: tasks_history
-- What became of a task's deliveries, who put it back in line, and who handed in its result, oldest first.
SELECT e.at, e.what, e.attempt, e.worker_id, e.reason FROM (
    (SELECT at, what, attempt, worker_id, reason, position FROM agent_task_history WHERE task_id = %(task)s ORDER BY position LIMIT %(limit)s)
    UNION ALL
    SELECT r.completed_at, lower(r.status), t.attempts, r.worker_id, r.error, 9223372036854775807
      FROM agent_task_results r JOIN agent_tasks t ON t.id = r.task_id WHERE r.task_id = %(task)s
) AS e ORDER BY e.position;

-- name: tasks_cleanup
-- Tasks of a tenant that ended before a moment are forgotten, with their results; not those that a scan waits for.
WITH old AS (
    SELECT id FROM agent_tasks WHERE ended_at < %(before)s AND tenant_id = %(tenant)s
       AND NOT EXISTS (SELECT FROM scan_tasks s JOIN scan_waits w ON w.run_id = s.run_id WHERE s.task_id = agent_tasks.id AND w.kept <> '')
     ORDER BY ended_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
DELETE FROM agent_tasks t USING old WHERE t.id = old.id;

-- name: tasks_purge
-- A bounded number of a command's dead letters are forgotten.
WITH dead AS (
    SELECT id FROM agent_tasks WHERE tenant_id = %(tenant)s AND command = %(command)s AND location = 'DLQ_SET'
       AND NOT EXISTS (SELECT FROM scan_tasks s JOIN scan_waits w ON w.run_id = s.run_id WHERE s.task_id = agent_tasks.id AND w.kept <> '')
     ORDER BY position LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
DELETE FROM agent_tasks t USING dead WHERE t.id = dead.id;

-- name: tasks_subscribe
-- Somebody wants to be told of work.
INSERT INTO agent_subscriptions (id, tenant_id, worker_id, callback_url, event_types, delivery_mode, group_id, min_interval, ttl,
                                 created_at, expires_at)
VALUES (%(id)s, %(tenant_id)s, %(worker_id)s, %(callback_url)s, %(event_types)s, %(delivery_mode)s, %(group_id)s, %(min_interval)s,
        %(ttl)s, %(created_at)s, %(expires_at)s)
    ON CONFLICT (id) DO NOTHING;

-- name: tasks_renew
-- A subscription lasts longer.
UPDATE agent_subscriptions
   SET ttl = CASE WHEN %(ttl)s > 0 THEN %(ttl)s ELSE ttl END,
       expires_at = %(now)s::timestamptz + make_interval(secs => CASE WHEN %(ttl)s > 0 THEN %(ttl)s ELSE ttl END)
 WHERE id = %(id)s AND tenant_id = %(tenant)s AND expires_at > %(now)s
RETURNING id, tenant_id, worker_id, callback_url, event_types, delivery_mode, group_id, min_interval, ttl, created_at, expires_at,
          last_notified_at, pending, pending_at;

-- name: tasks_subscriptions
-- Everybody of a tenant who wants to be told, held still until this transaction ends.
SELECT id, tenant_id, worker_id, callback_url, event_types, delivery_mode, group_id, min_interval, ttl, created_at, expires_at,
       last_notified_at, pending, pending_at
  FROM agent_subscriptions WHERE tenant_id = %(tenant)s AND expires_at > %(now)s ORDER BY id FOR UPDATE;

-- name: tasks_postponed
-- Subscriptions that were to hear of something and may by now; those that have run out meanwhile too.
SELECT id, tenant_id, worker_id, callback_url, event_types, delivery_mode, group_id, min_interval, ttl, created_at, expires_at,
       last_notified_at, pending, pending_at
  FROM agent_subscriptions WHERE pending_at <= %(now)s AND pending_at IS NOT NULL ORDER BY pending_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED;

-- name: tasks_depth
-- How many tasks of a command are ready, counted to a thousand.
SELECT count(*) FROM (
    SELECT 1 FROM agent_tasks WHERE tenant_id = %(tenant)s AND command = %(command)s AND location = 'PENDING_LIST' LIMIT 1000
) AS ready;

-- name: tasks_notified
-- What one has been told, and is to be told when its interval has passed.
UPDATE agent_subscriptions SET last_notified_at = %(last)s, pending = %(pending)s, pending_at = %(due)s WHERE id = %(id)s;

-- name: tasks_any_subscription
-- Somebody who wants to be told, if there is anybody.
SELECT id FROM agent_subscriptions WHERE expires_at > %(now)s ORDER BY expires_at DESC LIMIT 1;

-- name: tasks_forget_subscriptions
-- Subscriptions that have run out.
DELETE FROM agent_subscriptions WHERE expires_at < %(now)s;
