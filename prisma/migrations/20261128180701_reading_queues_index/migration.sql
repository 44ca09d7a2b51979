-- Organizations, and the persons of each, take turns in each queue of uploads.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "upload_notifications_queues_idx" ON "upload_notifications" ("queue", "organization_id", (coalesce("user_id", "organization_id")), "due_at")
  WHERE "due_at" IS NOT NULL;
