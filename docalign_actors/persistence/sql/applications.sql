-- name: apps_insert
-- A new application.
INSERT INTO applications (id, name, url, token_id, secret_rotated_at, created_by, created_at)
VALUES (%(id)s, %(name)s, %(url)s, %(token)s, %(now)s, %(by)s, %(now)s);

-- name: apps_list
-- All applications, in the order of their names.
SELECT a.id, a.name, a.url, a.secret_generation, a.secret_rotated_at, a.created_by, a.created_at, t.last_used_at AS token_last_used_at,
       (SELECT count(*) FROM app_subscriptions s WHERE s.app_id = a.id) AS subscriptions,
       (SELECT count(*) FROM app_subscriptions s WHERE s.app_id = a.id AND s.status = 'failed') AS failed
  FROM applications a JOIN tokens t ON t.id = a.token_id
 WHERE a.name > %(after)s ORDER BY a.name LIMIT %(limit)s;

-- name: apps_one
-- One application.
SELECT a.id, a.name, a.url, a.secret_generation, a.secret_rotated_at, a.created_by, a.created_at, t.last_used_at AS token_last_used_at,
       (SELECT count(*) FROM app_subscriptions s WHERE s.app_id = a.id) AS subscriptions,
       (SELECT count(*) FROM app_subscriptions s WHERE s.app_id = a.id AND s.status = 'failed') AS failed
  FROM applications a JOIN tokens t ON t.id = a.token_id
 WHERE a.id = %(id)s;

-- name: apps_find
-- The application of that name.
SELECT id FROM applications WHERE name = %(name)s;

-- name: apps_remove
-- An application goes, with its token, its subscriptions and whatever waits for it.
DELETE FROM applications WHERE id = %(id)s RETURNING token_id;

-- name: apps_lock
-- An application that is about to change.
SELECT token_id, name FROM applications WHERE id = %(id)s FOR UPDATE;

-- name: apps_set_token
-- An application has another token from now on.
UPDATE applications SET token_id = %(token)s WHERE id = %(id)s;

-- name: apps_delete_token
-- A token that has been replaced, with its sessions.
DELETE FROM tokens WHERE id = %(token)s;

-- name: apps_rotate_secret
-- An application has another secret from now on.
UPDATE applications SET secret_generation = secret_generation + 1, secret_rotated_at = %(now)s WHERE id = %(id)s
RETURNING secret_generation;

-- name: apps_hold_subscriptions
-- The subscriptions of an application, held still while its address changes.
SELECT id FROM app_subscriptions WHERE app_id = %(id)s ORDER BY id FOR UPDATE;

-- name: apps_move
-- An application has another address from now on.
UPDATE applications SET url = %(url)s WHERE id = %(id)s RETURNING id;

-- name: apps_move_letters
-- What waits for it goes there, too, with all its attempts before it.
UPDATE outbox o SET url = %(url)s, attempts = CASE WHEN o.status = 'waiting' THEN 0 ELSE o.attempts END FROM app_subscriptions s
 WHERE s.app_id = %(id)s AND o.lane = s.lane AND o.status <> 'delivered' AND o.url <> %(url)s;

-- name: apps_move_lanes
-- That the old address failed is no reason to wait.
UPDATE outbox_lanes l SET due_at = %(now)s, failures = 0 FROM app_subscriptions s
 WHERE s.app_id = %(id)s AND l.lane = s.lane AND l.failures > 0;

-- name: apps_generation
-- Which secret an application has.
SELECT secret_generation AS number, secret_rotated_at AS rotated_at FROM applications WHERE id = %(id)s;

-- name: apps_repo
-- A registered repository, held still: a scan that ends now is written before or after what follows.
SELECT head_sha, default_branch, last_full_scan_at IS NOT NULL OR head_sha <> '' AS known FROM repos
 WHERE id = %(repo)s AND removed_at IS NULL FOR UPDATE;

-- name: apps_watch
-- A branch that somebody subscribes to. What is known of it is what the last scan saw, unless the journal is still behind that.
INSERT INTO journal_branches (repo_id, branch, commit)
SELECT %(repo)s, %(branch)s, CASE WHEN NOT EXISTS (SELECT FROM journal_notes n WHERE n.repo_id = %(repo)s AND n.sort = 'scan') THEN %(commit)s::text END
    ON CONFLICT (repo_id, branch) DO NOTHING;

