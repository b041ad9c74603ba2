-- name: suppressions_retire
-- One that has expired makes room for a new one of the same.
UPDATE suppressions SET revoked_at = expires_at
 WHERE repo_id = %(repo)s AND scope = %(scope)s AND value = %(value)s AND revoked_at IS NULL AND expires_at <= now();

-- name: suppressions_add
-- Findings that are not reported from now on. What is suppressed already gets the newer reason and end.
INSERT INTO suppressions AS s (id, repo_id, scope, value, reason, created_by, expires_at, about, origin, finding_id)
VALUES (%(id)s, %(repo)s, %(scope)s, %(value)s, %(reason)s, %(author)s, %(expires_at)s, %(about)s, %(origin)s, %(finding)s)
    ON CONFLICT (repo_id, scope, value) WHERE revoked_at IS NULL
    DO UPDATE SET reason = excluded.reason, created_by = excluded.created_by, expires_at = excluded.expires_at,
                  about = CASE WHEN excluded.about = '' THEN s.about ELSE excluded.about END,
                  finding_id = CASE WHEN excluded.finding_id = '' THEN s.finding_id ELSE excluded.finding_id END
RETURNING id;

-- name: suppressions_revoke
-- They are reported again.
UPDATE suppressions SET revoked_at = now(), revoked_by = %(author)s WHERE repo_id = %(repo)s AND id = ANY(%(ids)s) AND revoked_at IS NULL;

-- name: suppressions_list
-- What is suppressed in a repository, newest first.
SELECT id, repo_id, scope, value, reason, about, origin, created_by, created_at, expires_at FROM suppressions
 WHERE repo_id = %(repo)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s)
 ORDER BY created_at DESC, id DESC LIMIT %(limit)s;

-- name: suppressions_one
-- One of them.
SELECT id, repo_id, scope, value, reason, about, origin, created_by, created_at, expires_at FROM suppressions
 WHERE repo_id = %(repo)s AND id = %(id)s AND revoked_at IS NULL;

-- name: suppressions_pauses
-- What of a repository is not checked for now; the repository itself first.
SELECT number, paused_by, paused_at, reason FROM github_pauses WHERE repo_id = %(repo)s ORDER BY number;

-- name: suppressions_describe
-- What a claim says that is suppressed, where nobody has written that down.
UPDATE suppressions s SET about = left('`' || c.file || ':' || c.line || '`: ' || c.message, 400)
  FROM claims c WHERE s.id = %(id)s AND s.scope = 'claim' AND s.about = '' AND c.repo_id = s.repo_id AND c.fingerprint = s.value;
