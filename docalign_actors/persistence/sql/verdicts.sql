-- name: verdicts_keep
-- What agents decided, for later scans; the newest counts.
INSERT INTO agent_verdicts (repo_id, claim_key, claim_id, result, rests_on, decided_at)
SELECT %(repo)s, v.claim_key, v.claim_id, v.result, v.rests_on, now()
  FROM jsonb_to_recordset(%(verdicts)s) AS v (claim_key text, claim_id text, result text, rests_on jsonb)
    ON CONFLICT (repo_id, claim_key) DO UPDATE
   SET claim_id = excluded.claim_id, result = excluded.result, rests_on = excluded.rests_on, decided_at = excluded.decided_at;

-- name: verdicts_of
-- What agents decided about a repository since then, the newest first.
SELECT claim_key, claim_id, result, rests_on FROM agent_verdicts
 WHERE repo_id = %(repo)s AND decided_at > %(after)s ORDER BY decided_at DESC LIMIT %(limit)s;

-- name: verdicts_count
-- How many claims of a run were decided by what is remembered.
UPDATE scan_runs SET agent_remembered = %(remembered)s WHERE id = %(run)s;