-- name: apps_subscribe
-- A new subscription.
INSERT INTO app_subscriptions (id, app_id, repo_id, branch, paths, events, created_at)
VALUES (%(id)s, %(app)s, %(repo)s, %(branch)s, %(paths)s, %(events)s, %(now)s);

-- name: apps_subscriptions
-- What an application subscribes to, newest first.
SELECT s.id, s.app_id, s.repo_id, r.name AS repo_name, s.branch, s.paths, s.events, s.status, s.phase, s.commit, s.sequence,
       CASE WHEN s.phase = 'following' THEN b.position - s.position ELSE 0 END AS behind, coalesce(l.waiting, 0) AS waiting,
       (SELECT count(*) FROM app_holdings h WHERE h.subscription_id = s.id AND h.sort = 'file' AND h.received IS NOT NULL) AS files,
       s.failure, s.answer, s.failed_at, s.created_at
  FROM app_subscriptions s
  JOIN repos r ON r.id = s.repo_id
  JOIN journal_branches b ON b.repo_id = s.repo_id AND b.branch = s.branch
  LEFT JOIN outbox_lanes l ON l.lane = s.lane
 WHERE s.app_id = %(app)s AND s.id < %(before)s ORDER BY s.id DESC LIMIT %(limit)s;

-- name: apps_subscription
-- One subscription of an application.
SELECT s.id, s.app_id, s.repo_id, r.name AS repo_name, s.branch, s.paths, s.events, s.status, s.phase, s.commit, s.sequence,
       CASE WHEN s.phase = 'following' THEN b.position - s.position ELSE 0 END AS behind, coalesce(l.waiting, 0) AS waiting,
       (SELECT count(*) FROM app_holdings h WHERE h.subscription_id = s.id AND h.sort = 'file' AND h.received IS NOT NULL) AS files,
       s.failure, s.answer, s.failed_at, s.created_at
  FROM app_subscriptions s
  JOIN repos r ON r.id = s.repo_id
  JOIN journal_branches b ON b.repo_id = s.repo_id AND b.branch = s.branch
  LEFT JOIN outbox_lanes l ON l.lane = s.lane
 WHERE s.id = %(id)s AND s.app_id = %(app)s;

-- name: apps_unsubscribe
-- A subscription ends, and whatever waits for it goes.
DELETE FROM app_subscriptions WHERE id = %(id)s AND app_id = %(app)s RETURNING repo_id;

-- name: apps_lock_subscription
-- A subscription that somebody wants to change.
SELECT status, phase, lane, repo_id FROM app_subscriptions WHERE id = %(id)s AND app_id = %(app)s FOR UPDATE;

-- name: apps_pause
-- Nothing is sent until it is resumed.
UPDATE app_subscriptions SET status = 'paused', failure = '', answer = '', failed_at = NULL WHERE id = %(id)s;

-- name: apps_resume
-- It goes on where it stopped.
UPDATE app_subscriptions SET status = 'active', failure = '', answer = '', failed_at = NULL WHERE id = %(id)s;

-- name: apps_hold_lane
-- Whether a lane sends anything. It is due at once.
UPDATE outbox_lanes SET held = %(held)s, due_at = %(now)s, failures = 0 WHERE lane = %(lane)s;

-- name: apps_revive_letters
-- What was given up waits again, in its old place.
WITH again AS (
    UPDATE outbox SET status = 'waiting', attempts = 0, ended_at = NULL WHERE lane = %(lane)s AND status = 'dead' RETURNING lane
)
UPDATE outbox_lanes SET waiting = waiting + (SELECT count(*) FROM again) WHERE lane = %(lane)s;

-- name: apps_revive_deliveries
-- The same in the log.
UPDATE app_deliveries SET status = 'waiting', ended_at = NULL, attempts = 0 WHERE subscription_id = %(id)s AND status = 'dead';

-- name: apps_drop_letters
-- What waits for a subscription is not sent any more.
DELETE FROM outbox WHERE lane = %(lane)s;

-- name: apps_empty_lane
-- A lane without letters, free to send.
UPDATE outbox_lanes SET waiting = 0, held = false, failures = 0 WHERE lane = %(lane)s;

