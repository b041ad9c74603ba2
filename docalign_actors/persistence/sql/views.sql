-- name: views_repos
-- Registered repositories, newest first, after a place in that order.
SELECT r.id, r.url, r.name, r.host, r.organisation, r.status, r.default_branch, r.head_sha, r.health_score, r.claims_total,
       r.claims_verified, r.claims_drifted, r.last_full_scan_at, r.last_error, r.created_at,
       (SELECT count(*) FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'queued') AS queued,
       (SELECT s.id FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'running') AS running,
       coalesce(w.check_rule, '') AS check_rule, coalesce(w.full_rule, '') AS full_rule, w.due_at, coalesce(c.state, 'closed') AS circuit
  FROM repos r LEFT JOIN watch_schedules w ON w.repo_id = r.id LEFT JOIN circuits c ON c.repo_id = r.id
 WHERE r.removed_at IS NULL AND (r.created_at, r.id) < (%(at)s, %(id)s)
 ORDER BY r.created_at DESC, r.id DESC
 LIMIT %(limit)s;

-- name: views_repo
-- One registered repository.
SELECT r.id, r.url, r.name, r.host, r.organisation, r.status, r.default_branch, r.head_sha, r.health_score, r.claims_total,
       r.claims_verified, r.claims_drifted, r.last_full_scan_at, r.last_error, r.created_at,
       (SELECT count(*) FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'queued') AS queued,
       (SELECT s.id FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'running') AS running,
       coalesce(w.check_rule, '') AS check_rule, coalesce(w.full_rule, '') AS full_rule, w.due_at, coalesce(c.state, 'closed') AS circuit
  FROM repos r LEFT JOIN watch_schedules w ON w.repo_id = r.id LEFT JOIN circuits c ON c.repo_id = r.id
 WHERE r.id = %(id)s AND r.removed_at IS NULL;

-- name: views_runs
-- Scans, newest first, before a place in that order; of one repository or in one status where that is asked for.
-- It must not be prepared: with the values at hand the planner leaves out what is not asked for.
SELECT s.id, s.position, s.repo_id, p.name AS repo_name, s.type, s.trigger, s.status, s.pr_number, s.base_ref, s.commit_sha,
       s.requested_by, s.attempt, s.repairs, s.stage, s.cancel_requested_at, s.cancel_reason, s.superseded_by,
       s.last_error_code, s.last_error, s.claims_checked, s.claims_verified, s.claims_drifted, s.claims_uncertain,
       s.total_duration_ms, s.created_at, s.started_at, s.completed_at,
       coalesce(e.done, 0) AS stage_done, coalesce(e.total, 0) AS stage_total,
       w.since AS waited_since, CASE WHEN w.ended_at IS NULL THEN w.until END AS waits_until, coalesce(w.notice, '') AS agent_notice,
       a.total AS agent_tasks, a.done AS agent_tasks_done, s.agent_remembered
  FROM scan_runs s
  JOIN repos p ON p.id = s.repo_id
  LEFT JOIN scan_waits w ON w.run_id = s.id
  LEFT JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE g.status IN ('COMPLETED', 'FAILED')) AS done
                       FROM scan_tasks t JOIN agent_tasks g ON g.id = t.task_id WHERE t.run_id = w.run_id) a ON true
  LEFT JOIN LATERAL (SELECT (v.data->>'done')::int AS done, (v.data->>'total')::int AS total FROM scan_events v
                      WHERE v.run_id = s.id AND s.status = 'running' ORDER BY v.seq DESC LIMIT 1) e ON true
 WHERE s.position < %(before)s
   AND (%(repo)s::uuid IS NULL OR s.repo_id = %(repo)s) AND (%(status)s::text IS NULL OR s.status = %(status)s)
 ORDER BY s.position DESC
 LIMIT %(limit)s;

-- name: views_run
-- One scan.
SELECT s.id, s.position, s.repo_id, p.name AS repo_name, s.type, s.trigger, s.status, s.pr_number, s.base_ref, s.commit_sha,
       s.requested_by, s.attempt, s.repairs, s.stage, s.cancel_requested_at, s.cancel_reason, s.superseded_by,
       s.last_error_code, s.last_error, s.claims_checked, s.claims_verified, s.claims_drifted, s.claims_uncertain,
       s.total_duration_ms, s.created_at, s.started_at, s.completed_at,
       coalesce(e.done, 0) AS stage_done, coalesce(e.total, 0) AS stage_total,
       w.since AS waited_since, CASE WHEN w.ended_at IS NULL THEN w.until END AS waits_until, coalesce(w.notice, '') AS agent_notice,
       a.total AS agent_tasks, a.done AS agent_tasks_done, s.agent_remembered
  FROM scan_runs s
  JOIN repos p ON p.id = s.repo_id
  LEFT JOIN scan_waits w ON w.run_id = s.id
  LEFT JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE g.status IN ('COMPLETED', 'FAILED')) AS done
                       FROM scan_tasks t JOIN agent_tasks g ON g.id = t.task_id WHERE t.run_id = w.run_id) a ON true
  LEFT JOIN LATERAL (SELECT (v.data->>'done')::int AS done, (v.data->>'total')::int AS total FROM scan_events v
                      WHERE v.run_id = s.id AND s.status = 'running' ORDER BY v.seq DESC LIMIT 1) e ON true
 WHERE s.id = %(id)s;

-- name: views_run_status
-- Where one scan stands.
SELECT status FROM scan_runs WHERE id = %(id)s;

-- name: views_findings
-- What a scan reported, in its order, after a place in it.
SELECT position, is_new, finding FROM scan_findings
 WHERE run_id = %(run)s AND position > %(after)s
 ORDER BY position
 LIMIT %(limit)s;

-- name: views_events
-- The steps of a scan after one of them.
SELECT seq, kind, data, at FROM scan_events WHERE run_id = %(run)s AND seq > %(after)s ORDER BY seq LIMIT %(limit)s;

-- name: views_claims
-- What is known of a repository's claims, in the order of the documents, after a place in it; those with one verdict where that is
-- asked for. It must not be prepared, for the same reason.
SELECT fingerprint, kind, rule, text, file, line, mentions, verdict, severity, confidence, message, run_id, first_seen_at, verdict_since
  FROM claims
 WHERE repo_id = %(repo)s AND gone_at IS NULL AND (%(verdict)s::text IS NULL OR verdict = %(verdict)s)
   AND file >= %(file)s AND (file, line, fingerprint) > (%(file)s, %(line)s, %(fingerprint)s)
 ORDER BY file, line, fingerprint
 LIMIT %(limit)s;

-- name: views_health
-- A repository's health after its last scans, newest first.
SELECT at, run_id, score, total, verified, drifted FROM health_history WHERE repo_id = %(repo)s ORDER BY at DESC LIMIT %(limit)s;

-- name: views_incidents
-- What went wrong with actors, newest first, before a place in that order.
SELECT id, actor, kind, error, trace, at FROM actor_incidents WHERE id < %(before)s ORDER BY id DESC LIMIT %(limit)s;

-- name: views_webhook_trouble
-- Webhooks that cannot be read or carried out, newest first, before a place in that order.
SELECT position, delivery_id, event, action, installation_id, status, attempts, error,
       coalesce(encode(substring(raw FROM 1 FOR 500), 'escape'), '') AS excerpt, received_at
  FROM github_deliveries WHERE status IN ('failed', 'unreadable') AND position < %(before)s ORDER BY position DESC LIMIT %(limit)s;

-- name: views_ping
-- Whether the database answers.
SELECT 1;
