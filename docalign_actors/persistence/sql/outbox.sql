-- name: outbox_lanes_up
-- The lanes of new letters: made, or longer by so many.
INSERT INTO outbox_lanes (lane, waiting, due_at)
SELECT n.lane, n.count, %(now)s FROM unnest(%(lanes)s::text[], %(counts)s::bigint[]) AS n (lane, count) ORDER BY n.lane
    ON CONFLICT (lane) DO UPDATE
   SET due_at = CASE WHEN outbox_lanes.waiting = 0 THEN excluded.due_at ELSE outbox_lanes.due_at END,
       waiting = outbox_lanes.waiting + excluded.waiting;

-- name: outbox_put
-- New letters, in their order.
INSERT INTO outbox (id, lane, tenant_id, kind, url, body, trace, created_at)
SELECT n.id, n.lane, n.tenant_id, n.kind, n.url, n.body, n.trace, %(now)s
  FROM unnest(%(id)s::uuid[], %(lane)s::text[], %(tenant_id)s::text[], %(kind)s::text[], %(url)s::text[], %(body)s::text[], %(trace)s::text[])
       WITH ORDINALITY AS n (id, lane, tenant_id, kind, url, body, trace, nth)
 ORDER BY n.nth;

-- name: outbox_due
-- The first letter of each lane that is due and works, but for lanes that are being served.
SELECT o.id, o.lane, o.tenant_id, o.kind, o.url, o.body, o.created_at, o.attempts, o.trace
  FROM (
    SELECT lane FROM outbox_lanes
     WHERE waiting > 0 AND NOT held AND failures = 0 AND due_at <= %(now)s AND lane <> ALL (%(busy)s::text[]) ORDER BY due_at LIMIT %(limit)s
  ) AS l
 CROSS JOIN LATERAL (
    SELECT * FROM outbox x WHERE x.lane = l.lane AND x.status = 'waiting' ORDER BY x.position LIMIT 1
 ) AS o;

-- name: outbox_due_failing
-- The same of lanes whose last attempt failed.
SELECT o.id, o.lane, o.tenant_id, o.kind, o.url, o.body, o.created_at, o.attempts, o.trace
  FROM (
    SELECT lane FROM outbox_lanes
     WHERE waiting > 0 AND NOT held AND failures > 0 AND due_at <= %(now)s AND lane <> ALL (%(busy)s::text[]) ORDER BY due_at LIMIT %(limit)s
  ) AS l
 CROSS JOIN LATERAL (
    SELECT * FROM outbox x WHERE x.lane = l.lane AND x.status = 'waiting' ORDER BY x.position LIMIT 1
 ) AS o;

-- name: outbox_next
-- When the next lane that works is due, but for those that are being served.
SELECT min(due_at) FROM outbox_lanes WHERE waiting > 0 AND NOT held AND failures = 0 AND lane <> ALL (%(busy)s::text[]);

-- name: outbox_next_failing
-- The same of lanes whose last attempt failed.
SELECT min(due_at) FROM outbox_lanes WHERE waiting > 0 AND NOT held AND failures > 0 AND lane <> ALL (%(busy)s::text[]);

-- name: outbox_settle
-- What became of letters, one of each lane: one that has ended makes its lane shorter, and due at once; for another its lane waits.
WITH settled AS (
    UPDATE outbox o SET status = n.status, attempts = n.attempts, last_error = n.error, ended_at = CASE WHEN n.status <> 'waiting' THEN %(now)s END
      FROM unnest(%(ids)s::uuid[], %(statuses)s::text[], %(attempts)s::int[], %(errors)s::text[], %(dues)s::timestamptz[])
           AS n (id, status, attempts, error, due)
     WHERE o.id = n.id AND o.status = 'waiting' RETURNING o.id, o.lane, n.status, n.due
)
UPDATE outbox_lanes l
   SET waiting = l.waiting - CASE WHEN s.status = 'waiting' THEN 0 ELSE 1 END, due_at = coalesce(s.due, %(now)s),
       failures = CASE WHEN s.status = 'delivered' THEN 0 ELSE l.failures + 1 END
  FROM settled s WHERE l.lane = s.lane RETURNING s.id;

-- name: outbox_replay
-- A letter that was given up waits again, in its old place.
WITH again AS (
    UPDATE outbox SET status = 'waiting', attempts = 0, ended_at = NULL
     WHERE id = %(id)s AND tenant_id = %(tenant)s AND status = 'dead' RETURNING lane
)
UPDATE outbox_lanes l
   SET due_at = CASE WHEN l.waiting = 0 THEN %(now)s ELSE l.due_at END, waiting = l.waiting + 1
  FROM again WHERE l.lane = again.lane;

-- name: outbox_dead_letters
-- Letters of a tenant that were given up, newest first.
SELECT id, position, kind, url, status, attempts, last_error, created_at, ended_at FROM outbox
 WHERE tenant_id = %(tenant)s AND status = 'dead' ORDER BY tenant_id, status, position DESC LIMIT %(limit)s;

-- name: outbox_letters
-- Letters of a tenant in one status, newest first, before a position.
SELECT id, position, kind, url, status, attempts, last_error, created_at, ended_at FROM outbox
 WHERE tenant_id = %(tenant)s AND status = %(status)s AND position < %(before)s
 ORDER BY tenant_id, status, position DESC LIMIT %(limit)s;

-- name: outbox_failing
-- Letters of a tenant that did not arrive at the last attempt and are tried again, newest first, before a position.
SELECT id, position, kind, url, status, attempts, last_error, created_at, ended_at FROM outbox
 WHERE tenant_id = %(tenant)s AND status = 'waiting' AND attempts > 0 AND position < %(before)s
 ORDER BY tenant_id, position DESC LIMIT %(limit)s;

-- name: outbox_figures
-- How many letters of a tenant wait, have failed and wait, and were given up.
SELECT (SELECT count(*) FROM outbox WHERE tenant_id = %(tenant)s AND status = 'waiting') AS waiting,
       (SELECT count(*) FROM outbox WHERE tenant_id = %(tenant)s AND status = 'waiting' AND attempts > 0) AS failing,
       (SELECT count(*) FROM outbox WHERE tenant_id = %(tenant)s AND status = 'dead') AS dead;

-- name: outbox_forget
-- Letters that ended long ago, but for those of a lane that is held: somebody has yet to decide about them.
DELETE FROM outbox WHERE id IN (
    SELECT o.id FROM outbox o WHERE o.ended_at < %(before)s
       AND NOT EXISTS (SELECT FROM outbox_lanes l WHERE l.lane = o.lane AND l.held)
     ORDER BY o.ended_at LIMIT %(limit)s);
