-- name: commands_record
-- Commands of a comment, once. Who gives very many is not answered any more, and neither is a bot.
WITH said AS (
    SELECT g.repo_id, %(bot)s OR (
               SELECT count(*) FROM github_commands c
                WHERE c.repo_id = g.repo_id AND c.author = %(author)s AND c.created_at > now() - interval '1 hour') >= %(most)s AS silent
      FROM github_repos g JOIN repos r ON r.id = g.repo_id WHERE g.github_id = %(github_id)s AND r.removed_at IS NULL)
INSERT INTO github_commands (repo_id, place, source_id, ordinal, number, pull, author, line, state, result)
SELECT s.repo_id, %(place)s, %(source)s, w.ordinal - 1, %(number)s, %(pull)s, %(author)s, w.line,
       CASE WHEN s.silent THEN 'told' ELSE 'asked' END, CASE WHEN s.silent THEN 'refused' ELSE '' END
  FROM said s CROSS JOIN unnest(%(lines)s::text[]) WITH ORDINALITY AS w (line, ordinal)
 ORDER BY w.ordinal
    ON CONFLICT (repo_id, place, source_id, ordinal) DO NOTHING;

-- name: commands_record_closing
-- A pull request was closed on which we had something to say: what people thought of it is looked at, once each time.
INSERT INTO github_commands AS c (repo_id, place, source_id, ordinal, number, pull, author, line)
SELECT p.repo_id, 'closing', p.number, 0, p.number, true, 'nobody', 'closed'
  FROM github_repos g JOIN github_pulls p ON p.repo_id = g.repo_id
 WHERE g.github_id = %(github_id)s AND p.number = %(number)s AND p.comment_id IS NOT NULL
    ON CONFLICT (repo_id, place, source_id, ordinal) DO UPDATE SET state = 'asked', result = '', attempts = 0, due_at = now() WHERE c.state = 'told';

-- name: commands_note_reactions
-- Who waved our suggestions away.
INSERT INTO github_commands (repo_id, place, source_id, ordinal, number, pull, author, line)
SELECT c.repo_id, 'reaction', w.source, w.ordinal, c.number, true, w.author, w.line
  FROM github_commands c CROSS JOIN unnest(%(sources)s::bigint[], %(ordinals)s::int[], %(authors)s::text[], %(lines)s::text[]) AS w (source, ordinal, author, line)
 WHERE c.id = %(id)s
    ON CONFLICT (repo_id, place, source_id, ordinal) DO NOTHING;

-- name: commands_looked_back
-- That is all that there was to see.
UPDATE github_commands SET state = 'told', result = 'done', attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'asked';

-- name: commands_next
-- The command about which GitHub is asked or told something next.
SELECT c.*, g.full_name, g.installation_id
  FROM github_commands c JOIN github_repos g ON g.repo_id = c.repo_id
 WHERE c.state IN ('asked', 'answered') AND c.due_at <= %(now)s AND g.installation_id = %(installation)s
 ORDER BY c.due_at, c.id LIMIT 1;

-- name: commands_due
-- When the next step about a command is due.
SELECT min(c.due_at) AS at FROM github_commands c JOIN github_repos g ON g.repo_id = c.repo_id
 WHERE c.state IN ('asked', 'answered') AND g.installation_id = %(installation)s;

-- name: commands_installations
-- The installations with commands that are to be answered.
SELECT DISTINCT g.installation_id
  FROM github_commands c JOIN github_repos g ON g.repo_id = c.repo_id JOIN github_installations i ON i.id = g.installation_id
 WHERE c.state IN ('asked', 'answered') AND c.due_at <= %(now)s AND i.state = 'active' AND (i.paused_until IS NULL OR i.paused_until <= %(now)s);

-- name: commands_seen
-- Its author can see that it was read.
UPDATE github_commands SET seen = true, attempts = 0, last_error = '' WHERE id = %(id)s;

-- name: commands_permission
-- What GitHub says that its author may do.
UPDATE github_commands SET permission = %(permission)s, attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'asked';

-- name: commands_head
-- The head that a pull request has now.
UPDATE github_commands SET base_ref = %(base)s, head_sha = %(head)s, attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'asked';

-- name: commands_material
-- What was looked up for the answer.
UPDATE github_commands SET material = %(material)s, attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'asked';

-- name: commands_make_ready
-- Everything is known that decides.
UPDATE github_commands SET state = 'ready', attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'asked';

-- name: commands_replying
-- A reply is about to be posted whose id may be lost.
UPDATE github_commands SET replying = true WHERE id = %(id)s AND state = 'answered';

