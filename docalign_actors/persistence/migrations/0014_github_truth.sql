-- What a check says stays true.

-- A digest of what the conclusion was told with: the same conclusion may be there for another reason.
ALTER TABLE github_checks ADD COLUMN told_text text NOT NULL DEFAULT '';

-- When a head that a limit kept from being scanned is asked for again; NULL where none did.
ALTER TABLE github_checks ADD COLUMN resumes_at timestamptz;

-- How many findings a run does not show because there are more than the repository wants to see.
ALTER TABLE scan_runs ADD COLUMN findings_cut integer NOT NULL DEFAULT 0 CHECK (findings_cut >= 0);
