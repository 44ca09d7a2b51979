-- Nobody waits while it is built.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "reminders_item_id_step_key_about_expiration_date_occurrence_key" ON "reminders"("item_id", "step_key", "about", "expiration_date", "occurrence");
