-- name: github_ask_fix
-- Writes down that somebody wants a fix; nothing if it was asked for from this source before.
INSERT INTO github_fixes (id, repo_id, number, findings, asked_by, source)
SELECT %(id)s, g.repo_id, %(number)s, %(findings)s, %(asked_by)s, %(source)s
  FROM github_repos g JOIN repos r ON r.id = g.repo_id WHERE g.repo_id = %(repo)s AND r.removed_at IS NULL
    ON CONFLICT (source) DO NOTHING
RETURNING id;

-- name: github_fix_of_source
-- The fix that was asked for from this source.
SELECT id FROM github_fixes WHERE source = %(source)s AND repo_id = %(repo)s;

-- name: github_next_fix
-- The fix whose turn it is.
SELECT f.id, f.repo_id, g.full_name, f.number, f.findings, f.asked_by, f.state, f.parent_sha, f.branch, f.base_ref, f.commit_sha,
       f.pull, f.mended, f.attempts
  FROM github_fixes f JOIN github_repos g USING (repo_id)
 WHERE f.state IN ('asked', 'making') AND f.due_at <= %(now)s AND g.installation_id = %(installation)s
 ORDER BY f.state = 'making' DESC, f.due_at, f.position LIMIT 1;

-- name: github_scan_of_head
-- The newest scan of a pull request's head.
SELECT c.run_id, c.final, c.notice, r.status
  FROM github_checks c LEFT JOIN scan_runs r ON r.id = c.run_id
 WHERE c.repo_id = %(repo)s AND c.number = %(number)s AND c.head_sha = %(commit)s;

-- name: github_scan_of_default
-- The newest scan of the default branch that came to its end, and the commit that it was of.
SELECT s.id AS run_id, true AS final, '' AS notice, s.status
  FROM scan_runs s JOIN repos r ON r.id = s.repo_id
 WHERE s.repo_id = %(repo)s AND s.type <> 'pr' AND s.status IN ('completed', 'partial') AND r.head_sha = %(commit)s
 ORDER BY s.position DESC LIMIT 1;

-- name: github_record_making
-- The commit is there; whatever happens now, it is known which one.
UPDATE github_fixes
   SET state = 'making', parent_sha = %(parent)s, branch = %(branch)s, base_ref = %(base)s, commit_sha = %(commit)s, pull = %(pull)s,
       mended = %(mended)s, last_error = ''
 WHERE id = %(id)s AND state = 'asked';

-- name: github_start_fix_over
-- The branch leads elsewhere: all begins anew.
UPDATE github_fixes
   SET state = 'asked', parent_sha = '', branch = '', base_ref = '', commit_sha = '', pull = NULL, mended = '[]', attempts = attempts + 1,
       due_at = now(), last_error = 'the branch has moved'
 WHERE id = %(id)s AND state = 'making';

-- name: github_end_fix
-- A fix has ended. What was not made has no commit.
UPDATE github_fixes
   SET state = %(state)s, reason = %(reason)s, pull = coalesce(%(pull)s, pull), ended_at = now(), last_error = '',
       mended = CASE WHEN %(state)s IN ('pushed', 'opened') THEN mended ELSE '[]' END,
       commit_sha = CASE WHEN %(state)s IN ('pushed', 'opened') THEN commit_sha ELSE '' END
 WHERE id = %(id)s AND state IN ('asked', 'making');

-- name: github_tell_of_fix
-- The comment on a pull request says what became of a fix, unless a new head speaks for itself.
UPDATE github_checks c SET wanted = c.wanted + 1, attempts = 0, due_at = now(), last_error = ''
  FROM github_pulls p
 WHERE c.repo_id = %(repo)s AND c.number = %(number)s AND p.repo_id = c.repo_id AND p.number = c.number AND c.head_sha = p.head_sha AND c.final;

-- name: github_put_off_fix
-- It is tried again later.
UPDATE github_fixes SET attempts = attempts + 1, due_at = now() + %(delay)s, last_error = %(error)s
 WHERE id = %(id)s AND state IN ('asked', 'making');

-- name: github_fixes_of_repo
-- What was asked for in a repository, newest first.
SELECT f.id, f.position, f.repo_id, f.number, f.findings, f.asked_by, f.state, f.reason, f.branch, f.commit_sha, f.pull, f.mended, f.last_error,
       f.created_at, f.ended_at
  FROM github_fixes f WHERE f.repo_id = %(repo)s AND f.position < %(before)s ORDER BY f.position DESC LIMIT %(limit)s;
