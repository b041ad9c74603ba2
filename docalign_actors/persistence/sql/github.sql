-- name: github_keep
-- Writes deliveries down. One that had failed is tried again; any other that is there already stays as it is.
INSERT INTO github_deliveries AS d (app_id, delivery_id, event, action, installation_id, status, content, raw, error)
SELECT app_id, delivery_id, event, action, installation_id, status, content::jsonb, raw, error
  FROM unnest(%(apps)s::bigint[], %(deliveries)s::text[], %(events)s::text[], %(actions)s::text[], %(installations)s::bigint[],
              %(statuses)s::text[], %(contents)s::text[], %(raws)s::bytea[], %(errors)s::text[])
       WITH ORDINALITY AS w (app_id, delivery_id, event, action, installation_id, status, content, raw, error, ord)
 ORDER BY ord
    ON CONFLICT (app_id, delivery_id) DO UPDATE
   SET status = excluded.status, content = excluded.content, raw = excluded.raw, error = excluded.error, attempts = 0, due_at = now()
 WHERE d.status IN ('failed', 'unreadable');

-- name: github_waiting
-- Deliveries that are due, the oldest first.
SELECT app_id, delivery_id, event, content::text AS content, attempts
  FROM github_deliveries WHERE status = 'waiting' AND due_at <= %(now)s ORDER BY position LIMIT %(most)s;

-- name: github_done
-- A delivery's effect is committed; what it said is of no more use.
UPDATE github_deliveries SET status = 'done', content = NULL, error = '' WHERE app_id = %(app)s AND delivery_id = %(delivery)s AND status = 'waiting';

-- name: github_put_off
-- A delivery could not be carried out: tried again later, or given up.
UPDATE github_deliveries
   SET attempts = attempts + 1, error = %(error)s, due_at = coalesce(%(due_at)s, due_at),
       status = CASE WHEN %(due_at)s::timestamptz IS NULL THEN 'failed' ELSE 'waiting' END
 WHERE app_id = %(app)s AND delivery_id = %(delivery)s AND status = 'waiting';

-- name: github_known
-- What an event is compared with.
SELECT g.full_name, g.archived, g.pushed_at, p.state, p.head_sha, p.base_ref, p.updated_at,
       EXISTS (SELECT FROM github_pauses h WHERE h.repo_id = g.repo_id AND h.number = 0) AS paused
  FROM github_repos g JOIN repos r ON r.id = g.repo_id LEFT JOIN github_pulls p ON p.repo_id = g.repo_id AND p.number = %(number)s
 WHERE g.github_id = %(github_id)s AND r.removed_at IS NULL;

-- name: github_save_installation
-- An installation as it is now.
INSERT INTO github_installations AS i (id, account, state, permissions) VALUES (%(id)s, %(account)s, %(state)s, %(permissions)s)
    ON CONFLICT (id) DO UPDATE
   SET account = CASE WHEN excluded.account = '' THEN i.account ELSE excluded.account END, state = excluded.state,
       permissions = CASE WHEN excluded.permissions = '{}' THEN i.permissions ELSE excluded.permissions END, updated_at = now();

-- name: github_try_all_again
-- What could not be told while an installation was suspended, or lacked a permission, is told now.
UPDATE github_checks c SET wanted = CASE WHEN told = wanted THEN wanted + 1 ELSE wanted END, due_at = now(), attempts = 0
  FROM github_repos g WHERE g.repo_id = c.repo_id AND g.installation_id = %(id)s AND c.last_error <> '';

-- name: github_installation_was
-- What an installation was until now.
SELECT state, permissions FROM github_installations WHERE id = %(id)s FOR UPDATE;

-- name: github_know_installation
-- An installation that is only mentioned.
INSERT INTO github_installations (id, account) VALUES (%(id)s, %(account)s) ON CONFLICT (id) DO NOTHING;

-- name: github_delete_installation
-- An installation is gone.
UPDATE github_installations SET state = 'deleted', paused_until = NULL, pause_reason = '', updated_at = now() WHERE id = %(id)s;

-- name: github_repos_of
-- The repositories of an installation.
SELECT repo_id FROM github_repos WHERE installation_id = %(id)s;

