-- Organizations, and the persons of each, take turns in the queue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "upload_notifications_turns_idx" ON "upload_notifications" ("organization_id", (coalesce("user_id", "organization_id")), "due_at")
  WHERE "due_at" IS NOT NULL;
