-- The GitHub App: installations, repositories, pull requests, deliveries, and what is told to GitHub.

CREATE TABLE github_installations (
    id           bigint PRIMARY KEY,
    account      text NOT NULL,
    state        text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended', 'deleted')),
    permissions  jsonb NOT NULL DEFAULT '{}',
    paused_until timestamptz,
    pause_reason text NOT NULL DEFAULT '',
    updated_at   timestamptz NOT NULL DEFAULT now(),
    CHECK ((paused_until IS NULL) = (pause_reason = ''))
);

CREATE TABLE github_repos (
    repo_id         uuid PRIMARY KEY REFERENCES repos ON DELETE CASCADE,
    github_id       bigint NOT NULL UNIQUE,
    installation_id bigint NOT NULL REFERENCES github_installations ON DELETE CASCADE,
    full_name       text NOT NULL CHECK (full_name ~ '^[^/]+/[^/]+$'),
    archived        boolean NOT NULL DEFAULT false,
    pushed_at       timestamptz NOT NULL DEFAULT 'epoch'
);
CREATE INDEX github_repos_of_installation ON github_repos (installation_id);

-- A pull request's number says nothing without its repository.
CREATE TABLE github_pulls (
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    number     integer NOT NULL CHECK (number > 0),
    state      text NOT NULL CHECK (state IN ('open', 'closed', 'merged')),
    draft      boolean NOT NULL DEFAULT false,
    head_sha   text NOT NULL CHECK (head_sha ~ '^[0-9a-f]{40,64}$'),
    head_repo  text NOT NULL DEFAULT '',
    base_ref   text NOT NULL,
    author     text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL,
    comment_id bigint,
    commenting boolean NOT NULL DEFAULT false,
    said       jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (repo_id, number)
);
CREATE INDEX github_pulls_by_head ON github_pulls (repo_id, head_sha);

-- What one head of a pull request is told: the outbox. `wanted` grows when there is something new to say, `told` follows.
CREATE TABLE github_checks (
    repo_id     uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    number      integer NOT NULL,
    head_sha    text NOT NULL,
    run_id      uuid REFERENCES scan_runs ON DELETE SET NULL,
    final       boolean NOT NULL DEFAULT false,
    notice      text NOT NULL DEFAULT '',
    wanted      integer NOT NULL DEFAULT 1,
    told        integer NOT NULL DEFAULT 0,
    generation  integer NOT NULL DEFAULT 1 CHECK (generation > 0),
    check_id    bigint,
    posting     boolean NOT NULL DEFAULT false,
    annotated   integer NOT NULL DEFAULT 0 CHECK (annotated >= 0),
    annotated_for uuid,
    commented   integer NOT NULL DEFAULT 0,
    concluded   text NOT NULL DEFAULT '',
    attempts    integer NOT NULL DEFAULT 0,
    due_at      timestamptz NOT NULL DEFAULT now(),
    last_error  text NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repo_id, number, head_sha),
    CHECK (told <= wanted AND commented <= wanted),
    CHECK (annotated = 0 OR (check_id IS NOT NULL AND annotated_for IS NOT NULL))
);
CREATE INDEX github_checks_untold ON github_checks (due_at) WHERE told < wanted;
CREATE INDEX github_checks_of_run ON github_checks (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE github_deliveries (
    app_id          bigint NOT NULL,
    delivery_id     text NOT NULL CHECK (length(delivery_id) BETWEEN 1 AND 100),
    position        bigint GENERATED ALWAYS AS IDENTITY,
    event           text NOT NULL,
    action          text NOT NULL DEFAULT '',
    installation_id bigint,
    status          text NOT NULL CHECK (status IN ('waiting', 'done', 'failed', 'unreadable')),
    content         jsonb,
    raw             bytea,
    attempts        integer NOT NULL DEFAULT 0,
    due_at          timestamptz NOT NULL DEFAULT now(),
    error           text NOT NULL DEFAULT '',
    received_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, delivery_id),
    CHECK ((status IN ('waiting', 'failed')) = (content IS NOT NULL)),
    CHECK ((status = 'unreadable') = (raw IS NOT NULL)),
    CHECK (status NOT IN ('failed', 'unreadable') OR error <> '')
);
CREATE INDEX github_deliveries_waiting ON github_deliveries (position) WHERE status = 'waiting';
CREATE INDEX github_deliveries_trouble ON github_deliveries (position DESC) WHERE status IN ('failed', 'unreadable');
CREATE INDEX github_deliveries_by_id ON github_deliveries (delivery_id);
CREATE INDEX github_deliveries_age ON github_deliveries (received_at);

-- How severe a finding has to be to block, as the repository's own configuration at the scanned commit says; '' if it was not read.
ALTER TABLE scan_runs ADD COLUMN threshold text NOT NULL DEFAULT '' CHECK (threshold IN ('', 'low', 'medium', 'high'));

-- Scans know nothing of GitHub. Whoever queues or ends the scan of a pull request there, and however: in the same transaction
-- there is something to tell.
CREATE FUNCTION github_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO github_checks AS c (repo_id, number, head_sha, run_id, final)
        SELECT g.repo_id, NEW.pr_number, NEW.commit_sha, NEW.id, NEW.completed_at IS NOT NULL
          FROM github_repos g WHERE g.repo_id = NEW.repo_id
            ON CONFLICT (repo_id, number, head_sha) DO UPDATE
           SET run_id = excluded.run_id, final = excluded.final, notice = '', wanted = c.wanted + 1, attempts = 0, due_at = now(), last_error = '';
    ELSE
        UPDATE github_checks
           SET final = true, wanted = wanted + 1, attempts = 0, due_at = now(), last_error = ''
         WHERE run_id = NEW.id AND NOT final;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER github_tell_queued AFTER INSERT ON scan_runs
    FOR EACH ROW WHEN (NEW.type = 'pr' AND NEW.commit_sha ~ '^[0-9a-f]{40,64}$') EXECUTE FUNCTION github_tell();
CREATE TRIGGER github_tell_ended AFTER UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.type = 'pr' AND NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION github_tell();
