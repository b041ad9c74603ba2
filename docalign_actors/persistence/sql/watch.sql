-- name: watch_due
-- The repositories whose time has come, the longest due first, with everything that decides what is done about them.
SELECT w.repo_id, r.url, w.due_at, w.check_at, w.full_at, w.check_rule, w.full_rule, w.head_sha AS seen_head,
       r.head_sha AS scanned_head, r.default_branch AS scanned_branch,
       (r.last_full_scan_at IS NOT NULL OR r.head_sha <> '') AS scanned,
       EXISTS (SELECT FROM scan_runs s WHERE s.repo_id = w.repo_id AND s.status IN ('queued', 'running') AND s.type <> 'pr') AS busy,
       g.repo_id IS NOT NULL AS elsewhere, f.followed, f.told,
       CASE WHEN l.status = 'failed' THEN l.last_error_code ELSE '' END AS failed_code,
       CASE WHEN l.status = 'failed' THEN l.completed_at END AS failed_at,
       c.state, c.failures, c.origin, c.open_until, c.trial_until, c.error_code, c.error
  FROM (
    SELECT * FROM watch_schedules
     WHERE due_at <= %(now)s AND NOT repo_id = ANY(%(under_way)s::uuid[]) ORDER BY due_at LIMIT %(most)s
  ) AS w
  -- One look-up each: the tables are as long as the list of repositories, and few of those are due at once.
 CROSS JOIN LATERAL (SELECT * FROM repos WHERE id = w.repo_id LIMIT 1) AS r
  LEFT JOIN LATERAL (SELECT * FROM circuits WHERE repo_id = w.repo_id LIMIT 1) AS c ON true
  LEFT JOIN LATERAL (SELECT repo_id FROM github_repos WHERE repo_id = w.repo_id AND %(github)s LIMIT 1) AS g ON true
  -- Other branches that somebody subscribes to. One without a commit has never been looked at: whoever tells of it asks for a scan.
  LEFT JOIN LATERAL (
    SELECT array_agg(j.branch ORDER BY j.branch) AS followed, array_agg(j.commit ORDER BY j.branch) AS told
      FROM (SELECT b.branch, b.commit FROM journal_branches b
             WHERE b.repo_id = w.repo_id AND b.branch NOT IN ('', r.default_branch) AND b.commit IS NOT NULL
             ORDER BY b.branch LIMIT 1000) AS j
  ) AS f ON true
  LEFT JOIN LATERAL (
    SELECT s.status, s.last_error_code, s.completed_at FROM scan_runs s
     WHERE s.repo_id = w.repo_id AND s.type <> 'pr' AND s.status IN ('completed', 'partial', 'failed')
     ORDER BY s.position DESC LIMIT 1
  ) AS l ON true
 ORDER BY w.due_at;

-- name: watch_next_due
-- When the next repository is due.
SELECT min(due_at) FROM watch_schedules WHERE due_at IS NOT NULL AND NOT repo_id = ANY(%(under_way)s::uuid[]);

-- name: watch_settle
-- What was seen, and when each is due again. Somebody may have set another rule or another time meanwhile: those stay.
UPDATE watch_schedules w
   SET check_at = CASE WHEN w.check_rule = n.check_rule AND w.check_at IS NOT DISTINCT FROM n.check_was THEN n.check_at ELSE w.check_at END,
       full_at = CASE WHEN w.full_rule = n.full_rule AND w.full_at IS NOT DISTINCT FROM n.full_was THEN n.full_at ELSE w.full_at END,
       head_sha = coalesce(n.head_sha, w.head_sha), branch = coalesce(n.branch, w.branch),
       looked_at = coalesce(n.looked_at, w.looked_at), look_error = coalesce(n.look_error, w.look_error)
  FROM unnest(%(repos)s::uuid[], %(check_rules)s::text[], %(full_rules)s::text[], %(check_at)s::timestamptz[], %(full_at)s::timestamptz[],
              %(checks_were)s::timestamptz[], %(fulls_were)s::timestamptz[], %(heads)s::text[], %(branches)s::text[], %(looked_at)s::timestamptz[], %(errors)s::text[])
       AS n (repo_id, check_rule, full_rule, check_at, full_at, check_was, full_was, head_sha, branch, looked_at, look_error)
 WHERE w.repo_id = n.repo_id;

