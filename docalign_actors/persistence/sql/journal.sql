-- name: journal_before
-- A repository as it was known before a scan, held still: nobody begins to subscribe to it until that scan is written.
SELECT health_score FROM repos WHERE id = %(repo)s FOR UPDATE;

-- name: journal_note_scan
-- What a scan of a branch changed, if anybody subscribes to the repository. `before`: the claims that were known to be false.
INSERT INTO journal_notes (repo_id, sort, run_id, branch, head, data)
SELECT %(repo)s, 'scan', %(run)s, %(branch)s, %(head)s, jsonb_build_object(
       'health', jsonb_build_object('before', %(score_before)s::int, 'after', %(score)s::int, 'total', %(total)s::int,
                                    'verified', %(verified)s::int, 'drifted', %(drifted)s::int),
       'drifted', (
           SELECT coalesce(jsonb_agg(jsonb_build_object(
                      'id', c.fingerprint, 'kind', c.kind, 'rule', c.rule, 'file', c.file, 'line', c.line, 'text', left(c.text, 2000),
                      'message', left(c.message, 2000), 'severity', c.severity, 'confidence', round(c.confidence::numeric, 3))
                  ORDER BY c.file, c.line, c.fingerprint), '[]')
             FROM claims c
            WHERE c.repo_id = %(repo)s AND c.verdict = 'drifted' AND c.gone_at IS NULL
              AND c.fingerprint NOT IN (SELECT unnest(%(before)s::text[]))),
       'fixed', (
           SELECT coalesce(jsonb_agg(jsonb_build_object(
                      'id', c.fingerprint, 'kind', c.kind, 'rule', c.rule, 'file', c.file, 'line', c.line, 'text', left(c.text, 2000),
                      'verdict', CASE WHEN c.gone_at IS NULL THEN c.verdict ELSE 'gone' END)
                  ORDER BY c.file, c.line, c.fingerprint), '[]')
             FROM unnest(%(before)s::text[]) AS b (fingerprint)
             JOIN claims c ON c.repo_id = %(repo)s AND c.fingerprint = b.fingerprint
            WHERE c.gone_at IS NOT NULL OR c.verdict <> 'drifted'))
 WHERE EXISTS (SELECT FROM app_subscriptions s WHERE s.repo_id = %(repo)s)
    ON CONFLICT (run_id) DO NOTHING;

-- name: journal_repos_with_work
-- Repositories with something to write into the journal, or with a subscription that has something to be told and room for it.
SELECT repo_id FROM journal_notes
 UNION
SELECT s.repo_id FROM app_subscriptions s
  JOIN journal_branches b USING (repo_id, branch)
  LEFT JOIN outbox_lanes l ON l.lane = s.lane
 WHERE s.status = 'active' AND (s.phase <> 'following' OR s.position < b.position) AND coalesce(l.waiting, 0) <= %(low)s
 LIMIT %(limit)s;

-- name: journal_next_note
-- The oldest thing that is not in a repository's journal yet.
SELECT n.position, n.repo_id, n.sort, n.branch, n.head, n.data, n.at,
       NOT EXISTS (SELECT FROM journal_notes m WHERE m.repo_id = n.repo_id AND m.sort = 'scan' AND m.position > n.position) AS is_last
  FROM journal_notes n WHERE n.repo_id = %(repo)s ORDER BY n.position LIMIT 1;

-- name: journal_branches_of
-- The branches of a repository that somebody subscribes to.
SELECT branch AS name, commit, position, floor FROM journal_branches WHERE repo_id = %(repo)s ORDER BY branch;

-- name: journal_take_note
-- A note goes into the journal now, and only now.
DELETE FROM journal_notes WHERE position = %(note)s RETURNING position;

-- name: journal_advance
-- A branch's journal gets longer by so many, if it is still where the one who writes has seen it.
UPDATE journal_branches SET commit = %(commit)s, position = position + %(count)s
 WHERE repo_id = %(repo)s AND branch = %(branch)s AND commit IS NOT DISTINCT FROM %(before)s AND position = %(position)s
RETURNING position;

-- name: journal_insert
-- What happened on a branch, in order.
INSERT INTO journal (repo_id, branch, position, kind, name, previous_name, mode, blob, size, is_binary, commit, data, at)
SELECT %(repo)s, %(branch)s, %(position)s + n.nth, n.kind, n.name, n.previous_name, n.mode, n.blob, n.size, n.is_binary, n.commit, n.data, %(at)s
  FROM unnest(%(kind)s::text[], %(name)s::text[], %(previous_name)s::text[], %(mode)s::text[], %(blob)s::text[], %(size)s::bigint[],
              %(is_binary)s::boolean[], %(commit)s::text[], %(data)s::jsonb[])
       WITH ORDINALITY AS n (kind, name, previous_name, mode, blob, size, is_binary, commit, data, nth);

