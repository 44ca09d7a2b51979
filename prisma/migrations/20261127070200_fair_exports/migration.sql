-- Organizations, and the persons of each, take turns in the queue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "team_exports_turns_idx" ON "team_exports" ("organization_id", "user_id", "due_at") WHERE "due_at" IS NOT NULL;
