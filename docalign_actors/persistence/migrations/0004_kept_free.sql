-- Kept free for a migration that is written elsewhere at the same time.
SELECT 1;