-- name: journal_lost
-- Nobody knows what changed on a branch: its subscriptions are brought up to date by comparing what they have with what there is.
UPDATE app_subscriptions SET phase = 'new', commit = NULL, cursor = '' WHERE repo_id = %(repo)s AND branch = %(branch)s;

-- name: journal_hungry
-- Subscriptions of a repository that have something to be told and room for it, the longest unattended first.
SELECT s.id, s.app_id, s.repo_id, s.branch, s.paths, s.events, s.phase, s.commit, s.cursor, s.position, s.sequence, s.lane, a.url,
       r.name AS repo_name, r.url AS repo_url, r.default_branch, coalesce(l.waiting, 0) AS waiting,
       b.commit AS branch_commit, b.position AS branch_position, b.floor AS branch_floor
  FROM app_subscriptions s
  JOIN journal_branches b ON b.repo_id = s.repo_id AND b.branch = s.branch
  JOIN applications a ON a.id = s.app_id
  JOIN repos r ON r.id = s.repo_id
  LEFT JOIN outbox_lanes l ON l.lane = s.lane
 WHERE s.repo_id = %(repo)s AND s.status = 'active' AND b.commit IS NOT NULL AND (s.phase <> 'following' OR s.position < b.position)
   AND coalesce(l.waiting, 0) <= %(low)s
 ORDER BY s.fed_at LIMIT %(limit)s;

-- name: journal_lock
-- These subscriptions, held still while it is decided what they are told.
SELECT s.id, s.app_id, s.repo_id, s.branch, s.paths, s.events, s.phase, s.commit, s.cursor, s.position, s.sequence, s.lane, a.url,
       r.name AS repo_name, r.url AS repo_url, r.default_branch, coalesce(l.waiting, 0) AS waiting,
       b.commit AS branch_commit, b.position AS branch_position, b.floor AS branch_floor
  FROM app_subscriptions s
  JOIN journal_branches b ON b.repo_id = s.repo_id AND b.branch = s.branch
  JOIN applications a ON a.id = s.app_id
  JOIN repos r ON r.id = s.repo_id
  LEFT JOIN outbox_lanes l ON l.lane = s.lane
 WHERE s.id = ANY(%(ids)s) AND s.status = 'active'
 ORDER BY s.id FOR UPDATE OF s SKIP LOCKED;

-- name: journal_entries
-- What happened on a branch after a place in its journal.
SELECT kind, name, previous_name, mode, blob, size, is_binary, commit, data, at, position FROM journal
 WHERE repo_id = %(repo)s AND branch = %(branch)s AND position > %(position)s ORDER BY position LIMIT %(limit)s;

-- name: journal_promised_after
-- What a subscription has been promised, in order, after a place.
SELECT sort, name, promised FROM app_holdings
 WHERE subscription_id = %(id)s AND sort = %(sort)s AND name > %(cursor)s ORDER BY name LIMIT %(limit)s;

-- name: journal_promised
-- What a subscription has been promised of these things.
SELECT sort, name, promised FROM app_holdings WHERE subscription_id = %(id)s AND (sort, name) IN (
    SELECT w.sort, w.name FROM unnest(%(sorts)s::text[], %(names)s::text[]) AS w (sort, name));

-- name: journal_open_claims
-- Claims of the default branch that are false, in the order of their fingerprints, after one of them.
SELECT c.fingerprint, c.file, jsonb_build_object(
           'id', c.fingerprint, 'kind', c.kind, 'rule', c.rule, 'file', c.file, 'line', c.line, 'text', left(c.text, 2000),
           'message', left(c.message, 2000), 'severity', c.severity, 'confidence', round(c.confidence::numeric, 3)) AS data
  FROM claims c
 WHERE c.repo_id = %(repo)s AND c.verdict = 'drifted' AND c.gone_at IS NULL AND c.fingerprint COLLATE "C" > %(cursor)s
 ORDER BY c.fingerprint COLLATE "C" LIMIT %(limit)s;

-- name: journal_stand
-- Where subscriptions stand now.
UPDATE app_subscriptions s
   SET phase = n.phase, commit = n.commit, cursor = n.cursor, position = n.position, sequence = n.sequence, fed_at = %(now)s
  FROM unnest(%(ids)s::uuid[], %(phases)s::text[], %(commits)s::text[], %(cursors)s::text[], %(positions)s::bigint[], %(sequences)s::bigint[])
       AS n (id, phase, commit, cursor, position, sequence)
 WHERE s.id = n.id;