-- name: github_adopt
-- Registers a repository; one that is known under this address as a plain one becomes GitHub's.
INSERT INTO repos (id, host, url, name, organisation) VALUES (%(id)s, 'github', %(url)s, %(name)s, %(organisation)s)
    ON CONFLICT (url) WHERE removed_at IS NULL DO UPDATE SET host = 'github'
RETURNING id;

-- name: github_enrol
-- A repository belongs to an installation.
INSERT INTO github_repos AS g (repo_id, github_id, installation_id, full_name)
VALUES (%(repo)s, %(github_id)s, %(installation)s, %(full_name)s)
    ON CONFLICT (repo_id) DO UPDATE SET github_id = excluded.github_id, installation_id = excluded.installation_id, full_name = excluded.full_name;

-- name: github_reassign
-- A repository that is known may belong to another installation now.
UPDATE github_repos SET installation_id = %(installation)s WHERE github_id = %(github_id)s AND installation_id <> %(installation)s;

-- name: github_repo_of
-- The repository with GitHub's number.
SELECT g.repo_id, g.installation_id FROM github_repos g JOIN repos r ON r.id = g.repo_id WHERE g.github_id = %(github_id)s AND r.removed_at IS NULL;

-- name: github_unseen
-- Whether nobody has ever asked for a scan of a repository.
SELECT NOT EXISTS (SELECT FROM scan_runs WHERE repo_id = %(repo)s);

-- name: github_forget
-- A repository that was removed is not known any more.
DELETE FROM github_repos WHERE github_id = %(github_id)s;

-- name: github_dismiss
-- A repository is no business of ours any more; its pull requests and checks go with it.
DELETE FROM github_repos WHERE repo_id = %(repo)s;

-- name: github_rename
-- A repository has another name.
UPDATE github_repos SET full_name = %(full_name)s WHERE github_id = %(github_id)s RETURNING repo_id;

-- name: github_move
-- And so another address.
UPDATE repos SET url = %(url)s, name = %(name)s, organisation = %(organisation)s WHERE id = %(repo)s AND removed_at IS NULL;

-- name: github_archive
-- A repository was archived, or is alive again.
UPDATE github_repos SET archived = %(archived)s WHERE github_id = %(github_id)s;

-- name: github_note_pull
-- A pull request as it is now, unless something newer is known.
INSERT INTO github_pulls AS p (repo_id, number, state, draft, head_sha, head_repo, base_ref, author, updated_at)
SELECT repo_id, %(number)s, %(state)s, %(draft)s, %(head_sha)s, %(head_repo)s, %(base_ref)s, %(author)s, %(updated_at)s
  FROM github_repos WHERE github_id = %(github_id)s
    ON CONFLICT (repo_id, number) DO UPDATE
   SET state = excluded.state, draft = excluded.draft, head_sha = excluded.head_sha, head_repo = excluded.head_repo,
       base_ref = excluded.base_ref, author = excluded.author, updated_at = excluded.updated_at
 WHERE p.updated_at <= excluded.updated_at;

-- name: github_note_push
-- When the default branch was last pushed to.
UPDATE github_repos SET pushed_at = greatest(pushed_at, %(at)s) WHERE github_id = %(github_id)s;

-- name: github_pulls_with_head
-- The open pull requests with this head.
SELECT p.number, p.base_ref, p.head_sha
  FROM github_pulls p JOIN github_repos g USING (repo_id)
 WHERE g.github_id = %(github_id)s AND p.head_sha = %(head)s AND p.state = 'open' ORDER BY p.number;

-- name: github_runs_of_pull
-- What waits or runs for a pull request.
SELECT id FROM scan_runs
 WHERE repo_id = %(repo)s AND pr_number = %(number)s AND type = 'pr' AND status IN ('queued', 'running') ORDER BY position;

-- name: github_note_refusal
-- There will be no scan of this head; its check says why.
INSERT INTO github_checks AS c (repo_id, number, head_sha, final, notice, resumes_at)
SELECT repo_id, %(number)s, %(head)s, true, %(notice)s, %(resumes_at)s FROM github_repos WHERE repo_id = %(repo)s
    ON CONFLICT (repo_id, number, head_sha) DO UPDATE
   SET notice = excluded.notice, notice_title = '', resumes_at = excluded.resumes_at, final = true, wanted = c.wanted + 1, due_at = now(), attempts = 0, last_error = ''
 WHERE (c.notice <> excluded.notice OR c.resumes_at IS DISTINCT FROM excluded.resumes_at) AND c.run_id IS NULL;

