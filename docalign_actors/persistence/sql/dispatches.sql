-- name: dispatches_next
-- The dispatch whose turn it is, of a scan that waits still.
SELECT d.run_id, d.repo_id, g.full_name, r.type, coalesce(r.pr_number::text, r.commit_sha) AS ref, r.commit_sha AS commit, d.attempts,
       ARRAY(SELECT s.task_id::text FROM scan_tasks s WHERE s.run_id = d.run_id AND NOT s.remembered ORDER BY s.task_id) AS tasks
  FROM github_dispatches d
  JOIN github_repos g ON g.repo_id = d.repo_id
  JOIN scan_waits w ON w.run_id = d.run_id
  JOIN scan_runs r ON r.id = d.run_id
 WHERE d.state = 'wanted' AND d.due_at <= %(now)s AND w.ended_at IS NULL AND g.installation_id = %(installation)s
   AND EXISTS (SELECT FROM scan_tasks s WHERE s.run_id = d.run_id AND NOT s.remembered)
 ORDER BY d.due_at LIMIT 1;

-- name: dispatches_due
-- When an installation has something to dispatch.
SELECT min(d.due_at) AS at FROM github_dispatches d JOIN github_repos g ON g.repo_id = d.repo_id JOIN scan_waits w ON w.run_id = d.run_id
 WHERE d.state = 'wanted' AND w.ended_at IS NULL AND g.installation_id = %(installation)s;

-- name: dispatches_installations
-- The installations that have something to dispatch.
SELECT DISTINCT g.installation_id
  FROM github_dispatches d JOIN github_repos g ON g.repo_id = d.repo_id JOIN github_installations i ON i.id = g.installation_id
  JOIN scan_waits w ON w.run_id = d.run_id
 WHERE d.state = 'wanted' AND d.due_at <= %(now)s AND w.ended_at IS NULL AND i.state = 'active'
   AND (i.paused_until IS NULL OR i.paused_until <= %(now)s);

-- name: dispatches_settle
-- A dispatch was sent, refused, or is tried again later.
UPDATE github_dispatches
   SET state = %(state)s, last_error = %(error)s, attempts = attempts + %(failed)s, due_at = now() + coalesce(%(delay)s, interval '0')
 WHERE run_id = %(run)s AND state = 'wanted';
