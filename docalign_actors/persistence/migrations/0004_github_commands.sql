-- The conversation with people on GitHub: commands in comments, pauses, dismissals, and what they led to.

-- One row for each command of each comment, whatever was delivered twice: the record, and the outbox of the answer.
--   asked     by whoever wrote it; GitHub has not said yet whether they may
--   ready     everything is known that decides
--   waiting   for the end of a scan
--   answered  what came of it is known, and is to be told
--   told      it was
CREATE TABLE github_commands (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    place      text NOT NULL CHECK (place IN ('issue', 'review', 'check', 'thread', 'reaction', 'closing')),
    source_id  bigint NOT NULL,
    ordinal    smallint NOT NULL CHECK (ordinal >= 0),
    number     integer NOT NULL CHECK (number > 0),
    pull       boolean NOT NULL,
    author     text NOT NULL CHECK (length(author) BETWEEN 1 AND 200),
    line       text NOT NULL CHECK (length(line) BETWEEN 1 AND 500),
    state      text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'ready', 'waiting', 'answered', 'told')),
    seen       boolean NOT NULL DEFAULT false,
    permission text CHECK (permission IN ('admin', 'write', 'read', 'none')),
    head_sha   text NOT NULL DEFAULT '',
    base_ref   text NOT NULL DEFAULT '',
    material   text,
    run_id     uuid REFERENCES scan_runs ON DELETE SET NULL,
    rescan     boolean NOT NULL DEFAULT false,
    result     text NOT NULL DEFAULT '' CHECK (result IN ('', 'started', 'done', 'refused')),
    reply      text NOT NULL DEFAULT '',
    replying   boolean NOT NULL DEFAULT false,
    reply_id   bigint,
    attempts   integer NOT NULL DEFAULT 0,
    due_at     timestamptz NOT NULL DEFAULT now(),
    last_error text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (repo_id, place, source_id, ordinal),
    CHECK ((state IN ('answered', 'told')) = (result <> '')),
    CHECK (NOT rescan OR state IN ('answered', 'told')),
    CHECK (state NOT IN ('ready', 'waiting') OR permission IS NOT NULL),
    CHECK (reply = '' OR state IN ('answered', 'told'))
);
CREATE INDEX github_commands_to_tell ON github_commands (due_at) WHERE state IN ('asked', 'answered');
CREATE INDEX github_commands_to_do ON github_commands (id) WHERE state = 'ready';
CREATE INDEX github_commands_open ON github_commands (repo_id, id) WHERE state IN ('asked', 'ready');
CREATE INDEX github_commands_waiting ON github_commands (run_id) WHERE state = 'waiting';
CREATE INDEX github_commands_to_rescan ON github_commands (id) WHERE rescan;
CREATE INDEX github_commands_of_run ON github_commands (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX github_commands_newest ON github_commands (repo_id, id DESC);
CREATE INDEX github_commands_of_author ON github_commands (repo_id, author, created_at);
CREATE INDEX github_commands_age ON github_commands (created_at);

-- What is not checked for now: a pull request, or (number 0) the whole repository.
CREATE TABLE github_pauses (
    repo_id    uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    number     integer NOT NULL CHECK (number >= 0),
    paused_by  text NOT NULL,
    reason     text NOT NULL DEFAULT '',
    paused_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repo_id, number)
);

-- Suggestions that somebody who may write waved away. The second one for a claim suppresses it.
CREATE TABLE github_dismissals (
    repo_id      uuid NOT NULL REFERENCES github_repos ON DELETE CASCADE,
    fingerprint  text NOT NULL,
    place        text NOT NULL CHECK (place IN ('thread', 'reaction')),
    source_id    bigint NOT NULL,
    number       integer NOT NULL,
    dismissed_by text NOT NULL,
    at           timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (repo_id, fingerprint, place, source_id)
);

-- What a suppression is about, as the finding read when it was suppressed, and that finding's id; and where it came from.
ALTER TABLE suppressions
    ADD COLUMN finding_id text NOT NULL DEFAULT '',
    ADD COLUMN about text NOT NULL DEFAULT '',
    ADD COLUMN origin text NOT NULL DEFAULT 'api' CHECK (origin IN ('api', 'comment', 'dismissals')),
    ADD COLUMN revoked_by text NOT NULL DEFAULT '';
CREATE INDEX suppressions_newest ON suppressions (repo_id, created_at DESC, id DESC);

-- How many findings a run left out because they are suppressed.
ALTER TABLE scan_runs ADD COLUMN findings_suppressed integer NOT NULL DEFAULT 0 CHECK (findings_suppressed >= 0);

-- Over which words a check says why there was no scan; '' for a limit.
ALTER TABLE github_checks ADD COLUMN notice_title text NOT NULL DEFAULT '';