-- name: commands_reply
-- The reply that is there; none if it was not posted.
UPDATE github_commands SET reply_id = %(comment)s, replying = false, attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'answered';

-- name: commands_finish
-- Everything is told.
UPDATE github_commands SET state = 'told', attempts = 0, last_error = '' WHERE id = %(id)s AND state = 'answered';

-- name: commands_put_off
-- A step failed: it is tried again later, or given up.
UPDATE github_commands
   SET attempts = attempts + 1, last_error = %(error)s, due_at = now() + coalesce(%(delay)s, interval '0'),
       state = CASE WHEN %(delay)s::interval IS NULL THEN 'told' ELSE state END,
       result = CASE WHEN %(delay)s::interval IS NULL AND result = '' THEN 'refused' ELSE result END
 WHERE id = %(id)s AND state <> 'told';

-- name: commands_ready
-- Commands that can be carried out, in the order in which they were given in each repository.
SELECT c.*, g.full_name, g.installation_id
  FROM github_commands c JOIN github_repos g ON g.repo_id = c.repo_id
 WHERE c.state = 'ready' AND c.due_at <= now()
   AND NOT EXISTS (SELECT FROM github_commands e WHERE e.repo_id = c.repo_id AND e.id < c.id AND e.state IN ('asked', 'ready'))
 ORDER BY c.id LIMIT %(most)s;

-- name: commands_findings
-- What the last scan of a pull request and the last one of the default branch reported under ids that begin so.
SELECT f.finding
  FROM (SELECT r.id, r.position, row_number() OVER (PARTITION BY r.type = 'pr' ORDER BY r.position DESC) AS newest
          FROM scan_runs r
         WHERE r.repo_id = %(repo)s AND r.status IN ('completed', 'partial')
           AND ((r.type = 'pr' AND r.pr_number = %(number)s) OR (r.type <> 'pr' AND %(whole)s))) AS last
  JOIN scan_findings f ON f.run_id = last.id
 WHERE last.newest = 1 AND EXISTS (SELECT FROM unnest(%(ids)s::text[]) AS w (id)
                                       WHERE starts_with(f.fingerprint, w.id) OR starts_with(f.finding ->> 'claim_id', w.id))
 ORDER BY last.position DESC, f.position LIMIT 50;

-- name: commands_suppressions
-- What is suppressed in a repository just now.
SELECT id, scope, value, reason, created_by, created_at, expires_at, about, finding_id FROM suppressions
 WHERE repo_id = %(repo)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s) ORDER BY created_at DESC, id;

-- name: commands_pauses
-- What keeps a pull request from being checked; its own pause before the repository's.
SELECT number, paused_by, paused_at, reason FROM github_pauses
 WHERE repo_id = %(repo)s AND number IN (0, %(number)s) ORDER BY number DESC;

-- name: commands_pull_state
-- Whether a pull request is open, as far as is known.
SELECT state FROM github_pulls WHERE repo_id = %(repo)s AND number = %(number)s;

-- name: commands_scanned
-- The head of a pull request that was scanned last.
SELECT commit_sha FROM scan_runs
 WHERE repo_id = %(repo)s AND type = 'pr' AND pr_number = %(number)s AND status IN ('completed', 'partial') ORDER BY position DESC LIMIT 1;

-- name: commands_dismissals
-- Who has waved a finding away.
SELECT dismissed_by FROM github_dismissals
 WHERE repo_id = %(repo)s AND fingerprint = ANY(%(ids)s) AND (place, source_id) <> (%(place)s, %(source)s) ORDER BY at;

-- name: commands_answer
-- What came of a command.
UPDATE github_commands
   SET state = 'answered', result = %(result)s, reply = %(reply)s, rescan = %(rescan)s, attempts = 0, due_at = now(), last_error = ''
 WHERE id = %(id)s AND state IN ('ready', 'waiting');

-- name: commands_to_rescan
-- Commands after which something is to be looked at again.
SELECT c.*, g.full_name, g.installation_id FROM github_commands c JOIN github_repos g ON g.repo_id = c.repo_id
 WHERE c.rescan ORDER BY c.id LIMIT %(most)s;

-- name: commands_rescanned
-- The scan was asked for.
UPDATE github_commands SET rescan = false WHERE id = %(id)s;

-- name: commands_wait_for
-- A command is done when its scan is, or its fix.
UPDATE github_commands SET state = 'waiting', run_id = %(run)s WHERE id = %(id)s AND state = 'ready';

