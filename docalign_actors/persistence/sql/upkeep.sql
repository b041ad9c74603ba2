-- name: upkeep_record_incident
-- An actor failed, was fenced, or gave up.
INSERT INTO actor_incidents (actor, kind, error, trace) VALUES (%(actor)s, %(kind)s, %(error)s, %(trace)s);

-- name: upkeep_sweep_scan_runs
-- Runs that ended long ago, with their events and findings; not the last of a repository, which is what is known of it.
DELETE FROM scan_runs WHERE id IN (
    SELECT r.id FROM scan_runs r
     WHERE r.completed_at < now() - make_interval(days => %(days)s)
       AND EXISTS (SELECT FROM scan_runs n WHERE n.repo_id = r.repo_id AND n.position > r.position AND n.completed_at IS NOT NULL)
     ORDER BY r.completed_at LIMIT 500);

-- name: upkeep_sweep_scan_events
-- The steps of runs that ended; the end itself stays with the run.
DELETE FROM scan_events WHERE (run_id, seq) IN (
    SELECT run_id, seq FROM scan_events WHERE at < now() - make_interval(days => %(days)s) AND kind <> 'end' ORDER BY at LIMIT 5000);

-- name: upkeep_sweep_actor_incidents
-- Old incidents.
DELETE FROM actor_incidents WHERE id IN (
    SELECT id FROM actor_incidents WHERE at < now() - make_interval(days => %(days)s) ORDER BY at LIMIT 5000);

-- name: upkeep_sweep_deliveries
-- Deliveries nobody will send again.
DELETE FROM deliveries WHERE (source, delivery_id) IN (
    SELECT source, delivery_id FROM deliveries WHERE received_at < now() - make_interval(days => %(days)s) ORDER BY received_at LIMIT 5000);

-- name: upkeep_sweep_github_deliveries
-- Webhooks that were carried out or given up; GitHub sends none again after three days.
DELETE FROM github_deliveries WHERE (app_id, delivery_id) IN (
    SELECT app_id, delivery_id FROM github_deliveries
     WHERE received_at < now() - make_interval(days => %(days)s) AND status <> 'waiting' ORDER BY received_at LIMIT 5000);

-- name: upkeep_sweep_github_commands
-- Commands that were answered long ago.
DELETE FROM github_commands WHERE id IN (
    SELECT id FROM github_commands
     WHERE created_at < now() - make_interval(days => %(days)s) AND state = 'told' AND NOT rescan ORDER BY created_at LIMIT 5000);

-- name: upkeep_sweep_rate_counters
-- The day before yesterday's counts.
DELETE FROM rate_counters WHERE day < current_date - 2;

-- name: upkeep_sweep_sessions
-- Sessions that have ended.
DELETE FROM sessions WHERE expires_at < now();

-- name: upkeep_sweep_tokens
-- One-time sign-ins that were used or have expired.
DELETE FROM tokens WHERE one_time AND (revoked_at IS NOT NULL OR expires_at < now())
   AND NOT EXISTS (SELECT FROM sessions s WHERE s.token_id = tokens.id);

-- name: upkeep_sweep_claims
-- Claims that left the documentation long ago.
DELETE FROM claims WHERE (repo_id, fingerprint) IN (
    SELECT repo_id, fingerprint FROM claims WHERE gone_at < now() - make_interval(days => %(days)s) ORDER BY gone_at LIMIT 2000);

-- name: upkeep_sweep_repos
-- Repositories that were removed long ago, with all that is known of them.
DELETE FROM repos WHERE id IN (
    SELECT id FROM repos WHERE removed_at < now() - make_interval(days => %(days)s) ORDER BY removed_at LIMIT 20);

-- name: upkeep_sweep_agent_tasks
-- Tasks that ended long ago, with their results.
DELETE FROM agent_tasks WHERE id IN (
    SELECT id FROM agent_tasks WHERE ended_at < now() - make_interval(days => %(days)s) ORDER BY ended_at LIMIT 2000);

-- name: upkeep_sweep_journal
-- What happened long ago. A subscription that has not been told of it by now is brought up to date by a comparison.
WITH old AS (
    DELETE FROM journal WHERE (repo_id, branch, position) IN (
        SELECT repo_id, branch, position FROM journal WHERE at < now() - make_interval(days => %(days)s) ORDER BY at, position LIMIT 5000)
    RETURNING repo_id, branch, position
), floors AS (
    SELECT repo_id, branch, max(position) AS position FROM old GROUP BY repo_id, branch
)
UPDATE journal_branches b SET floor = greatest(b.floor, f.position) FROM floors f WHERE b.repo_id = f.repo_id AND b.branch = f.branch;

-- name: upkeep_sweep_app_deliveries
-- Deliveries that ended long ago; not those of a subscription that somebody has yet to decide about.
DELETE FROM app_deliveries WHERE id IN (
    SELECT d.id FROM app_deliveries d
     WHERE d.ended_at < now() - make_interval(days => %(days)s) AND d.status <> 'dead' ORDER BY d.ended_at LIMIT 5000);

-- name: upkeep_sweep_health_history
-- Health beyond a year is of no more use than the run that it came from.
DELETE FROM health_history WHERE (repo_id, at) IN (
    SELECT h.repo_id, h.at FROM health_history h WHERE h.run_id IS NULL AND h.at < now() - interval '1 year' LIMIT 2000);

-- name: upkeep_sweep_circuit_history
-- What became of circuits long ago.
DELETE FROM circuit_history WHERE id IN (
    SELECT id FROM circuit_history WHERE at < now() - make_interval(days => %(days)s) ORDER BY at LIMIT 2000);

-- name: upkeep_blob_cache_size
-- How much the cache holds, by what the table takes on disk.
SELECT pg_total_relation_size('blob_cache');

-- name: upkeep_sweep_blob_cache
-- What has not been used for longest.
DELETE FROM blob_cache WHERE key IN (SELECT key FROM blob_cache ORDER BY used_on LIMIT 2000);

-- name: upkeep_known_repos
-- Whose mirrors are kept.
SELECT id FROM repos WHERE removed_at IS NULL;

-- name: upkeep_sweep_agent_verdicts
-- What agents decided so long ago that they are asked anew.
DELETE FROM agent_verdicts WHERE (repo_id, claim_key) IN (
    SELECT repo_id, claim_key FROM agent_verdicts WHERE decided_at < now() - make_interval(days => %(days)s) ORDER BY decided_at LIMIT 5000);