-- name: github_next_head
-- The head of a pull request whose turn it is to be told about, with everything that decides what is told. People wait for the head of an
-- open pull request; one that was pushed aside can wait until they have theirs.
SELECT c.repo_id, c.number, c.head_sha, g.full_name, c.run_id, c.final, c.notice, c.notice_title, r.findings_suppressed, r.findings_cut, c.wanted, c.generation, c.check_id, c.posting,
       c.annotated, c.annotated_for, c.commented, c.concluded, c.told_text, c.attempts, p.comment_id, coalesce(p.commenting, false) AS commenting,
       coalesce(p.said, '[]') AS said, c.reviewed, c.reviewing,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('scope', s.scope, 'value', s.value, 'finding_id', s.finding_id)), '[]') FROM suppressions s
         WHERE s.repo_id = c.repo_id AND s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > %(now)s)) AS left_out,
       (SELECT coalesce(jsonb_agg(s.finding_id), '[]') FROM github_suggestions s WHERE s.repo_id = c.repo_id AND s.number = c.number) AS suggested,
       EXISTS (SELECT FROM github_suggestions s WHERE s.repo_id = c.repo_id AND s.number = c.number AND s.head_sha = c.head_sha) AS suggested_here,
       (SELECT jsonb_build_object('state', f.state, 'reason', f.reason, 'pull', f.pull) FROM github_fixes f
         WHERE f.repo_id = c.repo_id AND f.number = c.number AND f.ended_at >= r.created_at ORDER BY f.position DESC LIMIT 1) AS fix,
       r.status, r.stage, r.base_ref, r.claims_checked, r.claims_verified, r.threshold, r.comment_when_clean,
       r.last_error_code, r.last_error, r.cancel_reason, r.superseded_by IS NOT NULL AS superseded,
       coalesce((SELECT w.notice FROM scan_waits w WHERE w.run_id = c.run_id), '') AS agent_notice
  FROM github_checks c
  JOIN github_repos g ON g.repo_id = c.repo_id
  LEFT JOIN github_pulls p ON p.repo_id = c.repo_id AND p.number = c.number
  LEFT JOIN scan_runs r ON r.id = c.run_id
 WHERE c.told < c.wanted AND c.due_at <= %(now)s AND g.installation_id = %(installation)s
 ORDER BY coalesce(p.state = 'open' AND p.head_sha = c.head_sha, false) DESC, c.due_at LIMIT 1;

-- name: github_running_check
-- The head whose check is in progress for a run, with nothing else to tell.
SELECT c.repo_id, c.number, c.head_sha, g.full_name, c.run_id, c.final, c.notice, c.notice_title, r.findings_suppressed, r.findings_cut, c.wanted, c.generation, c.check_id, c.posting,
       c.annotated, c.annotated_for, c.commented, c.concluded, c.told_text, c.attempts, NULL::bigint AS comment_id, false AS commenting,
       '[]'::jsonb AS said, '[]'::jsonb AS left_out, c.reviewed, c.reviewing, '[]'::jsonb AS suggested, false AS suggested_here, NULL::jsonb AS fix, r.status, r.stage, r.base_ref, r.claims_checked, r.claims_verified, r.threshold, r.comment_when_clean,
       r.last_error_code, r.last_error, r.cancel_reason, r.superseded_by IS NOT NULL AS superseded,
       coalesce((SELECT w.notice FROM scan_waits w WHERE w.run_id = c.run_id), '') AS agent_notice
  FROM github_checks c JOIN github_repos g ON g.repo_id = c.repo_id JOIN scan_runs r ON r.id = c.run_id
 WHERE c.run_id = %(run)s AND c.told = c.wanted AND NOT c.final AND c.concluded = '';

-- name: github_findings
-- What a run reported, in its order.
SELECT finding FROM scan_findings WHERE run_id = %(run)s ORDER BY position;

-- name: github_due
-- When an installation has something to tell, and until when it is paused.
SELECT i.paused_until, i.pause_reason,
       least((SELECT min(c.due_at) FROM github_checks c JOIN github_repos g USING (repo_id) WHERE c.told < c.wanted AND g.installation_id = i.id),
             (SELECT min(f.due_at) FROM github_fixes f JOIN github_repos g USING (repo_id) WHERE f.state IN ('asked', 'making') AND g.installation_id = i.id)) AS at
  FROM github_installations i WHERE i.id = %(installation)s;

