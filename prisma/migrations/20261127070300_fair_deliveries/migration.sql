-- Organizations take turns in the queues of mails and of chat messages.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_turns_idx" ON "deliveries" ("kind", "organization_id", "due_at") WHERE "due_at" IS NOT NULL;
