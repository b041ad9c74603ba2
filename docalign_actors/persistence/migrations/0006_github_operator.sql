-- What an operator sees of the GitHub App, and what the reconciler looks up.

-- Since when a check could not be told; of one whose last step went well it means nothing.
ALTER TABLE github_checks ADD COLUMN failing_since timestamptz;

-- Checks that could not be told, whether they are tried again or given up.
CREATE INDEX github_checks_failing ON github_checks (failing_since) WHERE last_error <> '';

-- A commit of the default branch whose scan has failed is not asked for again and again.
CREATE INDEX scan_runs_failed_heads ON scan_runs (repo_id, commit_sha) WHERE status = 'failed' AND type <> 'pr';
