-- Only items with a last day to give notice are found by it, and most have none.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "expiration_items_team_id_notice_date_idx" ON "expiration_items"("team_id", "notice_date") WHERE "notice_date" IS NOT NULL;
