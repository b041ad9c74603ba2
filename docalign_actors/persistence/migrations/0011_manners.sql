-- Whether a pull request with nothing false gets a comment, as the repository's configuration says; NULL: it does not say.

ALTER TABLE scan_runs ADD COLUMN comment_when_clean boolean;

-- Who wants a pull request to be looked at again because a suppression or a pause has changed; empty: nobody.

ALTER TABLE github_pulls ADD COLUMN rescan_by text NOT NULL DEFAULT '' CHECK (length(rescan_by) <= 200);
CREATE INDEX github_pulls_to_rescan ON github_pulls (repo_id, number) WHERE rescan_by <> '';
CREATE INDEX github_pauses_by_time ON github_pauses (paused_at DESC, repo_id, number);
