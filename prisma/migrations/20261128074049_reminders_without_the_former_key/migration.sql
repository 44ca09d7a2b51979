-- Older versions: no released one has this table.
-- DropIndex
DROP INDEX "reminders_item_id_step_key_expiration_date_occurrence_key";
