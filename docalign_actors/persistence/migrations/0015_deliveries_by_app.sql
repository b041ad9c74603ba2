-- A delivery is looked for under its App, which the primary key does: one index less to write for each webhook.

DROP INDEX github_deliveries_by_id;
