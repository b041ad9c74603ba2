-- What code cannot decide is referred to agents: a run that waits for them is queued, holds no permit and no lease, and is due when its
-- tasks have ended or its time is up. What was decided without agents is kept beside it.

CREATE TABLE scan_waits (
    run_id    uuid PRIMARY KEY REFERENCES scan_runs ON DELETE CASCADE,
    kept      text NOT NULL,
    since     timestamptz NOT NULL,
    until     timestamptz NOT NULL,
    dispatch  boolean NOT NULL DEFAULT false,
    followed  boolean NOT NULL DEFAULT false,
    ended_at  timestamptz,
    withdrawn boolean NOT NULL DEFAULT false,
    notice    text NOT NULL DEFAULT '' CHECK (length(notice) <= 2000),
    CHECK (until >= since),
    CHECK (ended_at IS NOT NULL OR kept <> ''),
    CHECK (NOT withdrawn OR ended_at IS NOT NULL)
);
CREATE INDEX scan_waits_open ON scan_waits (run_id) WHERE ended_at IS NULL;
CREATE INDEX scan_waits_to_withdraw ON scan_waits (run_id) WHERE ended_at IS NOT NULL AND NOT withdrawn;

CREATE TABLE scan_tasks (
    task_id  uuid PRIMARY KEY REFERENCES agent_tasks ON DELETE CASCADE,
    run_id   uuid NOT NULL REFERENCES scan_waits ON DELETE CASCADE,
    claim_id text NOT NULL DEFAULT '',
    announced boolean NOT NULL DEFAULT false
);
CREATE INDEX scan_tasks_of_run ON scan_tasks (run_id);
CREATE INDEX scan_tasks_unannounced ON scan_tasks (task_id) WHERE NOT announced;

-- However a run ends, nobody waits any more, and what was kept for it is of no more use.
CREATE FUNCTION scan_waits_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE scan_waits SET kept = '', ended_at = coalesce(ended_at, now()) WHERE run_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER scan_waits_close AFTER UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION scan_waits_close();

-- A repository of GitHub may have a workflow that does the tasks: it is told that there are some. Scans know nothing of GitHub.
CREATE TABLE github_dispatches (
    run_id     uuid PRIMARY KEY REFERENCES scan_waits ON DELETE CASCADE,
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    state      text NOT NULL DEFAULT 'wanted' CHECK (state IN ('wanted', 'sent', 'refused', 'given up')),
    attempts   integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_at     timestamptz NOT NULL DEFAULT now(),
    last_error text NOT NULL DEFAULT ''
);
CREATE INDEX github_dispatches_wanted ON github_dispatches (due_at) WHERE state = 'wanted';
CREATE INDEX github_dispatches_of_repo ON github_dispatches (repo_id);

CREATE FUNCTION github_dispatch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO github_dispatches (run_id, repo_id)
    SELECT NEW.run_id, g.repo_id FROM scan_runs r JOIN github_repos g ON g.repo_id = r.repo_id WHERE r.id = NEW.run_id;
    RETURN NULL;
END $$;
CREATE TRIGGER github_dispatch AFTER INSERT ON scan_waits
    FOR EACH ROW WHEN (NEW.dispatch) EXECUTE FUNCTION github_dispatch();
