-- name: scans_lock_pushes
-- Open scans of these pushed commits, held still until this transaction ends.
SELECT r.id, r.position, r.repo_id, r.type, r.trigger, r.status, r.pr_number, r.base_ref, r.commit_sha, r.attempt, r.repairs, r.not_before,
       r.cancel_requested_at IS NOT NULL AS cancel_requested, r.cancel_reason, r.trace
  FROM json_to_recordset(%(rows)s::json) AS w (repo_id uuid, commit_sha text)
 CROSS JOIN LATERAL (
    -- One look-up each, whatever the planner knows of a table that grows by thousands a second.
    SELECT * FROM scan_runs x
     WHERE x.repo_id = w.repo_id AND x.commit_sha = w.commit_sha AND x.type = 'push' AND x.status IN ('queued', 'running') FOR UPDATE
 ) AS r
 ORDER BY r.position;

-- name: scans_lock_pulls
-- Open scans of these pull requests, held still until this transaction ends.
SELECT r.id, r.position, r.repo_id, r.type, r.trigger, r.status, r.pr_number, r.base_ref, r.commit_sha, r.attempt, r.repairs, r.not_before,
       r.cancel_requested_at IS NOT NULL AS cancel_requested, r.cancel_reason, r.trace
  FROM json_to_recordset(%(rows)s::json) AS w (repo_id uuid, pr_number int)
 CROSS JOIN LATERAL (
    -- One look-up each, whatever the planner knows of a table that grows by thousands a second.
    SELECT * FROM scan_runs x
     WHERE x.repo_id = w.repo_id AND x.pr_number = w.pr_number AND x.type = 'pr' AND x.status IN ('queued', 'running') FOR UPDATE
 ) AS r
 ORDER BY r.position;

-- name: scans_lock_fulls
-- Open full scans of these repositories, held still until this transaction ends.
SELECT r.id, r.position, r.repo_id, r.type, r.trigger, r.status, r.pr_number, r.base_ref, r.commit_sha, r.attempt, r.repairs, r.not_before,
       r.cancel_requested_at IS NOT NULL AS cancel_requested, r.cancel_reason, r.trace
  FROM scan_runs r
 WHERE r.repo_id = ANY(%(repos)s::uuid[]) AND r.status IN ('queued', 'running') AND r.type = 'full'
 ORDER BY r.position FOR UPDATE;

-- name: scans_open_runs
-- What decides a repository's next step: the run that runs, the oldest that is due, and the next one that will be.
WITH mine AS (SELECT * FROM scan_runs WHERE repo_id = %(repo)s AND status IN ('queued', 'running'))
SELECT r.id, r.position, r.repo_id, r.type, r.trigger, r.status, r.pr_number, r.base_ref, r.commit_sha, r.attempt, r.repairs, r.not_before,
       r.cancel_requested_at IS NOT NULL AS cancel_requested, r.cancel_reason, r.trace
  FROM (
    (SELECT * FROM mine WHERE status = 'running')
    UNION ALL (SELECT * FROM mine WHERE status = 'queued' AND not_before <= %(now)s ORDER BY position LIMIT 1)
    UNION ALL (SELECT * FROM mine WHERE status = 'queued' AND not_before > %(now)s ORDER BY not_before LIMIT 1)
) AS r
 ORDER BY r.position;

-- name: scans_lock_run
-- One run, held still until this transaction ends.
SELECT id, position, repo_id, type, trigger, status, pr_number, base_ref, commit_sha, attempt, repairs,
       not_before,
       cancel_requested_at IS NOT NULL AS cancel_requested, cancel_reason, trace, lease
  FROM scan_runs
 WHERE id = %(run)s
   FOR UPDATE;

-- name: scans_repos
-- The repositories that a batch speaks of. They cannot be removed while it is written.
SELECT id, url, name, organisation, removed_at IS NOT NULL AS removed
  FROM repos WHERE id = ANY(%(repos)s) ORDER BY id FOR SHARE;

-- name: scans_written
-- Which of these runs are there already: the batch that made them was committed, only its answer was lost.
SELECT id FROM scan_runs WHERE id = ANY(%(ids)s);

-- name: scans_delivered
-- Which of these deliveries have come before, and what they led to.
SELECT d.source, d.delivery_id, d.run_id
  FROM deliveries d
  JOIN json_to_recordset(%(rows)s::json) AS w (source text, delivery_id text)
    ON d.source = w.source AND d.delivery_id = w.delivery_id
 WHERE d.run_id IS NOT NULL;

