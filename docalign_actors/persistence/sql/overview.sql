-- name: overview_figures
-- How much there is of everything.
SELECT (SELECT count(*) FROM repos WHERE removed_at IS NULL) AS repos,
       (SELECT coalesce(sum(claims_drifted), 0)::bigint FROM repos WHERE removed_at IS NULL) AS drifted,
       (SELECT count(*) FROM scan_runs WHERE status = 'queued') AS waiting;

-- name: overview_repos
-- The repositories that most need somebody to look: those that fail, then those with the worst health.
WITH worst AS (
    SELECT id FROM repos WHERE removed_at IS NULL
     ORDER BY (status = 'failing') DESC, health_score NULLS LAST, created_at DESC, id DESC
     LIMIT %(limit)s
)
SELECT r.id, r.url, r.name, r.host, r.organisation, r.status, r.default_branch, r.head_sha, r.health_score, r.claims_total,
       r.claims_verified, r.claims_drifted, r.last_full_scan_at, r.last_error, r.created_at,
       (SELECT count(*) FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'queued') AS queued,
       (SELECT s.id FROM scan_runs s WHERE s.repo_id = r.id AND s.status = 'running') AS running,
       coalesce(w.check_rule, '') AS check_rule, coalesce(w.full_rule, '') AS full_rule, w.due_at, coalesce(c.state, 'closed') AS circuit
  FROM worst JOIN repos r USING (id) LEFT JOIN watch_schedules w ON w.repo_id = r.id LEFT JOIN circuits c ON c.repo_id = r.id
 ORDER BY (r.status = 'failing') DESC, r.health_score NULLS LAST, r.created_at DESC, r.id DESC;

-- name: overview_waiting
-- The runs that wait, in the order in which they were asked for.
SELECT s.id, s.position, s.repo_id, p.name AS repo_name, s.type, s.trigger, s.status, s.pr_number, s.base_ref, s.commit_sha,
       s.requested_by, s.attempt, s.repairs, s.stage, s.cancel_requested_at, s.cancel_reason, s.superseded_by,
       s.last_error_code, s.last_error, s.claims_checked, s.claims_verified, s.claims_drifted, s.claims_uncertain,
       s.total_duration_ms, s.created_at, s.started_at, s.completed_at,
       w.since AS waited_since, CASE WHEN w.ended_at IS NULL THEN w.until END AS waits_until, a.total AS agent_tasks, a.done AS agent_tasks_done
  FROM scan_runs s
  JOIN repos p ON p.id = s.repo_id
  LEFT JOIN scan_waits w ON w.run_id = s.id
  LEFT JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE g.status IN ('COMPLETED', 'FAILED')) AS done
                       FROM scan_tasks t JOIN agent_tasks g ON g.id = t.task_id WHERE t.run_id = w.run_id) a ON true
 WHERE s.status = 'queued'
 ORDER BY s.position
 LIMIT %(limit)s;

-- name: overview_scores
-- The last scores of several repositories at once, oldest first.
SELECT w.id AS repo_id, array_agg(h.score ORDER BY h.at) AS scores
  FROM unnest(%(repos)s::uuid[]) AS w (id)
 CROSS JOIN LATERAL (SELECT at, score FROM health_history WHERE repo_id = w.id ORDER BY at DESC LIMIT %(limit)s) AS h
 GROUP BY w.id;

-- name: overview_names
-- What repositories are called.
SELECT id, name FROM repos WHERE id = ANY(%(repos)s::uuid[]);

-- name: overview_drifted
-- The claims of a default branch that are false as far as is known and not suppressed, the worst first, with what decided each.
SELECT c.fingerprint AS id, c.rule, c.kind, c.severity, c.confidence, c.file, c.line, c.text AS claim, c.message, c.mentions,
       coalesce(v.evidence, '[]') AS evidence, v.fix, CASE WHEN c.rule = 'agent-verdict' THEN 'agent' ELSE '' END AS decided_by
  FROM claims c
  LEFT JOIN LATERAL (SELECT evidence, fix FROM verification_results
                      WHERE repo_id = c.repo_id AND fingerprint = c.fingerprint ORDER BY id DESC LIMIT 1) v ON true
 WHERE c.repo_id = %(repo)s AND c.verdict = 'drifted' AND c.gone_at IS NULL
   AND NOT EXISTS (SELECT FROM suppressions s
                    WHERE s.repo_id = c.repo_id AND s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())
                      AND ((s.scope = 'claim' AND s.value = c.fingerprint)
                        OR (s.scope = 'kind' AND s.value IN (c.kind, c.rule)) OR (s.scope = 'file' AND s.value = c.file)))
 ORDER BY array_position(ARRAY['high', 'medium', 'low'], c.severity), c.file, c.line, c.fingerprint
 LIMIT %(limit)s;
