-- Finds the items of an organization whose notice period ends soon, in whatever order they are listed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "expiration_items_organization_id_notice_date_idx" ON "expiration_items"("organization_id", "notice_date") WHERE "notice_date" IS NOT NULL;
