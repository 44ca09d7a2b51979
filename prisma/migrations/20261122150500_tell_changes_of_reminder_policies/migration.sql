-- As all other kinds of records have it: see 20261122144000_record_changes.
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "reminder_policies"
  FOR EACH ROW EXECUTE FUNCTION tell_change();