-- name: github_installations_due
-- The installations that have something to tell.
SELECT DISTINCT g.installation_id
  FROM (SELECT repo_id FROM github_checks WHERE told < wanted AND due_at <= %(now)s
        UNION ALL SELECT repo_id FROM github_fixes WHERE state IN ('asked', 'making') AND due_at <= %(now)s) AS w
  JOIN github_repos g USING (repo_id) JOIN github_installations i ON i.id = g.installation_id
 WHERE i.state = 'active' AND (i.paused_until IS NULL OR i.paused_until <= %(now)s);

-- name: github_installation_of
-- The installation that a repository belongs to.
SELECT installation_id FROM github_repos WHERE repo_id = %(repo)s;

-- name: github_mark_posting
-- A request is about to be sent whose answer may be lost.
UPDATE github_checks SET posting = true, annotated_for = coalesce(%(run)s::uuid, annotated_for) WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_record_check
-- What GitHub has of a head's check run.
UPDATE github_checks
   SET check_id = %(check)s, annotated = %(annotated)s, annotated_for = CASE WHEN %(annotated)s > 0 THEN coalesce(annotated_for, %(run)s::uuid) END,
       concluded = %(concluded)s, told_text = %(text)s, posting = false, attempts = 0, last_error = ''
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_renew
-- A head gets another check run.
UPDATE github_checks
   SET check_id = NULL, annotated = 0, annotated_for = NULL, concluded = '', posting = false, generation = generation + 1
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s AND generation = %(generation)s;

-- name: github_mark_commenting
-- A comment is about to be written whose id may be lost.
INSERT INTO github_pulls AS p (repo_id, number, state, head_sha, base_ref, updated_at, commenting)
VALUES (%(repo)s, %(number)s, 'open', %(sha)s, %(base)s, 'epoch', true)
    ON CONFLICT (repo_id, number) DO UPDATE SET commenting = true;

-- name: github_record_comment
-- The comment on a pull request, and what it speaks of.
UPDATE github_pulls SET comment_id = %(comment)s, commenting = %(comment)s::bigint IS NOT NULL, said = %(said)s
 WHERE repo_id = %(repo)s AND number = %(number)s;

-- name: github_record_commented
-- Everything is said for now.
UPDATE github_checks SET commented = %(wanted)s, attempts = 0, last_error = ''
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_mark_reviewing
-- A review is about to be written whose id may be lost.
UPDATE github_checks SET reviewing = true WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_record_suggested
-- What a review suggests; a finding that was suggested before stays with the first.
INSERT INTO github_suggestions (repo_id, number, finding_id, head_sha, review_id)
SELECT %(repo)s, %(number)s, unnest(%(findings)s::text[]), %(sha)s, %(review)s
    ON CONFLICT DO NOTHING;

-- name: github_record_review
-- Whether there is a review is known again.
UPDATE github_checks
   SET reviewing = false, reviewed = CASE WHEN %(done)s THEN %(wanted)s ELSE reviewed END, attempts = 0, last_error = ''
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_settle
-- Everything that was wanted is told.
UPDATE github_checks SET told = %(wanted)s, attempts = 0, last_error = ''
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_put_off_check
-- A step failed: it is tried again later, or given up.
UPDATE github_checks
   SET attempts = attempts + 1, last_error = %(error)s, due_at = now() + coalesce(%(delay)s, interval '0'),
       failing_since = CASE WHEN last_error = '' THEN now() ELSE failing_since END,
       told = CASE WHEN %(delay)s::interval IS NULL THEN wanted ELSE told END
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s;

-- name: github_pause
-- GitHub asked us to wait; or the wait is over.
UPDATE github_installations SET paused_until = %(until)s, pause_reason = %(reason)s, updated_at = now() WHERE id = %(installation)s;

-- name: github_known_heads
-- Which of these heads have been scanned, or will be, or are not to be. One that a late event pushed aside has not, nor one that a limit
-- kept back which has passed.
SELECT c.number, c.head_sha
  FROM github_checks c LEFT JOIN scan_runs r ON r.id = c.run_id
 WHERE c.repo_id = %(repo)s AND (c.number, c.head_sha) IN (SELECT * FROM unnest(%(numbers)s::integer[], %(shas)s::text[]))
   AND NOT coalesce(c.run_id IS NULL AND c.resumes_at <= now(), false)
   AND NOT coalesce(r.status = 'cancelled' AND (r.superseded_by IS NOT NULL OR r.cancel_reason LIKE 'the pull request was %%'), false);