-- name: apps_drop_deliveries
-- The same in the log.
UPDATE app_deliveries SET status = 'dropped', ended_at = %(now)s WHERE subscription_id = %(id)s AND status IN ('waiting', 'dead');

-- name: apps_forget_holdings
-- What an application has is not known any more.
DELETE FROM app_holdings WHERE subscription_id = %(id)s;

-- name: apps_start_anew
-- A subscription begins with a snapshot again.
UPDATE app_subscriptions
   SET status = 'active', phase = 'new', commit = NULL, cursor = '', failure = '', answer = '', failed_at = NULL
 WHERE id = %(id)s;

-- name: apps_delivery
-- One delivery, of one application where that is asked for.
SELECT d.id, d.position, d.app_id, d.subscription_id, s.repo_id, d.sequence, d.event, d.name, d.previous_name, d.chunk, d.chunks, d.status,
       d.attempts, d.error, d.answer, d.created_at, d.ended_at
  FROM app_deliveries d JOIN app_subscriptions s ON s.id = d.subscription_id
 WHERE d.id = %(id)s AND (%(app)s::uuid IS NULL OR d.app_id = %(app)s);

-- name: apps_deliveries
-- Deliveries, newest first, before a place in that order; of one application, one subscription or in one status where that is asked for.
-- It must not be prepared: with the values at hand the planner leaves out what is not asked for.
SELECT d.id, d.position, d.app_id, d.subscription_id, s.repo_id, d.sequence, d.event, d.name, d.previous_name, d.chunk, d.chunks, d.status,
       d.attempts, d.error, d.answer, d.created_at, d.ended_at
  FROM app_deliveries d JOIN app_subscriptions s ON s.id = d.subscription_id
 WHERE d.position < %(before)s AND (%(app)s::uuid IS NULL OR d.app_id = %(app)s)
   AND (%(subscription)s::uuid IS NULL OR d.subscription_id = %(subscription)s) AND (%(status)s::text IS NULL OR d.status = %(status)s)
 ORDER BY d.position DESC LIMIT %(limit)s;

-- name: apps_content
-- The blob that a delivery is about.
SELECT s.repo_id, d.blob, d.name FROM app_deliveries d JOIN app_subscriptions s ON s.id = d.subscription_id
 WHERE d.id = %(id)s AND (%(app)s::uuid IS NULL OR d.app_id = %(app)s);

-- name: apps_lock_delivery
-- A delivery that somebody wants to be sent again.
SELECT d.id, d.app_id, d.subscription_id, d.body, d.status, s.lane, s.status AS subscription_status, a.url, s.repo_id
  FROM app_deliveries d JOIN app_subscriptions s ON s.id = d.subscription_id JOIN applications a ON a.id = d.app_id
 WHERE d.id = %(id)s AND (%(app)s::uuid IS NULL OR d.app_id = %(app)s)
   FOR UPDATE OF d, s;

-- name: apps_lock_since
-- What a subscription has received, from a place in its sequence on.
SELECT d.id, d.app_id, d.subscription_id, d.body, d.status, s.lane, s.status AS subscription_status, a.url, s.repo_id
  FROM app_deliveries d JOIN app_subscriptions s ON s.id = d.subscription_id JOIN applications a ON a.id = d.app_id
 WHERE d.subscription_id = %(subscription)s AND d.app_id = %(app)s AND d.sequence >= %(since)s AND d.status = 'delivered'
 ORDER BY d.sequence LIMIT %(limit)s
   FOR UPDATE OF d, s;

-- name: apps_replay
-- Deliveries wait again.
UPDATE app_deliveries SET status = 'waiting', ended_at = NULL, attempts = 0, error = '', answer = '' WHERE id = ANY(%(ids)s);

-- name: apps_figures
-- How many subscriptions there are in each status, and how much waits for them.
SELECT (SELECT count(*) FROM app_subscriptions WHERE status = 'active') AS active,
       (SELECT count(*) FROM app_subscriptions WHERE status = 'paused') AS paused,
       (SELECT count(*) FROM app_subscriptions WHERE status = 'failed') AS failed,
       (SELECT count(*) FROM app_deliveries WHERE status = 'waiting') AS waiting,
       (SELECT count(*) FROM journal_notes) AS notes;