-- name: scans_supersede_queued
-- Waiting runs whose place is taken.
UPDATE scan_runs r
   SET status = 'cancelled', completed_at = now(), superseded_by = w.successor, cancel_reason = 'superseded'
  FROM unnest(%(runs)s::uuid[], %(successors)s::uuid[]) AS w (id, successor)
 WHERE r.id = w.id AND r.status = 'queued';

-- name: scans_stop_running
-- Running scans of a pull request that has moved on.
UPDATE scan_runs r
   SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_reason = 'superseded', superseded_by = w.successor
  FROM unnest(%(runs)s::uuid[], %(successors)s::uuid[]) AS w (id, successor)
 WHERE r.id = w.id AND r.status = 'running';

-- name: scans_insert_runs
-- New runs in the order of the batch. One whose place is taken later in the same batch is written as it ended.
INSERT INTO scan_runs (id, repo_id, type, trigger, pr_number, base_ref, commit_sha, requested_by, trace,
                       status, superseded_by, cancel_reason, completed_at)
SELECT id, repo_id, type, trigger, pr_number, base_ref, commit_sha, requested_by, trace,
       CASE WHEN superseded_by IS NULL THEN 'queued' ELSE 'cancelled' END, superseded_by,
       CASE WHEN superseded_by IS NULL THEN '' ELSE 'superseded' END,
       CASE WHEN superseded_by IS NULL THEN NULL ELSE now() END
  FROM ROWS FROM (
       json_to_recordset(%(rows)s::json)
           AS (id uuid, repo_id uuid, type text, trigger text, pr_number int, base_ref text, commit_sha text, requested_by text,
               trace text, superseded_by uuid)
       ) WITH ORDINALITY AS w (id, repo_id, type, trigger, pr_number, base_ref, commit_sha, requested_by, trace, superseded_by, ord)
 ORDER BY ord;

-- name: scans_count
-- Counts what was admitted.
INSERT INTO rate_counters AS c (scope, subject, day, used)
SELECT scope, subject, day, used
  FROM json_to_recordset(%(rows)s::json) AS w (scope text, subject text, day date, used int)
 ORDER BY scope, subject, day
    ON CONFLICT (scope, subject, day) DO UPDATE SET used = c.used + excluded.used;

-- name: scans_insert_deliveries
-- Remembers what led to which run.
INSERT INTO deliveries (source, delivery_id, event, run_id)
SELECT source, delivery_id, event, run_id
  FROM json_to_recordset(%(rows)s::json) AS w (source text, delivery_id text, event text, run_id uuid)
    ON CONFLICT (source, delivery_id) DO UPDATE SET run_id = excluded.run_id;

-- name: scans_counters
-- What has been counted on a day.
SELECT scope, subject, day, used FROM rate_counters WHERE day = %(day)s;

-- name: scans_start
-- A queued run begins, under a permit and a lease.
UPDATE scan_runs r
   SET status = 'running', permit = %(permit)s, lease = %(lease)s, started_at = now(),
       stage = CASE WHEN EXISTS (SELECT FROM scan_waits w WHERE w.run_id = r.id) THEN 'agents' ELSE 'fetch' END
  FROM repos p
 WHERE r.id = %(run)s AND r.status = 'queued' AND r.not_before <= now() AND p.id = r.repo_id
RETURNING r.id, r.position, r.repo_id, r.type, r.trigger, r.status, r.pr_number, r.base_ref, r.commit_sha, r.attempt, r.repairs,
       r.not_before, r.cancel_requested_at IS NOT NULL AS cancel_requested, r.cancel_reason, r.trace,
       p.url, p.name, p.organisation, p.removed_at IS NOT NULL AS removed,
       (SELECT coalesce(max(seq), 0) FROM scan_events e WHERE e.run_id = r.id) AS last_event;

-- name: scans_successor
-- The run that waits for the same pull request.
SELECT s.id FROM scan_runs r
  JOIN scan_runs s ON s.repo_id = r.repo_id AND s.pr_number = r.pr_number AND s.type = 'pr' AND s.status = 'queued'
 WHERE r.id = %(run)s AND r.type = 'pr' AND s.id <> r.id;

-- name: scans_settle
-- An attempt ends.
UPDATE scan_runs
   SET status = %(status)s, attempt = %(attempt)s, repairs = %(repairs)s, not_before = %(not_before)s,
       lease = NULL, permit = NULL, last_error_code = %(code)s, last_error = %(error)s,
       superseded_by = CASE WHEN %(status)s = 'cancelled' THEN coalesce(%(superseded_by)s, superseded_by) END,
       completed_at = CASE WHEN %(final)s THEN now() END,
       total_duration_ms = total_duration_ms + %(duration_ms)s,
       claims_checked = coalesce(%(checked)s, claims_checked), claims_verified = coalesce(%(verified)s, claims_verified),
       claims_drifted = coalesce(%(drifted)s, claims_drifted), claims_uncertain = coalesce(%(uncertain)s, claims_uncertain),
       findings_suppressed = coalesce(%(suppressed)s, findings_suppressed), findings_cut = coalesce(%(cut)s, findings_cut)
 WHERE id = %(run)s AND status = 'running' AND lease = %(lease)s;