-- name: github_gave_up
-- Whether the scan of a commit of the default branch has failed for good.
SELECT EXISTS (SELECT FROM scan_runs WHERE repo_id = %(repo)s AND commit_sha = %(sha)s AND status = 'failed' AND type <> 'pr');

-- name: github_kept_deliveries
-- Which of these deliveries were kept.
SELECT delivery_id FROM github_deliveries WHERE app_id = %(app)s AND delivery_id = ANY(%(guids)s) AND status <> 'unreadable';

-- name: github_watched
-- The repositories of active installations that GitHub has not asked to wait, and whether a scan of their default branch is open.
SELECT g.repo_id, g.installation_id, g.full_name, r.head_sha,
       EXISTS (SELECT FROM scan_runs s WHERE s.repo_id = g.repo_id AND s.status IN ('queued', 'running') AND s.type <> 'pr') AS busy
  FROM github_repos g JOIN repos r ON r.id = g.repo_id JOIN github_installations i ON i.id = g.installation_id
 WHERE r.removed_at IS NULL AND NOT g.archived AND i.state = 'active' AND (i.paused_until IS NULL OR i.paused_until <= now())
   AND NOT EXISTS (SELECT FROM github_pauses h WHERE h.repo_id = g.repo_id AND h.number = 0)
 ORDER BY g.repo_id;

-- name: github_seen_installations
-- Every installation with what an operator wants to know of it.
SELECT i.id, i.account, i.state, i.permissions, i.paused_until, i.pause_reason,
       (SELECT count(*) FROM github_repos g WHERE g.installation_id = i.id) AS repositories,
       (SELECT count(*) FROM github_checks c JOIN github_repos g USING (repo_id) WHERE g.installation_id = i.id AND c.told < c.wanted) AS waiting
  FROM github_installations i WHERE i.state <> 'deleted' ORDER BY i.account, i.id LIMIT %(most)s;

-- name: github_failing_checks
-- Checks that could not be told, or have waited for more than a minute: the longest first.
SELECT c.repo_id, g.full_name, c.number, c.head_sha, c.final, c.check_id IS NOT NULL AS has_check, c.posting, c.commented, c.reviewed, c.wanted,
       c.told, c.attempts, c.last_error, CASE WHEN c.last_error = '' THEN NULL ELSE c.failing_since END AS failing_since, c.due_at,
       coalesce(i.paused_until > %(now)s, false) AS paused, i.state = 'suspended' AS suspended
  FROM github_checks c JOIN github_repos g USING (repo_id) JOIN github_installations i ON i.id = g.installation_id
 WHERE c.last_error <> '' OR (c.told < c.wanted AND c.due_at < %(now)s - interval '1 minute')
 ORDER BY coalesce(c.failing_since, c.due_at) LIMIT %(most)s;

-- name: github_try_again
-- Somebody wants a check to be told now, even if it was given up.
UPDATE github_checks SET wanted = CASE WHEN told = wanted THEN wanted + 1 ELSE wanted END, due_at = now(), attempts = 0
 WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(sha)s AND (last_error <> '' OR told < wanted) RETURNING number;

-- name: github_carry_out_again
-- Somebody wants a delivery that failed to be carried out after all.
UPDATE github_deliveries SET status = 'waiting', attempts = 0, due_at = now(), error = '' WHERE position = %(position)s AND status = 'failed' RETURNING position;

-- name: github_all_pauses
-- What people have paused, newest first.
SELECT h.repo_id, g.full_name, h.number, h.paused_by, h.paused_at, h.reason FROM github_pauses h JOIN github_repos g USING (repo_id)
 ORDER BY h.paused_at DESC, h.repo_id, h.number LIMIT %(most)s;

-- name: github_last_fixes
-- The last fixes that were asked for, and what became of them.
SELECT f.id, f.repo_id, g.full_name, f.number, f.asked_by, f.state, f.reason, f.last_error, f.commit_sha, f.pull, f.created_at, f.ended_at
  FROM github_fixes f JOIN github_repos g USING (repo_id) ORDER BY f.position DESC LIMIT %(most)s;
