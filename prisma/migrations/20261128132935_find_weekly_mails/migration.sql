-- Each workspace asks every day whether anybody of its organization wants the weekly mail; mostly nobody does.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "recipient_settings_all_is_well_idx" ON "recipient_settings"("organization_id") WHERE "all_is_well";
