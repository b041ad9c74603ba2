-- Applications that hear what changed: who they are, what they subscribe to, what happened, what each has been promised and has received.
-- What may not be, cannot be written: one subscription of an application for each branch, one note for each run, nothing left of what went.

ALTER TABLE tokens DROP CONSTRAINT tokens_role_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_role_check CHECK (role IN ('admin', 'operator', 'viewer', 'worker', 'subscriber'));

-- A lane that is held sends nothing until somebody says so. One whose last attempt failed is served apart from those that work.
ALTER TABLE outbox_lanes
    ADD COLUMN held     boolean NOT NULL DEFAULT false,
    ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0);
DROP INDEX outbox_lanes_due;
CREATE INDEX outbox_lanes_due ON outbox_lanes (due_at) WHERE waiting > 0 AND NOT held AND failures = 0;
CREATE INDEX outbox_lanes_failing ON outbox_lanes (due_at) WHERE waiting > 0 AND NOT held AND failures > 0;
CREATE INDEX outbox_lanes_held ON outbox_lanes (lane) WHERE held;

CREATE TABLE applications (
    id                uuid PRIMARY KEY,
    name              text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
    url               text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    token_id          uuid NOT NULL UNIQUE REFERENCES tokens,
    secret_generation integer NOT NULL DEFAULT 1 CHECK (secret_generation >= 1),
    secret_rotated_at timestamptz NOT NULL,
    created_by        text NOT NULL DEFAULT '',
    created_at        timestamptz NOT NULL
);

-- A branch that somebody subscribes to. '' is the default branch, whatever it is called. `commit` is the last one whose files are in the
-- journal: NULL before the first, '' for a branch without any.
CREATE TABLE journal_branches (
    repo_id  uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    branch   text NOT NULL CHECK (length(branch) <= 255),
    commit   text,
    position bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
    floor    bigint NOT NULL DEFAULT 0 CHECK (floor BETWEEN 0 AND position),
    PRIMARY KEY (repo_id, branch)
);

CREATE TABLE journal (
    repo_id       uuid NOT NULL,
    branch        text NOT NULL,
    position      bigint NOT NULL CHECK (position > 0),
    kind          text NOT NULL CHECK (kind IN ('file.created', 'file.updated', 'file.deleted', 'file.renamed', 'claim.drifted',
                  'claim.fixed', 'health.changed', 'scan.failed', 'breaker.opened', 'breaker.closed')),
    name          text NOT NULL DEFAULT '',
    previous_name text NOT NULL DEFAULT '',
    mode          text NOT NULL DEFAULT '',
    blob          text NOT NULL DEFAULT '',
    size          bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
    is_binary     boolean NOT NULL DEFAULT false,
    commit        text NOT NULL DEFAULT '',
    data          jsonb NOT NULL DEFAULT '{}',
    at            timestamptz NOT NULL,
    PRIMARY KEY (repo_id, branch, position),
    FOREIGN KEY (repo_id, branch) REFERENCES journal_branches ON DELETE CASCADE,
    CHECK ((kind = 'file.renamed') = (previous_name <> '')),
    CHECK ((kind IN ('file.created', 'file.updated', 'file.renamed')) = (blob <> ''))
);
CREATE INDEX journal_age ON journal (at);

-- What happened to a repository and is not in the journal yet. Written in the transaction in which it happens.
CREATE TABLE journal_notes (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id  uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    sort     text NOT NULL CHECK (sort IN ('scan', 'failure', 'breaker')),
    run_id   uuid UNIQUE REFERENCES scan_runs ON DELETE CASCADE,
    branch   text NOT NULL DEFAULT '',
    head     text NOT NULL DEFAULT '',
    data     jsonb NOT NULL DEFAULT '{}',
    at       timestamptz NOT NULL DEFAULT now(),
    CHECK ((sort = 'breaker') = (run_id IS NULL))
);
CREATE INDEX journal_notes_of_repo ON journal_notes (repo_id, position);