-- name: scans_cancel_queued
-- A waiting run ends at once.
UPDATE scan_runs SET status = 'cancelled', completed_at = now(), cancel_requested_at = now(), cancel_reason = %(reason)s
 WHERE id = %(run)s AND status = 'queued';

-- name: scans_ask_to_stop
-- A running one is told.
UPDATE scan_runs SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_reason = %(reason)s
 WHERE id = %(run)s AND status = 'running';

-- name: scans_append_event
-- A step of a run, for those who watch.
WITH moved AS (
    UPDATE scan_runs SET stage = %(stage)s
     WHERE id = %(run)s AND status = 'running' AND stage IS DISTINCT FROM %(stage)s
)
INSERT INTO scan_events (run_id, seq, kind, data)
SELECT id, %(seq)s, %(kind)s, %(data)s FROM scan_runs WHERE id = %(run)s AND status = 'running'
    ON CONFLICT DO NOTHING;

-- name: scans_running
-- Every running run with its permit and lease.
SELECT id, position, repo_id, type, trigger, status, pr_number, base_ref, commit_sha, attempt, repairs, not_before,
       cancel_requested_at IS NOT NULL AS cancel_requested, cancel_reason, trace, permit, lease
  FROM scan_runs WHERE status = 'running' ORDER BY position;

-- name: scans_due_repos
-- Repositories with a queued run that is due, in the order of their oldest one.
SELECT repo_id FROM scan_runs WHERE status = 'queued' AND not_before <= %(now)s GROUP BY repo_id ORDER BY min(position);

-- name: scans_suppressions
-- What is suppressed in a repository just now.
SELECT scope, value FROM suppressions
 WHERE repo_id = %(repo)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: scans_co_changes
-- How often code files and documents were changed together.
SELECT c.code_file, c.doc_file, count(*)::int AS times
  FROM co_changes c JOIN unnest(%(code)s::text[], %(docs)s::text[]) AS w (code, doc) ON c.code_file = w.code AND c.doc_file = w.doc
 WHERE c.repo_id = %(repo)s GROUP BY c.code_file, c.doc_file;

-- name: scans_claims_by_code_files
-- Known claims that rest on these files: the reverse index.
SELECT DISTINCT m.fingerprint
  FROM mappings m JOIN claims c USING (repo_id, fingerprint)
 WHERE m.repo_id = %(repo)s AND m.code_file = ANY(%(files)s) AND c.gone_at IS NULL
 ORDER BY m.fingerprint;

-- name: scans_claims_by_documents
-- Known claims of these documents.
SELECT fingerprint FROM claims
 WHERE repo_id = %(repo)s AND file = ANY(%(files)s) AND gone_at IS NULL ORDER BY file, line, fingerprint;

-- name: scans_set_status
-- Moves a run by hand.
UPDATE scan_runs
   SET status = %(status)s, completed_at = CASE WHEN %(final)s THEN now() END, lease = NULL, permit = NULL,
       last_error = CASE WHEN %(status)s = 'failed' AND last_error = '' THEN 'Set by hand.' ELSE last_error END,
       claims_checked = coalesce(%(checked)s, claims_checked), claims_verified = coalesce(%(verified)s, claims_verified),
       claims_drifted = coalesce(%(drifted)s, claims_drifted), claims_uncertain = coalesce(%(uncertain)s, claims_uncertain)
 WHERE id = %(run)s AND status = %(before)s;

-- name: scans_set_repo_trouble
-- A repository that could not be scanned says so until it can.
UPDATE repos SET status = 'failing', last_error = %(error)s WHERE id = %(repo)s AND removed_at IS NULL;

-- name: scans_set_manners
-- How severe a finding has to be to block, and whether nothing false is worth a comment, as the repository says.
UPDATE scan_runs SET threshold = %(threshold)s, comment_when_clean = %(comment_when_clean)s WHERE id = %(run)s;

-- name: scans_known_drift
-- What is known to be false on the default branch.
SELECT fingerprint FROM claims WHERE repo_id = %(repo)s AND verdict = 'drifted' AND gone_at IS NULL;

