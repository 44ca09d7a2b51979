-- The turns of uploads have an index with their queue. Beside it, PostgreSQL might walk all queues by the former one.
DROP INDEX IF EXISTS "upload_notifications_turns_idx";
