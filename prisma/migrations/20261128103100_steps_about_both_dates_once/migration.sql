-- Steps that are about both dates have no value in "about", and a unique index takes nulls for different.
DELETE FROM reminder_steps AS step WHERE about IS NULL AND EXISTS (
  SELECT FROM reminder_steps AS other
  WHERE other.policy_id = step.policy_id AND other.about IS NULL AND other.offset_days = step.offset_days
    AND other.only_unacknowledged = step.only_unacknowledged
    AND (other.position, other.id) < (step.position, step.id));
CREATE UNIQUE INDEX "reminder_steps_policy_id_offset_days_both_key"
  ON "reminder_steps"("policy_id", "offset_days", "only_unacknowledged") WHERE "about" IS NULL;
