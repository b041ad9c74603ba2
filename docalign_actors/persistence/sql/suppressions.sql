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

-- name: suppressions_touch
-- The open pull requests whose last scan reported what is suppressed now: their checks are to say something else.
UPDATE github_pulls p SET rescan_by = left(%(author)s, 200)
 WHERE p.repo_id = %(repo)s AND p.state = 'open' AND EXISTS (
       SELECT FROM scan_findings f
        WHERE f.run_id = (SELECT r.id FROM scan_runs r WHERE r.repo_id = p.repo_id AND r.type = 'pr' AND r.pr_number = p.number
                             AND r.status IN ('completed', 'partial') ORDER BY r.position DESC LIMIT 1)
          AND CASE %(scope)s WHEN 'claim' THEN %(value)s IN (f.fingerprint, f.finding ->> 'claim_id')
                             WHEN 'kind' THEN %(value)s IN (f.finding ->> 'kind', f.finding ->> 'rule')
                             ELSE f.finding -> 'mentions' @> jsonb_build_array(jsonb_build_object('file', %(value)s::text)) END);

-- name: suppressions_untouch
-- The open pull requests whose last scan left something out: it may be reported again.
UPDATE github_pulls p SET rescan_by = left(%(author)s, 200)
 WHERE p.repo_id = %(repo)s AND p.state = 'open'
   AND (SELECT r.findings_suppressed FROM scan_runs r WHERE r.repo_id = p.repo_id AND r.type = 'pr' AND r.pr_number = p.number
           AND r.status IN ('completed', 'partial') ORDER BY r.position DESC LIMIT 1) > 0;

-- name: suppressions_resume
-- The open pull requests that a pause has kept from being checked.
UPDATE github_pulls p SET rescan_by = left(%(author)s, 200)
 WHERE p.repo_id = %(repo)s AND p.state = 'open' AND (p.number = %(number)s OR (%(number)s = 0
   AND NOT EXISTS (SELECT FROM github_pauses h WHERE h.repo_id = p.repo_id AND h.number = p.number)));