-- name: watch_rules
-- The rules that repositories have of their own.
SELECT check_rule FROM watch_schedules WHERE check_rule <> '' UNION SELECT full_rule FROM watch_schedules WHERE full_rule <> '';

-- name: watch_spread
-- After a time in which nobody looked, with other rules of the service, or when the clock was set: what is long due, or planned further
-- ahead than its rule ever plans, is spread.
UPDATE watch_schedules w
   SET check_at = CASE
           WHEN w.check_rule = '' AND NOT %(checks)s THEN NULL
           WHEN w.check_at < %(long_ago)s OR w.check_at > g.check_most OR (w.check_rule = '' AND w.check_at IS NULL AND NOT g.theirs)
           THEN %(now)s + g.share * %(window)s::interval
           ELSE w.check_at END,
       full_at = CASE
           WHEN w.full_rule = '' AND NOT %(fulls)s THEN NULL
           WHEN w.full_at < %(long_ago)s THEN %(now)s + g.share * %(window)s::interval
           WHEN w.full_at > g.full_most THEN %(now)s + g.share * (g.full_most - %(now)s)
           ELSE w.full_at END
  FROM watch_schedules o
  LEFT JOIN circuits c ON c.repo_id = o.repo_id
  LEFT JOIN unnest(%(rules)s::text[], %(check_periods)s::interval[]) AS k (rule, period) ON k.rule = o.check_rule
  LEFT JOIN unnest(%(rules)s::text[], %(full_periods)s::interval[]) AS v (rule, period) ON v.rule = o.full_rule
 CROSS JOIN LATERAL (
    SELECT ('x' || right(o.repo_id::text, 8))::bit(32)::bigint / 4294967296.0 AS share,
           %(github)s AND EXISTS (SELECT FROM github_repos g WHERE g.repo_id = o.repo_id) AS theirs,
           -- A circuit that is not closed puts a look off by its pause, and by what spreads those that were barred together.
           %(now)s + greatest(k.period, CASE WHEN c.state <> 'closed' THEN %(pause)s + interval '2 minutes' END) AS check_most,
           %(now)s + v.period AS full_most
  ) AS g
 WHERE o.repo_id = w.repo_id
   AND (w.check_at < %(long_ago)s OR w.full_at < %(long_ago)s OR w.check_at > g.check_most OR w.full_at > g.full_most
        OR (w.check_rule = '' AND (w.check_at IS NULL) = %(checks)s) OR (w.full_rule = '' AND w.full_at IS NOT NULL AND NOT %(fulls)s));

-- name: circuits_shorten
-- No circuit stays open for longer than a pause from now, whatever the clock was when it opened.
UPDATE circuits SET open_until = CASE WHEN open_until IS NOT NULL THEN least(open_until, %(latest)s) END,
       trial_until = CASE WHEN trial_until IS NOT NULL THEN least(trial_until, %(latest)s) END
 WHERE state <> 'closed' AND (open_until > %(latest)s OR trial_until > %(latest)s);

-- name: watch_set_rules
-- A repository's own rules; what is NULL stays as it is.
UPDATE watch_schedules
   SET check_rule = coalesce(%(check_rule)s, check_rule), full_rule = coalesce(%(full_rule)s, full_rule),
       check_at = CASE WHEN %(check_rule)s::text IS NULL THEN check_at ELSE %(check_at)s END,
       full_at = CASE WHEN %(full_rule)s::text IS NULL THEN full_at ELSE %(full_at)s END
 WHERE repo_id = %(repo)s;

-- name: watch_look_now
-- It is looked at as soon as may be, if it is looked at at all; once more where a look is under way.
UPDATE watch_schedules SET check_at = %(now)s WHERE repo_id = %(repo)s AND check_at IS NOT NULL;

-- name: watch_schedule
-- One repository's schedule.
SELECT w.repo_id, w.check_rule, w.full_rule, w.check_at, w.full_at, w.head_sha, w.branch, w.looked_at, w.look_error,
       (%(github)s AND EXISTS (SELECT FROM github_repos g WHERE g.repo_id = w.repo_id)) AS elsewhere
  FROM watch_schedules w WHERE w.repo_id = %(repo)s;

