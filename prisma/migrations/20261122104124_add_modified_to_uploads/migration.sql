-- The version of an upload: each change of it moves this on. Uploads of before have the time of the migration, which
-- takes no rewriting of the table.
ALTER TABLE "upload_notifications" ADD COLUMN "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
