-- What agents decided is remembered by itself, no longer by the task that asked: it holds while what it rests on is the same.

CREATE TABLE agent_verdicts (
    repo_id    uuid NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    claim_key  text NOT NULL,
    claim_id   text NOT NULL,
    result     text NOT NULL,
    rests_on   jsonb NOT NULL,
    decided_at timestamptz NOT NULL,
    PRIMARY KEY (repo_id, claim_key)
);
CREATE INDEX agent_verdicts_by_age ON agent_verdicts (decided_at);

-- How many claims of a run an agent had decided for an earlier one.
ALTER TABLE scan_runs ADD COLUMN agent_remembered integer NOT NULL DEFAULT 0;