-- name: watch_lines
-- Rules and circuits of several repositories.
SELECT w.repo_id, w.check_rule, w.full_rule, w.due_at, coalesce(c.state, 'closed') AS circuit
  FROM watch_schedules w LEFT JOIN circuits c ON c.repo_id = w.repo_id WHERE w.repo_id = ANY(%(repos)s::uuid[]);

-- name: watch_figures
-- How many are due, since when the longest, and how many circuits are not closed.
SELECT (SELECT count(*) FROM watch_schedules WHERE due_at <= %(now)s) AS due,
       (SELECT min(due_at) FROM watch_schedules WHERE due_at IS NOT NULL) AS oldest,
       (SELECT count(*) FROM circuits WHERE state = 'open') AS open,
       (SELECT count(*) FROM circuits WHERE state = 'half_open') AS half_open;

-- name: watch_lock_repos
-- Those of these repositories that are registered. They cannot be removed while this transaction lasts.
SELECT id FROM repos WHERE id = ANY(%(repos)s::uuid[]) AND removed_at IS NULL ORDER BY id FOR SHARE;

-- name: watch_registered
-- Whether a repository is registered.
SELECT id FROM repos WHERE id = %(repo)s AND removed_at IS NULL;

-- name: circuits_lock
-- Circuits of these repositories, held still until this transaction ends.
SELECT repo_id, state, failures, origin, open_until, trial_until, error_code, error
  FROM circuits WHERE repo_id = ANY(%(repos)s::uuid[]) ORDER BY repo_id FOR UPDATE;

-- name: circuits_write
-- Where a circuit stands now.
INSERT INTO circuits (repo_id, state, failures, origin, open_until, trial_until, error_code, error, changed_at)
VALUES (%(repo)s, %(state)s, %(failures)s, %(origin)s, %(open_until)s, %(trial_until)s, %(error_code)s, %(error)s, %(now)s)
    ON CONFLICT (repo_id) DO UPDATE
   SET state = excluded.state, failures = excluded.failures, origin = excluded.origin, open_until = excluded.open_until,
       trial_until = excluded.trial_until, error_code = excluded.error_code, error = excluded.error,
       changed_at = CASE WHEN circuits.state = excluded.state THEN circuits.changed_at ELSE excluded.changed_at END;

-- name: circuits_forget
-- A closed circuit without a failure needs no row.
DELETE FROM circuits WHERE repo_id = %(repo)s;

-- name: circuits_note
-- A change of state.
INSERT INTO circuit_history (repo_id, at, before, after, cause, failures, error_code, error)
VALUES (%(repo)s, %(now)s, %(before)s, %(after)s, %(cause)s, %(failures)s, %(error_code)s, %(error)s) RETURNING id;

-- name: circuits_inbox
-- What happened to scans and has not been counted, in order.
SELECT id, repo_id, kind, code, error FROM circuit_inbox ORDER BY id LIMIT %(most)s;

-- name: circuits_counted
-- Takes what is to be counted; who takes it counts it.
DELETE FROM circuit_inbox WHERE id = ANY(%(ids)s::bigint[]) RETURNING id;

-- name: circuits_one
-- One repository's circuit.
SELECT state, failures, origin, open_until, trial_until, error_code, error, changed_at FROM circuits WHERE repo_id = %(repo)s;

-- name: circuits_history
-- A circuit's changes of state, newest first.
SELECT id, at, before, after, cause, failures, error_code, error
  FROM circuit_history WHERE repo_id = %(repo)s ORDER BY id DESC LIMIT %(most)s;

-- name: circuits_not_closed
-- The circuits that are not closed, the newest first.
SELECT c.repo_id, r.name, c.state, c.failures, c.open_until, c.error_code, c.error, c.changed_at
  FROM (SELECT * FROM circuits WHERE state <> 'closed' ORDER BY changed_at DESC LIMIT %(most)s) AS c
 CROSS JOIN LATERAL (SELECT name FROM repos WHERE id = c.repo_id LIMIT 1) AS r ORDER BY c.changed_at DESC;
