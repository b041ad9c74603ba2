-- name: server_version
-- The number of the server's version, such as 180004.
SELECT current_setting('server_version_num')::integer AS version

-- name: server_by_index
-- Until this transaction ends, rows are looked up one by one, by an index. Plans are kept, and one that was made while a table was empty would
-- read all of it for ever after.
SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)
