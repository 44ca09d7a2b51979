-- Mails that wait because a mail server has refused them. There are few.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_refused_idx" ON "deliveries" ("organization_id") WHERE "due_at" IS NOT NULL AND "error_code" IS NOT NULL;