-- name: scans_insert_findings
-- What a run reports.
INSERT INTO scan_findings (run_id, position, fingerprint, is_new, finding)
SELECT %(run)s, position, fingerprint, is_new, finding
  FROM jsonb_to_recordset(%(findings)s) AS w (position int, fingerprint text, is_new boolean, finding jsonb);

-- name: scans_learn_claims
-- What is known of the default branch from now on. A verdict that changed goes into the history; a row that did not is left alone.
WITH incoming AS (
    SELECT * FROM jsonb_to_recordset(%(claims)s) AS w (
        fingerprint text, kind text, rule text, text text, file text, line int, mentions jsonb, verdict text, severity text,
        confidence real, message text, evidence jsonb, fix jsonb)
), gone AS (
    UPDATE claims SET gone_at = now()
     WHERE repo_id = %(repo)s AND gone_at IS NULL
       AND NOT EXISTS (SELECT FROM incoming i WHERE i.fingerprint = claims.fingerprint)
), history AS (
    INSERT INTO verification_results (repo_id, fingerprint, run_id, verdict, confidence, message, evidence, fix)
    SELECT %(repo)s, i.fingerprint, %(run)s, i.verdict, i.confidence, i.message, i.evidence, i.fix
      FROM incoming i LEFT JOIN claims c ON c.repo_id = %(repo)s AND c.fingerprint = i.fingerprint
     WHERE c.fingerprint IS NULL OR c.gone_at IS NOT NULL OR c.verdict <> i.verdict OR c.message <> i.message
)
INSERT INTO claims AS c (repo_id, fingerprint, kind, rule, text, file, line, mentions, verdict, severity, confidence, message, run_id)
SELECT %(repo)s, fingerprint, kind, rule, text, file, line, mentions, verdict, severity, confidence, message, %(run)s FROM incoming
    ON CONFLICT (repo_id, fingerprint) DO UPDATE
   SET kind = excluded.kind, rule = excluded.rule, text = excluded.text, file = excluded.file, line = excluded.line,
       mentions = excluded.mentions, verdict = excluded.verdict, severity = excluded.severity, confidence = excluded.confidence,
       message = excluded.message, run_id = excluded.run_id, gone_at = NULL,
       verdict_since = CASE WHEN c.verdict = excluded.verdict AND c.gone_at IS NULL THEN c.verdict_since ELSE now() END
 WHERE (c.rule, c.text, c.file, c.line, c.mentions, c.verdict, c.severity, c.confidence, c.message, c.gone_at)
       IS DISTINCT FROM
       (excluded.rule, excluded.text, excluded.file, excluded.line, excluded.mentions, excluded.verdict, excluded.severity,
        excluded.confidence, excluded.message, NULL);

-- name: scans_forget_mappings
-- Mappings that no longer hold.
DELETE FROM mappings m
 WHERE m.repo_id = %(repo)s
   AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset(%(mappings)s) AS w (fingerprint text, code_file text, line int)
        WHERE w.fingerprint = m.fingerprint AND w.code_file = m.code_file);

-- name: scans_learn_mappings
-- Which code each claim rests on.
INSERT INTO mappings AS m (repo_id, fingerprint, code_file, line)
SELECT %(repo)s, fingerprint, code_file, line
  FROM jsonb_to_recordset(%(mappings)s) AS w (fingerprint text, code_file text, line int)
    ON CONFLICT (repo_id, fingerprint, code_file) DO UPDATE SET line = excluded.line WHERE m.line <> excluded.line;

-- name: scans_learn_repo
-- What the repository's page shows.
UPDATE repos
   SET status = %(status)s, default_branch = %(branch)s, head_sha = %(head)s, health_score = %(score)s, claims_total = %(total)s,
       claims_verified = %(verified)s, claims_drifted = %(drifted)s, last_error = '',
       last_full_scan_at = CASE WHEN %(full)s THEN now() ELSE last_full_scan_at END
 WHERE id = %(repo)s AND removed_at IS NULL;

-- name: scans_insert_health
-- A point of the health's history.
INSERT INTO health_history (repo_id, at, run_id, score, total, verified, drifted)
VALUES (%(repo)s, clock_timestamp(), %(run)s, %(score)s, %(total)s, %(verified)s, %(drifted)s) ON CONFLICT DO NOTHING;

-- name: scans_insert_co_changes
-- Code and documents that one change touched together.
INSERT INTO co_changes (repo_id, code_file, doc_file, commit_sha)
SELECT %(repo)s, c, d, %(commit)s FROM unnest(%(code)s::text[]) AS c CROSS JOIN unnest(%(docs)s::text[]) AS d
    ON CONFLICT DO NOTHING;
