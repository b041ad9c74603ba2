-- The spine: repositories, scan runs and what they found, tokens, limits, incidents.
-- What may not be, cannot be written: one running scan a repository, no permit twice, no way back from a final status.

CREATE TABLE repos (
    id              uuid PRIMARY KEY,
    host            text NOT NULL DEFAULT 'git' CHECK (host IN ('git', 'github')),
    url             text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
    organisation    text NOT NULL DEFAULT 'local',
    status          text NOT NULL DEFAULT 'registered' CHECK (status IN ('registered', 'active', 'partial', 'failing', 'removed')),
    default_branch  text NOT NULL DEFAULT '',
    head_sha        text NOT NULL DEFAULT '',
    health_score    integer CHECK (health_score BETWEEN 0 AND 100),
    claims_total    integer NOT NULL DEFAULT 0,
    claims_verified integer NOT NULL DEFAULT 0,
    claims_drifted  integer NOT NULL DEFAULT 0,
    last_full_scan_at timestamptz,
    last_error      text NOT NULL DEFAULT '',
    created_at      timestamptz NOT NULL DEFAULT now(),
    removed_at      timestamptz,
    CHECK ((status = 'removed') = (removed_at IS NOT NULL))
);
CREATE UNIQUE INDEX repos_url ON repos (url) WHERE removed_at IS NULL;
CREATE INDEX repos_newest ON repos (created_at DESC, id DESC) WHERE removed_at IS NULL;
CREATE INDEX repos_removed ON repos (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE scan_runs (
    id              uuid PRIMARY KEY,
    position        bigint GENERATED ALWAYS AS IDENTITY,
    repo_id         uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    type            text NOT NULL CHECK (type IN ('pr', 'push', 'full')),
    trigger         text NOT NULL CHECK (trigger IN ('pr', 'push', 'scheduled', 'manual', 'agent_report')),
    pr_number       integer CHECK (pr_number > 0),
    base_ref        text NOT NULL DEFAULT '',
    commit_sha      text NOT NULL DEFAULT '',
    requested_by    text NOT NULL DEFAULT '',
    trace           text NOT NULL DEFAULT '',
    status          text NOT NULL DEFAULT 'queued'
                    CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
    attempt         integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    repairs         integer NOT NULL DEFAULT 0 CHECK (repairs >= 0),
    not_before      timestamptz NOT NULL DEFAULT 'epoch',
    permit          smallint CHECK (permit BETWEEN 1 AND 64),
    lease           uuid,
    stage           text NOT NULL DEFAULT '',
    cancel_requested_at timestamptz,
    cancel_reason   text NOT NULL DEFAULT '',
    superseded_by   uuid REFERENCES scan_runs ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    last_error_code text NOT NULL DEFAULT '',
    last_error      text NOT NULL DEFAULT '',
    claims_checked  integer NOT NULL DEFAULT 0,
    claims_verified integer NOT NULL DEFAULT 0,
    claims_drifted  integer NOT NULL DEFAULT 0,
    claims_uncertain integer NOT NULL DEFAULT 0,
    total_token_cost bigint NOT NULL DEFAULT 0,
    total_duration_ms bigint NOT NULL DEFAULT 0,
    comment_posted  boolean NOT NULL DEFAULT false,
    check_run_id    bigint,
    created_at      timestamptz NOT NULL DEFAULT now(),
    started_at      timestamptz,
    completed_at    timestamptz,
    CHECK ((type = 'pr') = (pr_number IS NOT NULL)),
    CHECK ((status IN ('completed', 'partial', 'failed', 'cancelled')) = (completed_at IS NOT NULL)),
    CHECK ((status = 'running') = (lease IS NOT NULL)),
    CHECK ((status = 'running') = (permit IS NOT NULL)),
    CHECK (status <> 'failed' OR last_error <> ''),
    CHECK (superseded_by IS NULL OR status IN ('running', 'cancelled'))
);
-- It grows and changes fast: the planner must not go by yesterday's figures.
ALTER TABLE scan_runs SET (
    autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05
);
CREATE UNIQUE INDEX scan_runs_one_running ON scan_runs (repo_id) WHERE status = 'running';
CREATE UNIQUE INDEX scan_runs_one_permit ON scan_runs (permit) WHERE status = 'running';
CREATE UNIQUE INDEX scan_runs_one_waiting_pr ON scan_runs (repo_id, pr_number) WHERE status = 'queued' AND type = 'pr';
CREATE UNIQUE INDEX scan_runs_one_push ON scan_runs (repo_id, commit_sha) WHERE status IN ('queued', 'running') AND type = 'push';
CREATE INDEX scan_runs_open_pulls ON scan_runs (repo_id, pr_number) WHERE status IN ('queued', 'running') AND type = 'pr';
CREATE INDEX scan_runs_open ON scan_runs (repo_id, position) WHERE status IN ('queued', 'running');
CREATE INDEX scan_runs_waiting ON scan_runs (position) WHERE status = 'queued';
CREATE INDEX scan_runs_newest ON scan_runs (position DESC);
CREATE INDEX scan_runs_of_repo ON scan_runs (repo_id, position DESC);
CREATE INDEX scan_runs_ended ON scan_runs (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX scan_runs_superseded ON scan_runs (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE FUNCTION scan_runs_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (
        (OLD.status = 'queued' AND NEW.status IN ('running', 'cancelled', 'failed'))
        OR (OLD.status = 'running' AND NEW.status IN ('queued', 'completed', 'partial', 'failed', 'cancelled'))
    ) THEN
        RAISE EXCEPTION 'a scan run cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER scan_runs_transition BEFORE UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION scan_runs_transition();

CREATE TABLE scan_events (
    run_id  uuid NOT NULL REFERENCES scan_runs ON DELETE CASCADE,
    seq     integer NOT NULL,
    kind    text NOT NULL CHECK (kind IN ('stage', 'progress', 'note', 'end')),
    data    jsonb NOT NULL,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (run_id, seq)
);
CREATE INDEX scan_events_age ON scan_events (at);

-- Whoever ends a run, and however: those who watch it are told, once, in the same transaction.
CREATE FUNCTION scan_runs_end_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scan_events (run_id, seq, kind, data)
    SELECT NEW.id, coalesce(max(seq), 0) + 1, 'end',
           jsonb_build_object('status', NEW.status, 'code', NEW.last_error_code, 'error', NEW.last_error, 'superseded_by', NEW.superseded_by)
      FROM scan_events WHERE run_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER scan_runs_end_event AFTER INSERT OR UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION scan_runs_end_event();

CREATE TABLE scan_findings (
    run_id      uuid NOT NULL REFERENCES scan_runs ON DELETE CASCADE,
    position    integer NOT NULL,
    fingerprint text NOT NULL,
    is_new      boolean NOT NULL,
    finding     jsonb NOT NULL,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE claims (
    repo_id     uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    fingerprint text NOT NULL,
    kind        text NOT NULL,
    rule        text NOT NULL DEFAULT '',
    text        text NOT NULL,
    file        text NOT NULL,
    line        integer NOT NULL,
    mentions    jsonb NOT NULL DEFAULT '[]',
    verdict     text NOT NULL CHECK (verdict IN ('verified', 'drifted', 'uncertain')),
    severity    text NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    confidence  real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    message     text NOT NULL DEFAULT '',
    run_id      uuid REFERENCES scan_runs ON DELETE SET NULL,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    verdict_since timestamptz NOT NULL DEFAULT now(),
    gone_at     timestamptz,
    PRIMARY KEY (repo_id, fingerprint)
);
CREATE INDEX claims_by_file ON claims (repo_id, file) WHERE gone_at IS NULL;
CREATE INDEX claims_by_verdict ON claims (repo_id, verdict) WHERE gone_at IS NULL;
CREATE INDEX claims_gone ON claims (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX claims_of_run ON claims (run_id);

CREATE TABLE mappings (
    repo_id     uuid NOT NULL,
    fingerprint text NOT NULL,
    code_file   text NOT NULL,
    line        integer NOT NULL DEFAULT 0,
    confidence  real NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    PRIMARY KEY (repo_id, fingerprint, code_file),
    FOREIGN KEY (repo_id, fingerprint) REFERENCES claims ON DELETE CASCADE
);
CREATE INDEX mappings_by_code_file ON mappings (repo_id, code_file);

CREATE TABLE verification_results (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id     uuid NOT NULL,
    fingerprint text NOT NULL,
    run_id      uuid REFERENCES scan_runs ON DELETE SET NULL,
    verdict     text NOT NULL CHECK (verdict IN ('verified', 'drifted', 'uncertain')),
    confidence  real NOT NULL,
    message     text NOT NULL DEFAULT '',
    evidence    jsonb NOT NULL DEFAULT '[]',
    fix         jsonb,
    decided_at  timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (repo_id, fingerprint) REFERENCES claims ON DELETE CASCADE
);
CREATE INDEX verification_results_history ON verification_results (repo_id, fingerprint, id DESC);
CREATE INDEX verification_results_of_run ON verification_results (run_id);

CREATE TABLE health_history (
    repo_id  uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    at       timestamptz NOT NULL,
    run_id   uuid REFERENCES scan_runs ON DELETE SET NULL,
    score    integer CHECK (score BETWEEN 0 AND 100),
    total    integer NOT NULL,
    verified integer NOT NULL,
    drifted  integer NOT NULL,
    PRIMARY KEY (repo_id, at)
);
CREATE INDEX health_history_of_run ON health_history (run_id);

CREATE TABLE suppressions (
    id         uuid PRIMARY KEY,
    repo_id    uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    scope      text NOT NULL CHECK (scope IN ('claim', 'file', 'kind')),
    value      text NOT NULL,
    reason     text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE UNIQUE INDEX suppressions_active ON suppressions (repo_id, scope, value) WHERE revoked_at IS NULL;

CREATE TABLE co_changes (
    repo_id    uuid NOT NULL REFERENCES repos ON DELETE CASCADE,
    code_file  text NOT NULL,
    doc_file   text NOT NULL,
    commit_sha text NOT NULL,
    at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repo_id, code_file, doc_file, commit_sha)
);

CREATE TABLE blob_cache (
    key     text PRIMARY KEY,
    value   bytea NOT NULL,
    used_on date NOT NULL DEFAULT current_date
);
CREATE INDEX blob_cache_age ON blob_cache (used_on);

CREATE TABLE deliveries (
    source      text NOT NULL,
    delivery_id text NOT NULL CHECK (length(delivery_id) BETWEEN 1 AND 200),
    event       text NOT NULL,
    run_id      uuid REFERENCES scan_runs ON DELETE SET NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source, delivery_id)
);
CREATE INDEX deliveries_age ON deliveries (received_at);
CREATE INDEX deliveries_of_run ON deliveries (run_id);

CREATE TABLE rate_counters (
    scope   text NOT NULL CHECK (scope IN ('repository', 'organisation', 'user')),
    subject text NOT NULL,
    day     date NOT NULL,
    used    integer NOT NULL CHECK (used >= 0),
    PRIMARY KEY (scope, subject, day)
);
CREATE INDEX rate_counters_age ON rate_counters (day);

CREATE TABLE actor_incidents (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    actor   text NOT NULL,
    kind    text NOT NULL,
    error   text NOT NULL,
    trace   text NOT NULL DEFAULT '',
    at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX actor_incidents_age ON actor_incidents (at);

CREATE TABLE tokens (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    role       text NOT NULL CHECK (role IN ('admin', 'operator', 'viewer', 'worker')),
    hash       bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    one_time   boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
);

CREATE TABLE sessions (
    hash       bytea PRIMARY KEY CHECK (length(hash) = 32),
    token_id   uuid NOT NULL REFERENCES tokens ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_age ON sessions (expires_at);
CREATE INDEX sessions_of_token ON sessions (token_id);