CREATE TABLE app_subscriptions (
    id          uuid PRIMARY KEY,
    app_id      uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    repo_id     uuid NOT NULL,
    branch      text NOT NULL,
    paths       text[] NOT NULL DEFAULT '{}' CHECK (cardinality(paths) <= 100),
    events      text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 10),
    status      text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'failed')),
    phase       text NOT NULL DEFAULT 'new' CHECK (phase IN ('new', 'files', 'claims', 'following')),
    commit      text,
    cursor      text NOT NULL DEFAULT '',
    position    bigint NOT NULL DEFAULT 0,
    sequence    bigint NOT NULL DEFAULT 0,
    failure     text NOT NULL DEFAULT '' CHECK (length(failure) <= 1000),
    answer      text NOT NULL DEFAULT '' CHECK (length(answer) <= 2000),
    failed_at   timestamptz,
    fed_at      timestamptz NOT NULL DEFAULT 'epoch',
    created_at  timestamptz NOT NULL,
    lane        text GENERATED ALWAYS AS ('app/' || repo_id::text || '/' || id::text) STORED,
    FOREIGN KEY (repo_id, branch) REFERENCES journal_branches,
    CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
    CHECK ((phase = 'new') = (commit IS NULL)),
    UNIQUE (app_id, repo_id, branch)
);
CREATE INDEX app_subscriptions_of_branch ON app_subscriptions (repo_id, branch);
CREATE UNIQUE INDEX app_subscriptions_lane ON app_subscriptions (lane);
CREATE INDEX app_subscriptions_active ON app_subscriptions (repo_id, fed_at) WHERE status = 'active';

-- What an application has of a branch. `promised`: what it has when everything that is in its lane has arrived, NULL for gone;
-- `received`: what it has now, by the delivery with this sequence number.
CREATE TABLE app_holdings (
    subscription_id uuid NOT NULL REFERENCES app_subscriptions ON DELETE CASCADE,
    sort            text NOT NULL CHECK (sort IN ('file', 'claim')),
    name            text COLLATE "C" NOT NULL,
    promised        text,
    received        text,
    sequence        bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription_id, sort, name)
);

-- The log. A delivery is one letter of the outbox, under the same id; of a file in several pieces each is one.
CREATE TABLE app_deliveries (
    id              uuid PRIMARY KEY,
    position        bigint GENERATED ALWAYS AS IDENTITY,
    app_id          uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
    subscription_id uuid NOT NULL REFERENCES app_subscriptions ON DELETE CASCADE,
    sequence        bigint NOT NULL CHECK (sequence > 0),
    event           text NOT NULL,
    sort            text NOT NULL DEFAULT '' CHECK (sort IN ('', 'file', 'claim')),
    name            text NOT NULL DEFAULT '',
    previous_name   text NOT NULL DEFAULT '',
    version         text,
    blob            text NOT NULL DEFAULT '',
    chunk           integer NOT NULL DEFAULT 1 CHECK (chunk BETWEEN 1 AND chunks),
    chunks          integer NOT NULL DEFAULT 1 CHECK (chunks >= 1),
    body            text NOT NULL,
    status          text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'dead', 'dropped')),
    attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    error           text NOT NULL DEFAULT '' CHECK (length(error) <= 1000),
    answer          text NOT NULL DEFAULT '' CHECK (length(answer) <= 2000),
    created_at      timestamptz NOT NULL,
    ended_at        timestamptz,
    CHECK ((status = 'waiting') = (ended_at IS NULL)),
    CHECK (status <> 'dead' OR error <> ''),
    UNIQUE (subscription_id, sequence)
);
ALTER TABLE app_deliveries SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX app_deliveries_newest ON app_deliveries (position DESC);
CREATE INDEX app_deliveries_of_app ON app_deliveries (app_id, position DESC);
CREATE INDEX app_deliveries_of_subscription ON app_deliveries (subscription_id, position DESC);
CREATE INDEX app_deliveries_open ON app_deliveries (subscription_id) WHERE status IN ('waiting', 'dead');
CREATE INDEX app_deliveries_unusual ON app_deliveries (status, position DESC) WHERE status IN ('waiting', 'dead', 'dropped');
CREATE INDEX app_deliveries_ended ON app_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- Whoever ends a subscription, and however: what waits for it goes, and so does a journal that nobody reads any more.
CREATE FUNCTION app_subscriptions_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM outbox WHERE lane = OLD.lane;
    DELETE FROM outbox_lanes WHERE lane = OLD.lane;
    DELETE FROM journal_branches b WHERE b.repo_id = OLD.repo_id AND b.branch = OLD.branch
       AND NOT EXISTS (SELECT FROM app_subscriptions s WHERE s.repo_id = b.repo_id AND s.branch = b.branch);
    DELETE FROM journal_notes n WHERE n.repo_id = OLD.repo_id
       AND NOT EXISTS (SELECT FROM app_subscriptions s WHERE s.repo_id = n.repo_id);
    RETURN NULL;
