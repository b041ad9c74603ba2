-- name: server_version
-- The number of the server's version, such as 180004.
SELECT current_setting('server_version_num')::integer AS version
