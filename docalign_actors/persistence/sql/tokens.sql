-- name: tokens_insert
-- A new token, known by its hash only. Written a second time it stays as it is.
INSERT INTO tokens (id, name, role, hash, one_time, created_at, expires_at, scopes, event_types, tenant)
VALUES (%(id)s, %(name)s, %(role)s, %(hash)s, %(one_time)s, %(now)s, %(expires_at)s, %(scopes)s, %(event_types)s, %(tenant)s)
    ON CONFLICT (id) DO NOTHING;

-- name: tokens_find
-- The token of a hash, whatever its state.
SELECT id, name, role, hash, one_time, created_at, expires_at, revoked_at, last_used_at, scopes, event_types, tenant
  FROM tokens WHERE hash = %(hash)s;

-- name: tokens_list
-- All tokens, oldest first; ids grow with time.
SELECT id, name, role, one_time, created_at, expires_at, revoked_at, last_used_at, scopes, event_types, tenant
  FROM tokens ORDER BY id;

-- name: tokens_touch
-- Remembers that a token was used, at most once a minute.
UPDATE tokens SET last_used_at = %(now)s
 WHERE id = %(id)s AND (last_used_at IS NULL OR last_used_at < %(now)s - interval '1 minute');

-- name: tokens_use_once
-- Uses a one-time token up. Of two who try at once, one succeeds.
UPDATE tokens SET last_used_at = %(now)s
 WHERE hash = %(hash)s AND one_time AND last_used_at IS NULL AND revoked_at IS NULL AND expires_at > %(now)s
RETURNING id;

-- name: tokens_revoke
-- Revokes a token for good.
UPDATE tokens SET revoked_at = %(now)s WHERE id = %(id)s AND revoked_at IS NULL;

-- name: tokens_end_sessions
-- Ends every session that was opened with a token.
DELETE FROM sessions WHERE token_id = %(id)s;

-- name: tokens_discard
-- A token that nobody will use again; its sessions go with it.
DELETE FROM tokens WHERE id = %(id)s;

-- name: tokens_any
-- Whether anybody could sign in: a token that is neither revoked nor expired.
SELECT id FROM tokens WHERE revoked_at IS NULL AND NOT one_time AND (expires_at IS NULL OR expires_at > %(now)s) ORDER BY id LIMIT 1;

-- name: tokens_insert_session
-- A session of somebody who signed in.
INSERT INTO sessions (hash, token_id, created_at, expires_at) VALUES (%(hash)s, %(token)s, %(now)s, %(expires_at)s)
    ON CONFLICT (hash) DO NOTHING;

-- name: tokens_find_session
-- The token behind a session that holds. A one-time token has expired by then, and its session goes on.
SELECT t.id, t.name, t.role, s.hash, t.one_time, t.created_at, s.expires_at, t.revoked_at, t.last_used_at, t.scopes,
       t.event_types, t.tenant
  FROM sessions s JOIN tokens t ON t.id = s.token_id
 WHERE s.hash = %(hash)s AND s.expires_at > %(now)s AND t.revoked_at IS NULL
   AND (t.one_time OR t.expires_at IS NULL OR t.expires_at > %(now)s);

-- name: tokens_end_session
-- Signs somebody out.
DELETE FROM sessions WHERE hash = %(hash)s;

-- name: tokens_forget_sessions
-- Sessions that have run out.
DELETE FROM sessions WHERE expires_at < %(now)s;