-- name: commands_ended
-- Commands whose scan, or whose fix, has ended.
WITH over AS (
    SELECT c.*, r.status AS run_status, r.last_error_code, coalesce(nullif(r.last_error, ''), nullif(r.cancel_reason, ''), f.reason) AS said,
           r.superseded_by IS NOT NULL AS superseded, r.claims_checked, f.state AS fix, f.pull AS fix_pull
      FROM github_commands c
      LEFT JOIN scan_runs r ON r.id = c.run_id
      LEFT JOIN github_fixes f ON c.run_id IS NULL AND f.source = CASE c.place WHEN 'check' THEN 'action:' || c.source_id
                                                                  ELSE 'comment:' || c.source_id || ':' || c.ordinal END
     WHERE c.state = 'waiting' AND (r.id IS NULL OR r.completed_at IS NOT NULL) AND (f.id IS NULL OR f.ended_at IS NOT NULL)
     ORDER BY c.id LIMIT %(most)s)
SELECT o.*, g.full_name, g.installation_id, (SELECT count(*) FROM scan_findings f WHERE f.run_id = o.run_id) AS findings
  FROM over o JOIN github_repos g ON g.repo_id = o.repo_id ORDER BY o.id;

-- name: commands_hold
-- A pull request, or a repository, is paused. Who was first stays.
INSERT INTO github_pauses (repo_id, number, paused_by, reason) VALUES (%(repo)s, %(number)s, %(author)s, %(reason)s)
    ON CONFLICT (repo_id, number) DO NOTHING;

-- name: commands_hold_checks
-- The checks of scans that are stopped say why.
UPDATE github_checks c
   SET notice = %(notice)s, notice_title = %(title)s, wanted = wanted + 1, due_at = now(), attempts = 0, last_error = ''
 WHERE repo_id = %(repo)s AND (number = %(number)s OR %(number)s = 0) AND NOT final AND notice <> %(notice)s;

-- name: commands_open_runs
-- The scans of pull requests that a pause stops.
SELECT id FROM scan_runs
 WHERE repo_id = %(repo)s AND type = 'pr' AND status IN ('queued', 'running') AND (pr_number = %(number)s OR %(number)s = 0) ORDER BY position;

-- name: commands_note_pause
-- There will be no scan of this head for now; its check says why.
INSERT INTO github_checks AS c (repo_id, number, head_sha, final, notice, notice_title)
SELECT repo_id, %(number)s, %(head)s, true, %(notice)s, %(title)s FROM github_repos WHERE repo_id = %(repo)s
    ON CONFLICT (repo_id, number, head_sha) DO UPDATE
   SET notice = excluded.notice, notice_title = excluded.notice_title, resumes_at = NULL, final = true, wanted = c.wanted + 1, due_at = now(), attempts = 0, last_error = ''
 WHERE c.notice <> excluded.notice AND c.run_id IS NULL;

-- name: commands_release
-- A pull request, or a repository, is checked again.
DELETE FROM github_pauses WHERE repo_id = %(repo)s AND number = %(number)s;

-- name: commands_open_pulls
-- The open pull requests of a repository that are not paused themselves.
SELECT p.number, p.base_ref, p.head_sha FROM github_pulls p
 WHERE p.repo_id = %(repo)s AND p.state = 'open'
   AND NOT EXISTS (SELECT FROM github_pauses h WHERE h.repo_id = p.repo_id AND h.number = p.number)
 ORDER BY p.number;

-- name: commands_dismiss
-- A suggestion was waved away.
INSERT INTO github_dismissals (repo_id, fingerprint, place, source_id, number, dismissed_by)
VALUES (%(repo)s, %(fingerprint)s, %(place)s, %(source)s, %(number)s, %(author)s) ON CONFLICT DO NOTHING;

-- name: commands_forget_dismissals
-- Somebody wants to hear of a claim again: what was waved away before does not count any more.
DELETE FROM github_dismissals d USING suppressions s
 WHERE s.id = ANY(%(ids)s) AND s.scope = 'claim' AND d.repo_id = s.repo_id AND d.fingerprint = s.finding_id;

-- name: commands_pulls_to_rescan
-- Pull requests that are to be looked at again because somebody has changed what holds for them.
SELECT p.repo_id, p.number, p.base_ref, p.head_sha, p.state = 'open' AS open, p.rescan_by, g.installation_id
  FROM github_pulls p JOIN github_repos g ON g.repo_id = p.repo_id
 WHERE p.rescan_by <> '' ORDER BY p.repo_id, p.number LIMIT %(most)s;

-- name: commands_pull_rescanned
-- The scan of that head was asked for; a newer wish stays.
UPDATE github_pulls SET rescan_by = '' WHERE repo_id = %(repo)s AND number = %(number)s AND head_sha = %(head)s AND rescan_by = %(author)s;
