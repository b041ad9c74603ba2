-- What operators see of the task queue: what became of each delivery; and notices that wait for their interval to pass.

CREATE TABLE agent_task_history (
    task_id   uuid NOT NULL REFERENCES agent_tasks ON DELETE CASCADE,
    position  bigint GENERATED ALWAYS AS IDENTITY,
    at        timestamptz NOT NULL,
    what      text NOT NULL CHECK (what IN ('nacked', 'abandoned', 'expired', 'requeued')),
    attempt   integer NOT NULL CHECK (attempt >= 0),
    worker_id text NOT NULL DEFAULT '' CHECK (length(worker_id) <= 300),
    reason    text NOT NULL DEFAULT '' CHECK (length(reason) <= 8000),
    PRIMARY KEY (task_id, position)
);

ALTER TABLE agent_subscriptions
    ADD COLUMN pending    text[] NOT NULL DEFAULT '{}' CHECK (cardinality(pending) <= 100),
    ADD COLUMN pending_at timestamptz,
    ADD CHECK ((cardinality(pending) > 0) = (pending_at IS NOT NULL));
CREATE INDEX agent_subscriptions_pending ON agent_subscriptions (pending_at) WHERE pending_at IS NOT NULL;

-- Letters of a tenant by status, newest first; those that have failed and are tried again, by themselves.
CREATE INDEX outbox_by_status ON outbox (tenant_id, status, position);
CREATE INDEX outbox_failing ON outbox (tenant_id, position) WHERE status = 'waiting' AND attempts > 0;
DROP INDEX outbox_dead;
