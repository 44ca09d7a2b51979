-- Organizations, and the persons of each, take turns in the queue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "imports_turns_idx" ON "imports" ("organization_id", "user_id", "due_at") WHERE "due_at" IS NOT NULL;
