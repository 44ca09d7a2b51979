-- Reminder policies are records as others: their changes are told, too.
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "reminder_policies"
  FOR EACH ROW EXECUTE FUNCTION tell_change();
