-- Reminder policies are records as others: their changes are told, too.
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "reminder_policies"
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- A target keeps the id of its delivery without a foreign key: it has no id of its own, by which the bin could point at it.
ALTER TABLE "reminder_targets" DROP CONSTRAINT "reminder_targets_delivery_id_fkey";
