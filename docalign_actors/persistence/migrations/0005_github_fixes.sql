-- The GitHub App mends what it finds: suggestions on lines of the diff, and fixes that somebody asked for.

ALTER TABLE github_checks
    ADD COLUMN reviewed  integer NOT NULL DEFAULT 0,
    ADD COLUMN reviewing boolean NOT NULL DEFAULT false,
    ADD CHECK (reviewed <= wanted);

-- What a pull request was shown as a suggestion. A finding is suggested once, whatever becomes of the suggestion.
CREATE TABLE github_suggestions (
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    number     integer NOT NULL CHECK (number > 0),
    finding_id text NOT NULL CHECK (finding_id <> ''),
    head_sha   text NOT NULL,
    review_id  bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repo_id, number, finding_id)
);

-- Fixes that were asked for. `number`: of the pull request that is to be mended, NULL for the default branch; `findings`: which
-- ones, none for all whose fix is certain. While one is being made, the commit that is to be reached is written down before
-- any branch is moved to it.
CREATE TABLE github_fixes (
    id         uuid PRIMARY KEY,
    position   bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    number     integer CHECK (number > 0),
    findings   text[] NOT NULL DEFAULT '{}' CHECK (cardinality(findings) <= 200 AND array_position(findings, NULL) IS NULL),
    asked_by   text NOT NULL CHECK (length(asked_by) <= 200),
    source     text NOT NULL UNIQUE CHECK (length(source) BETWEEN 1 AND 300),
    state      text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'making', 'pushed', 'opened', 'nothing', 'failed')),
    reason     text NOT NULL DEFAULT '',
    parent_sha text NOT NULL DEFAULT '',
    branch     text NOT NULL DEFAULT '',
    base_ref   text NOT NULL DEFAULT '',
    commit_sha text NOT NULL DEFAULT '' CHECK (commit_sha ~ '^([0-9a-f]{40,64})?$'),
    pull       integer CHECK (pull > 0),
    mended     jsonb NOT NULL DEFAULT '[]',
    attempts   integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_at     timestamptz NOT NULL DEFAULT now(),
    last_error text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz,
    CHECK ((state IN ('asked', 'making')) = (ended_at IS NULL)),
    CHECK ((state IN ('nothing', 'failed')) = (reason <> '')),
    CHECK (state NOT IN ('making', 'pushed', 'opened') OR (commit_sha <> '' AND branch <> '' AND parent_sha <> '')),
    CHECK (state <> 'opened' OR pull IS NOT NULL)
);
CREATE INDEX github_fixes_open ON github_fixes (due_at) WHERE state IN ('asked', 'making');
CREATE INDEX github_fixes_of_repo ON github_fixes (repo_id, position DESC);
CREATE INDEX github_fixes_of_pull ON github_fixes (repo_id, number, position DESC) WHERE number IS NOT NULL;

-- A fix waits for the scan of the commit that it is for. When one ends, it is worth another look.
CREATE FUNCTION github_fix_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE github_fixes SET due_at = now()
     WHERE repo_id = NEW.repo_id AND number IS NOT DISTINCT FROM NEW.pr_number AND state = 'asked' AND due_at > now();
    RETURN NULL;
END $$;
CREATE TRIGGER github_fix_due AFTER UPDATE OF status ON scan_runs
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION github_fix_due();
