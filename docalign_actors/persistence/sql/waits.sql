-- name: waits_park
-- A run waits for agents; what was decided without them is kept.
INSERT INTO scan_waits (run_id, kept, since, until, dispatch) VALUES (%(run)s, %(kept)s, %(since)s, greatest(%(until)s, %(since)s), %(dispatch)s);

-- name: waits_mark_stage
-- The stage that a waiting run is shown in.
UPDATE scan_runs SET stage = 'agents' WHERE id = %(run)s AND status = 'queued';

-- name: waits_link
-- The tasks that a run waits for.
INSERT INTO scan_tasks (task_id, run_id, claim_id, question)
SELECT task_id, %(run)s, claim_id, question FROM unnest(%(tasks)s::uuid[], %(claims)s::text[], %(questions)s::text[]) AS w (task_id, claim_id, question);

-- name: waits_remembered
-- Which of these questions have an answer that is remembered, and the task that has it: the newest.
SELECT w.question, k.task_id
  FROM unnest(%(questions)s::text[]) AS w (question)
 CROSS JOIN LATERAL (
    SELECT s.task_id
      FROM scan_tasks s JOIN agent_tasks t ON t.id = s.task_id JOIN agent_task_results r ON r.task_id = t.id AND r.status = 'COMPLETED'
     WHERE s.question = w.question AND s.question <> '' AND NOT s.remembered
       AND t.tenant_id = %(tenant)s AND t.status = 'COMPLETED' AND t.ended_at > %(after)s
     ORDER BY t.position DESC LIMIT 1
 ) AS k;

-- name: waits_link_remembered
-- Tasks of earlier runs that have the answers to what this run asks.
INSERT INTO scan_tasks (task_id, run_id, claim_id, announced, remembered)
SELECT task_id, %(run)s, claim_id, true, true FROM unnest(%(tasks)s::uuid[], %(claims)s::text[]) AS w (task_id, claim_id)
    ON CONFLICT DO NOTHING;

-- name: waits_take_up
-- A run goes on: from now on no answer counts that is not here yet.
UPDATE scan_waits SET ended_at = coalesce(ended_at, now()) WHERE run_id = %(run)s RETURNING kept, notice;

-- name: waits_answers
-- What became of the tasks of a run.
SELECT s.claim_id, t.command, t.payload, t.status, coalesce(r.result, '') AS result, t.error, s.remembered
  FROM scan_tasks s JOIN agent_tasks t ON t.id = s.task_id LEFT JOIN agent_task_results r ON r.task_id = t.id AND r.status = 'COMPLETED'
 WHERE s.run_id = %(run)s ORDER BY t.position;

-- name: waits_answered
-- Waiting runs of which no task is open, and whether what they asked may lead to more questions.
SELECT r.id, r.repo_id, r.type, w.until,
       NOT w.followed AND EXISTS (SELECT FROM scan_tasks s JOIN agent_tasks t ON t.id = s.task_id
                                   WHERE s.run_id = r.id AND t.command = 'claim_extraction' AND t.status = 'COMPLETED') AS follow
  FROM scan_waits w JOIN scan_runs r ON r.id = w.run_id
 WHERE w.ended_at IS NULL AND r.status = 'queued' AND r.not_before > %(now)s
   AND NOT EXISTS (SELECT FROM scan_tasks s JOIN agent_tasks t ON t.id = s.task_id
                    WHERE s.run_id = w.run_id AND t.status IN ('PENDING', 'IN_PROGRESS'))
 ORDER BY r.position LIMIT %(limit)s;

-- name: waits_lock
-- A run that waits still, held still until this transaction ends.
SELECT r.repo_id FROM scan_runs r JOIN scan_waits w ON w.run_id = r.id
 WHERE r.id = %(run)s AND r.status = 'queued' AND w.ended_at IS NULL FOR UPDATE;

-- name: waits_release
-- A run need not wait any longer.
UPDATE scan_runs SET not_before = now() WHERE id = %(run)s AND status = 'queued' AND not_before > now();

-- name: waits_followed
-- What agents read out of prose has been asked about.
UPDATE scan_waits SET followed = true WHERE run_id = %(run)s;

-- name: waits_progress
-- How far the tasks of every waiting run are.
SELECT r.id, r.repo_id, r.type, count(s.task_id) AS total, count(s.task_id) FILTER (WHERE t.status IN ('COMPLETED', 'FAILED')) AS done
  FROM scan_waits w JOIN scan_runs r ON r.id = w.run_id
  LEFT JOIN scan_tasks s ON s.run_id = w.run_id LEFT JOIN agent_tasks t ON t.id = s.task_id
 WHERE w.ended_at IS NULL AND r.status = 'queued' GROUP BY r.id;

-- name: waits_append_event
-- A step of a waiting run, for those who watch.
INSERT INTO scan_events (run_id, seq, kind, data)
SELECT r.id, coalesce((SELECT max(e.seq) FROM scan_events e WHERE e.run_id = r.id), 0) + 1, 'progress', %(data)s
  FROM scan_runs r WHERE r.id = %(run)s AND r.status = 'queued'
    ON CONFLICT DO NOTHING RETURNING seq;

-- name: waits_settle
-- What the answers came to.
UPDATE scan_waits SET notice = CASE WHEN notice = '' THEN %(notice)s ELSE notice END WHERE run_id = %(run)s;

-- name: waits_count_tokens
-- What the agents' models used.
UPDATE scan_runs SET total_token_cost = total_token_cost + %(tokens)s WHERE id = %(run)s;

-- name: waits_refuse
-- Nobody will do the tasks of a run: why.
UPDATE scan_waits SET notice = %(notice)s WHERE run_id = %(run)s AND ended_at IS NULL;
