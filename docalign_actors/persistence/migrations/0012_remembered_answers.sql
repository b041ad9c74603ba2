-- A question that agents have answered is not asked again: a run is linked to the task that has its answer.

ALTER TABLE scan_tasks ADD COLUMN question text NOT NULL DEFAULT '';
ALTER TABLE scan_tasks ADD COLUMN remembered boolean NOT NULL DEFAULT false;

-- A task has one run that asked it, and any number that remember its answer.
ALTER TABLE scan_tasks DROP CONSTRAINT scan_tasks_pkey;
ALTER TABLE scan_tasks ADD PRIMARY KEY (run_id, task_id);
DROP INDEX scan_tasks_of_run;
CREATE UNIQUE INDEX scan_tasks_asked_once ON scan_tasks (task_id) WHERE NOT remembered;
CREATE INDEX scan_tasks_of_task ON scan_tasks (task_id);
CREATE INDEX scan_tasks_by_question ON scan_tasks (question) WHERE question <> '' AND NOT remembered;
