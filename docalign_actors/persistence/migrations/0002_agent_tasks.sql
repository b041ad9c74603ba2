-- Agent tasks: work that code cannot decide, claimed over HTTP under a lease; and the outbox, through which everything leaves.
-- What may not be, cannot be written: a task in progress has one owner and a lease, one that ended has neither.

ALTER TABLE tokens
    ADD COLUMN scopes      text[] NOT NULL DEFAULT '{}',
    ADD COLUMN event_types text[] NOT NULL DEFAULT '{*}',
    ADD COLUMN tenant      text NOT NULL DEFAULT '' CHECK (length(tenant) <= 100);

CREATE TABLE agent_tasks (
    id              uuid PRIMARY KEY,
    position        bigint GENERATED ALWAYS AS IDENTITY,
    tenant_id       text NOT NULL CHECK (length(tenant_id) <= 100),
    command         text NOT NULL CHECK (length(command) BETWEEN 1 AND 200),
    payload         text NOT NULL CHECK (payload <> ''),
    priority        smallint NOT NULL CHECK (priority BETWEEN 0 AND 9),
    webhook         text NOT NULL DEFAULT '' CHECK (length(webhook) <= 2000),
    idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 200),
    status          text NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED')),
    location        text NOT NULL CHECK (location IN ('PENDING_LIST', 'DELAYED_ZSET', 'INPROG_SET', 'DLQ_SET', 'NONE')),
    attempts        integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND max_attempts),
    max_attempts    integer NOT NULL CHECK (max_attempts BETWEEN 1 AND 1000),
    visible_at      timestamptz,
    worker_id       text NOT NULL DEFAULT '' CHECK (length(worker_id) <= 300),
    lease_until     timestamptz,
    error           text NOT NULL DEFAULT '' CHECK (length(error) <= 8000),
    trace           text NOT NULL DEFAULT '',
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    ended_at        timestamptz,
    CHECK ((status = 'PENDING') = (location IN ('PENDING_LIST', 'DELAYED_ZSET'))),
    CHECK ((status = 'IN_PROGRESS') = (location = 'INPROG_SET')),
    CHECK ((status = 'IN_PROGRESS') = (lease_until IS NOT NULL)),
    CHECK ((status = 'IN_PROGRESS') = (worker_id <> '')),
    CHECK ((location = 'DELAYED_ZSET') = (visible_at IS NOT NULL)),
    CHECK (location <> 'DLQ_SET' OR status = 'FAILED'),
    CHECK ((status IN ('COMPLETED', 'FAILED')) = (ended_at IS NOT NULL)),
    CHECK (status <> 'FAILED' OR error <> ''),
    CHECK (status <> 'COMPLETED' OR attempts > 0)
);
-- It grows and changes fast: the planner must not go by yesterday's figures, and dead rows must not gather at the head of the queue.
ALTER TABLE agent_tasks SET (
    autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02
);
CREATE INDEX agent_tasks_ready ON agent_tasks (tenant_id, command, priority DESC, position) WHERE location = 'PENDING_LIST';
CREATE INDEX agent_tasks_delayed ON agent_tasks (visible_at) INCLUDE (tenant_id, command) WHERE location = 'DELAYED_ZSET';
CREATE INDEX agent_tasks_leased ON agent_tasks (lease_until) INCLUDE (tenant_id, command) WHERE location = 'INPROG_SET';
CREATE INDEX agent_tasks_dead ON agent_tasks (tenant_id, command, position) WHERE location = 'DLQ_SET';
CREATE INDEX agent_tasks_ended ON agent_tasks (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX agent_tasks_by_status ON agent_tasks (tenant_id, status, position);
CREATE UNIQUE INDEX agent_tasks_idempotency ON agent_tasks (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- A completed task stays as it is; a failed one may only be put back in line.
CREATE FUNCTION agent_tasks_keep_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a task that is % cannot become %', OLD.status, NEW.status
        USING ERRCODE = 'check_violation', CONSTRAINT = 'agent_tasks_keep_ended', TABLE = 'agent_tasks';
END $$;
CREATE TRIGGER agent_tasks_keep_ended BEFORE UPDATE OF status ON agent_tasks FOR EACH ROW
    WHEN (OLD.status = 'COMPLETED' OR OLD.status = 'FAILED' AND NEW.status <> 'PENDING')
    EXECUTE FUNCTION agent_tasks_keep_ended();

CREATE TABLE agent_task_results (
    task_id      uuid PRIMARY KEY REFERENCES agent_tasks ON DELETE CASCADE,
    submission   uuid NOT NULL,
    status       text NOT NULL CHECK (status IN ('COMPLETED', 'FAILED')),
    worker_id    text NOT NULL,
    result       text CHECK (result <> ''),
    error        text NOT NULL DEFAULT '' CHECK (length(error) <= 8000),
    artifacts    jsonb NOT NULL DEFAULT '[]',
    completed_at timestamptz NOT NULL,
    CHECK ((status = 'COMPLETED') = (result IS NOT NULL)),
    CHECK ((status = 'FAILED') = (error <> ''))
);

CREATE TABLE agent_task_artifacts (
    task_id      uuid NOT NULL REFERENCES agent_tasks ON DELETE CASCADE,
    name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    content_type text NOT NULL,
    content      bytea NOT NULL,
    PRIMARY KEY (task_id, name)
);

CREATE TABLE agent_subscriptions (
    id               uuid PRIMARY KEY,
    tenant_id        text NOT NULL CHECK (length(tenant_id) <= 100),
    worker_id        text NOT NULL CHECK (worker_id <> ''),
    callback_url     text NOT NULL CHECK (length(callback_url) BETWEEN 1 AND 2000),
    event_types      text[] NOT NULL CHECK (cardinality(event_types) BETWEEN 1 AND 100),
    delivery_mode    text NOT NULL CHECK (delivery_mode IN ('fanout', 'group', 'hash')),
    group_id         text NOT NULL DEFAULT '' CHECK (length(group_id) <= 200),
    min_interval     integer NOT NULL CHECK (min_interval BETWEEN 0 AND 86400),
    ttl              integer NOT NULL CHECK (ttl BETWEEN 1 AND 604800),
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    last_notified_at timestamptz,
    CHECK (delivery_mode <> 'group' OR group_id <> '')
);
CREATE INDEX agent_subscriptions_of_tenant ON agent_subscriptions (tenant_id, id);
CREATE INDEX agent_subscriptions_age ON agent_subscriptions (expires_at);

-- What is to be sent. A lane is one receiver: what goes to it goes in order, one after the other.
CREATE TABLE outbox_lanes (
    lane     text PRIMARY KEY CHECK (length(lane) BETWEEN 1 AND 2300),
    waiting  bigint NOT NULL DEFAULT 0 CHECK (waiting >= 0),
    due_at   timestamptz NOT NULL
);
CREATE INDEX outbox_lanes_due ON outbox_lanes (due_at) WHERE waiting > 0;

CREATE TABLE outbox (
    id           uuid PRIMARY KEY,
    position     bigint GENERATED ALWAYS AS IDENTITY,
    lane         text NOT NULL REFERENCES outbox_lanes,
    tenant_id    text NOT NULL DEFAULT '',
    kind         text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
    url          text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    body         text NOT NULL,
    status       text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'dead')),
    attempts     integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error   text NOT NULL DEFAULT '' CHECK (length(last_error) <= 1000),
    trace        text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    CHECK ((status = 'waiting') = (ended_at IS NULL)),
    CHECK (status <> 'dead' OR last_error <> '')
);
CREATE INDEX outbox_line ON outbox (lane, position) WHERE status = 'waiting';
CREATE INDEX outbox_of_lane ON outbox (lane);
CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (tenant_id, position) WHERE status = 'dead';
