-- The watcher: when each repository is looked at, and the circuit of each that git could not reach.

-- A rule that is '' is the service's own. `check_at` and `full_at` are NULL for never, and `full_at` also before the first look.
CREATE TABLE watch_schedules (
    repo_id    uuid PRIMARY KEY REFERENCES repos ON DELETE CASCADE,
    check_rule text NOT NULL DEFAULT '' CHECK (length(check_rule) <= 100),
    full_rule  text NOT NULL DEFAULT '' CHECK (length(full_rule) <= 100),
    check_at   timestamptz,
    full_at    timestamptz,
    due_at     timestamptz GENERATED ALWAYS AS (least(check_at, full_at)) STORED,
    head_sha   text NOT NULL DEFAULT '',
    branch     text NOT NULL DEFAULT '',
    looked_at  timestamptz,
    look_error text NOT NULL DEFAULT '',
    CHECK (check_rule <> 'never' OR check_at IS NULL),
    CHECK (full_rule <> 'never' OR full_at IS NULL)
);
CREATE INDEX watch_schedules_due ON watch_schedules (due_at) WHERE due_at IS NOT NULL;
-- Every row changes at every look: room on its page keeps the index from growing.
ALTER TABLE watch_schedules SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- No row is a closed circuit without a failure.
CREATE TABLE circuits (
    repo_id     uuid PRIMARY KEY REFERENCES repos ON DELETE CASCADE,
    state       text NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
    failures    integer NOT NULL CHECK (failures >= 0),
    origin      text CHECK (origin IN ('look', 'scan')),
    open_until  timestamptz,
    trial_until timestamptz,
    error_code  text NOT NULL DEFAULT '',
    error       text NOT NULL DEFAULT '',
    changed_at  timestamptz NOT NULL,
    CHECK ((state = 'open') = (open_until IS NOT NULL)),
    CHECK ((state = 'half_open') = (trial_until IS NOT NULL)),
    CHECK (state = 'closed' OR failures > 0)
);
CREATE INDEX circuits_not_closed ON circuits (changed_at DESC) WHERE state <> 'closed';

-- Every change of state, in order. Whoever tells others of it reads on from the last id that it has seen.
CREATE TABLE circuit_history (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id    uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    at         timestamptz NOT NULL,
    before     text NOT NULL CHECK (before IN ('closed', 'open', 'half_open')),
    after      text NOT NULL CHECK (after IN ('closed', 'open', 'half_open')),
    cause      text NOT NULL,
    failures   integer NOT NULL,
    error_code text NOT NULL DEFAULT '',
    error      text NOT NULL DEFAULT '',
    CHECK (before <> after)
);
CREATE INDEX circuit_history_of_repo ON circuit_history (repo_id, id DESC);
CREATE INDEX circuit_history_age ON circuit_history (at);

-- What happened to scans and concerns a circuit, until it is counted. Scans know nothing of circuits.
CREATE TABLE circuit_inbox (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    kind    text NOT NULL CHECK (kind IN ('asked', 'worked', 'failed', 'nothing')),
    code    text NOT NULL DEFAULT '',
    error   text NOT NULL DEFAULT ''
);
CREATE INDEX circuit_inbox_of_repo ON circuit_inbox (repo_id);

-- Whoever registers a repository, and however: it is watched. Whoever registers it most often asks for its first scan at once,
-- and gets half a minute for that.
CREATE FUNCTION watch_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO watch_schedules (repo_id, check_at) VALUES (NEW.id, now() + interval '30 seconds');
    RETURN NULL;
END $$;
CREATE TRIGGER watch_begin AFTER INSERT ON repos
    FOR EACH ROW WHEN (NEW.removed_at IS NULL) EXECUTE FUNCTION watch_begin();

CREATE FUNCTION watch_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM watch_schedules WHERE repo_id = NEW.id;
    DELETE FROM circuits WHERE repo_id = NEW.id;
    DELETE FROM circuit_history WHERE repo_id = NEW.id;
    DELETE FROM circuit_inbox WHERE repo_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER watch_end AFTER UPDATE OF removed_at ON repos
    FOR EACH ROW WHEN (NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL) EXECUTE FUNCTION watch_end();

INSERT INTO watch_schedules (repo_id, check_at) SELECT id, now() FROM repos WHERE removed_at IS NULL;

-- How a scan ended is written down for its circuit in the same transaction, if it counts: a failure of git, or anything at all
-- where there is a failure to take back.
CREATE FUNCTION circuit_hear_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    what text := CASE
        WHEN NEW.status IN ('completed', 'partial') THEN 'worked'
        WHEN NEW.status = 'failed' AND NEW.last_error_code IN ('DOCALIGN_E103', 'DOCALIGN_E104', 'DOCALIGN_E105', 'DOCALIGN_E106') THEN 'failed'
        ELSE 'nothing' END;
BEGIN
    IF what = 'failed' OR EXISTS (SELECT FROM circuits WHERE repo_id = NEW.repo_id AND failures > 0)
       OR EXISTS (SELECT FROM circuit_inbox WHERE repo_id = NEW.repo_id) THEN
        INSERT INTO circuit_inbox (repo_id, kind, code, error)
        SELECT id, what, NEW.last_error_code, left(NEW.last_error, 1000) FROM repos WHERE id = NEW.repo_id AND removed_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER circuit_hear_end AFTER UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION circuit_hear_end();

-- A scan that somebody asked for while the circuit is open is the try.
CREATE FUNCTION circuit_hear_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO circuit_inbox (repo_id, kind)
    SELECT DISTINCT f.repo_id, 'asked' FROM fresh f JOIN circuits c USING (repo_id)
     WHERE c.state = 'open' AND f.trigger <> 'scheduled' AND f.status = 'queued';
    RETURN NULL;
END $$;
CREATE TRIGGER circuit_hear_request AFTER INSERT ON scan_runs
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION circuit_hear_request();
