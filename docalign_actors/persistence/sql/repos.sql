-- name: repos_insert
-- Registers a repository. One that is registered already stays as it is.
INSERT INTO repos (id, host, url, name, organisation) VALUES (%(id)s, %(host)s, %(url)s, %(name)s, %(organisation)s)
    ON CONFLICT (url) WHERE removed_at IS NULL DO NOTHING;

-- name: repos_by_url
-- The registered repository with this address.
SELECT id FROM repos WHERE url = %(url)s AND removed_at IS NULL;

-- name: repos_remove
-- Removes a repository. Whoever is about to queue a scan of it is waited for, and whoever comes later finds it removed.
UPDATE repos SET status = 'removed', removed_at = now() WHERE id = %(id)s AND removed_at IS NULL RETURNING id;

-- name: repos_cancel_queued
-- Ends what waits in a removed repository.
UPDATE scan_runs SET status = 'cancelled', completed_at = now(), cancel_requested_at = now(), cancel_reason = 'the repository was removed'
 WHERE repo_id = %(id)s AND status = 'queued'
RETURNING id, type;

-- name: repos_stop_running
-- Asks the scan under way in a removed repository to stop.
UPDATE scan_runs SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_reason = 'the repository was removed'
 WHERE repo_id = %(id)s AND status = 'running'
RETURNING id, type;

-- name: repos_exists
-- Whether a repository is registered.
SELECT id FROM repos WHERE id = %(id)s AND removed_at IS NULL;