END $$;
CREATE TRIGGER app_subscriptions_gone AFTER DELETE ON app_subscriptions FOR EACH ROW EXECUTE FUNCTION app_subscriptions_gone();

CREATE FUNCTION applications_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tokens WHERE id = OLD.token_id;
    RETURN NULL;
END $$;
CREATE TRIGGER applications_gone AFTER DELETE ON applications FOR EACH ROW EXECUTE FUNCTION applications_gone();

CREATE FUNCTION repos_unsubscribe() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM app_subscriptions WHERE repo_id = OLD.id;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER repos_unsubscribe AFTER UPDATE OF removed_at ON repos
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION repos_unsubscribe();
CREATE TRIGGER repos_unsubscribe_deleted BEFORE DELETE ON repos FOR EACH ROW EXECUTE FUNCTION repos_unsubscribe();

-- A scan of a branch that was given up. Whoever writes that, subscribers hear it.
CREATE FUNCTION scan_runs_note_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO journal_notes (repo_id, sort, run_id, data)
    SELECT NEW.repo_id, 'failure', NEW.id, jsonb_build_object('scan_run_id', NEW.id, 'type', NEW.type, 'trigger', NEW.trigger,
           'attempts', NEW.attempt, 'code', NEW.last_error_code, 'error', left(NEW.last_error, 1000))
     WHERE EXISTS (SELECT FROM app_subscriptions s WHERE s.repo_id = NEW.repo_id)
        ON CONFLICT (run_id) DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER scan_runs_note_failure AFTER UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.status = 'failed' AND OLD.status <> 'failed' AND NEW.type <> 'pr') EXECUTE FUNCTION scan_runs_note_failure();

-- A circuit breaker that opened, or closed. One that opens again after a trial has not been closed in between.
CREATE FUNCTION circuit_history_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO journal_notes (repo_id, sort, data, at)
    SELECT NEW.repo_id, 'breaker', jsonb_build_object(
               'state', CASE NEW.after WHEN 'open' THEN 'opened' ELSE 'closed' END, 'failures', NEW.failures, 'cause', NEW.cause,
               'error', left(NEW.error, 1000), 'until', (SELECT c.open_until FROM circuits c WHERE c.repo_id = NEW.repo_id)), NEW.at
     WHERE EXISTS (SELECT FROM app_subscriptions s WHERE s.repo_id = NEW.repo_id);
    RETURN NULL;
END $$;
CREATE TRIGGER circuit_history_note AFTER INSERT ON circuit_history FOR EACH ROW
    WHEN (NEW.after = 'closed' OR NEW.after = 'open' AND NEW.before = 'closed') EXECUTE FUNCTION circuit_history_note();