-- name: journal_promise
-- What subscriptions have when all that is in their lanes has arrived.
INSERT INTO app_holdings AS h (subscription_id, sort, name, promised)
SELECT * FROM unnest(%(ids)s::uuid[], %(sorts)s::text[], %(names)s::text[], %(promised)s::text[])
    ON CONFLICT (subscription_id, sort, name) DO UPDATE SET promised = excluded.promised;

-- name: journal_forget
-- What subscriptions do not have any more, and did not want to be told.
DELETE FROM app_holdings h USING unnest(%(ids)s::uuid[], %(sorts)s::text[], %(names)s::text[]) AS n (id, sort, name)
 WHERE h.subscription_id = n.id AND h.sort = n.sort AND h.name = n.name;

-- name: journal_deliveries
-- Deliveries that wait, as the log shows them.
INSERT INTO app_deliveries (id, app_id, subscription_id, sequence, event, sort, name, previous_name, version, blob, chunk, chunks, body, created_at)
SELECT n.*, %(now)s
  FROM unnest(%(id)s::uuid[], %(app_id)s::uuid[], %(subscription_id)s::uuid[], %(sequence)s::bigint[], %(event)s::text[], %(sort)s::text[],
              %(name)s::text[], %(previous_name)s::text[], %(version)s::text[], %(blob)s::text[], %(chunk)s::int[], %(chunks)s::int[],
              %(body)s::text[]) AS n;

-- name: journal_start_anew
-- A snapshot whose commit is not here any more begins again.
UPDATE app_subscriptions SET phase = 'new', commit = NULL, cursor = '' WHERE id = %(id)s AND phase = 'files';

-- name: journal_delivered
-- Deliveries that have arrived: the application has what they say, when the last piece is there.
WITH done AS (
    UPDATE app_deliveries d SET status = 'delivered', attempts = n.attempts, error = '', answer = '', ended_at = %(now)s
      FROM unnest(%(ids)s::uuid[], %(attempts)s::int[]) AS n (id, attempts)
     WHERE d.id = n.id AND d.status = 'waiting'
    RETURNING d.subscription_id, d.sequence, d.sort, d.name, d.previous_name, d.version, d.chunk = d.chunks AS whole
), has AS (
    -- Not what is sent again of long ago.
    UPDATE app_holdings h SET received = d.version, sequence = d.sequence FROM done d
     WHERE d.whole AND d.version IS NOT NULL AND h.subscription_id = d.subscription_id AND h.sort = d.sort AND h.name = d.name
       AND h.sequence < d.sequence
)
DELETE FROM app_holdings h USING done d
 WHERE d.whole AND d.sort <> '' AND h.subscription_id = d.subscription_id AND h.sort = d.sort AND h.promised IS NULL
   AND h.name = CASE WHEN d.version IS NULL THEN d.name ELSE nullif(d.previous_name, '') END;

-- name: journal_forget_letters
-- Letters that have arrived: the log has them.
DELETE FROM outbox WHERE id = ANY(%(ids)s) AND status = 'delivered';

-- name: journal_tried
-- Deliveries that did not arrive and are tried again.
UPDATE app_deliveries d SET attempts = n.attempts, error = n.error, answer = n.answer
  FROM unnest(%(ids)s::uuid[], %(attempts)s::int[], %(errors)s::text[], %(answers)s::text[]) AS n (id, attempts, error, answer)
 WHERE d.id = n.id AND d.status = 'waiting';

-- name: journal_dead
-- Deliveries that are given up. Their subscriptions have failed: nothing goes past what did not arrive.
WITH dead AS (
    UPDATE app_deliveries d SET status = 'dead', attempts = n.attempts, error = n.error, answer = n.answer, ended_at = %(now)s
      FROM unnest(%(ids)s::uuid[], %(attempts)s::int[], %(errors)s::text[], %(answers)s::text[]) AS n (id, attempts, error, answer)
     WHERE d.id = n.id AND d.status = 'waiting'
    RETURNING d.subscription_id, d.error, d.answer
), failed AS (
    UPDATE app_subscriptions s SET status = 'failed', failure = dead.error, answer = dead.answer, failed_at = %(now)s
      FROM dead WHERE s.id = dead.subscription_id RETURNING s.lane
)
UPDATE outbox_lanes l SET held = true FROM failed WHERE l.lane = failed.lane;
