-- An item has two dates: the one on which it expires, and the last day to give notice. What is known of one says nothing
-- of the other, also if both are on the same day.
-- CreateEnum
CREATE TYPE "item_date" AS ENUM ('EXPIRATION', 'NOTICE');

-- AlterTable
ALTER TABLE "reminder_steps" ADD COLUMN     "about" "item_date";

-- AlterTable
ALTER TABLE "reminders" ADD COLUMN     "about" "item_date" NOT NULL DEFAULT 'EXPIRATION';

-- AlterTable
ALTER TABLE "acknowledgements" ADD COLUMN     "about" "item_date" NOT NULL DEFAULT 'EXPIRATION';

-- AlterTable
ALTER TABLE "postponements" ADD COLUMN     "about" "item_date" NOT NULL DEFAULT 'EXPIRATION';

-- Older versions: no released one has these tables.
-- DropIndex
DROP INDEX "reminder_steps_policy_id_offset_days_only_unacknowledged_key";

-- DropIndex
DROP INDEX "acknowledgements_item_id_expiration_date_key";

-- DropIndex
DROP INDEX "postponements_item_id_expiration_date_recipient_key_key";

-- CreateIndex
CREATE UNIQUE INDEX "reminder_steps_policy_id_about_offset_days_only_unacknowled_key" ON "reminder_steps"("policy_id", "about", "offset_days", "only_unacknowledged");

-- CreateIndex
CREATE UNIQUE INDEX "acknowledgements_item_id_about_expiration_date_key" ON "acknowledgements"("item_id", "about", "expiration_date");

-- CreateIndex
CREATE UNIQUE INDEX "postponements_item_id_about_expiration_date_recipient_key_key" ON "postponements"("item_id", "about", "expiration_date", "recipient_key");

-- Steps after the date say that something has expired. So far, all steps were about that.
UPDATE reminder_steps SET about = 'EXPIRATION' WHERE offset_days > 0;

CREATE OR REPLACE FUNCTION make_reminder_policy(organization UUID, team UUID, days INT, made TIMESTAMPTZ) RETURNS UUID
LANGUAGE plpgsql AS $$
DECLARE
  policy UUID := gen_random_uuid();
  told TEXT[] := '{CONTACTS,MAIN_CONTACT,ASSIGNEE,WATCHERS}';
BEGIN
  INSERT INTO reminder_policies (id, organization_id, team_id, name, lead_days, created, modified)
  VALUES (policy, organization, team, 'Standard', days, made, made);
  INSERT INTO reminder_steps (id, policy_id, position, about, offset_days, repeat_every_days, recipients)
  SELECT gen_random_uuid(), policy, row_number() OVER (ORDER BY offset_days) - 1,
    CASE WHEN offset_days > 0 THEN 'EXPIRATION'::item_date END, offset_days, CASE WHEN offset_days = 1 THEN 7 END, told
  FROM (
    SELECT -days UNION SELECT usual FROM unnest('{-30,-14,-7,-1,0,1}'::int[]) AS usual WHERE usual > -days
  ) AS steps (offset_days);
  RETURN policy;
END $$;

-- A workspace's number of days says when the first step about the expiration date is. Those about notice stay.
CREATE OR REPLACE FUNCTION move_first_step(policy UUID, days INT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  first UUID := (SELECT id FROM reminder_steps
    WHERE policy_id = policy AND about IS DISTINCT FROM 'NOTICE' AND offset_days <= 0
    ORDER BY offset_days, only_unacknowledged LIMIT 1);
BEGIN
  IF EXISTS (SELECT FROM reminder_steps WHERE policy_id = policy AND about IS DISTINCT FROM 'NOTICE'
    AND offset_days = -days AND NOT only_unacknowledged)
  THEN
    DELETE FROM reminder_steps WHERE policy_id = policy AND about IS DISTINCT FROM 'NOTICE' AND offset_days < -days;
  ELSE
    DELETE FROM reminder_steps WHERE policy_id = policy AND about IS DISTINCT FROM 'NOTICE' AND offset_days <= -days
      AND id <> first;
    UPDATE reminder_steps SET offset_days = -days, only_unacknowledged = false WHERE id = first;
    IF first IS NULL THEN
      INSERT INTO reminder_steps (id, policy_id, position, offset_days, recipients)
      VALUES (gen_random_uuid(), policy, 0, -days, '{CONTACTS,MAIN_CONTACT,ASSIGNEE,WATCHERS}');
    END IF;
  END IF;
  UPDATE reminder_steps AS step SET position = placed.place
  FROM (
    SELECT id, row_number() OVER (ORDER BY offset_days, only_unacknowledged) - 1 AS place
    FROM reminder_steps WHERE policy_id = policy
  ) AS placed
  WHERE step.id = placed.id AND step.position <> placed.place;
  UPDATE reminder_policies SET lead_days = days WHERE id = policy;
END $$;

-- Only where a slot may have passed: working days move one at most six days ahead, and time zones one. What somebody
-- has postponed may come before the first step of another policy.
CREATE OR REPLACE FUNCTION request_reminder_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  soon DATE := (greatest(NEW.modified, now()) AT TIME ZONE 'UTC')::date + 8;
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on' AND (
    NEW.notify_on <= soon
    OR NEW.notice_date IS NOT NULL AND EXISTS (
      SELECT FROM reminder_steps WHERE about IS DISTINCT FROM 'EXPIRATION' AND NEW.notice_date + offset_days <= soon
        AND policy_id = coalesce(
          NEW.reminder_policy_id,
          (SELECT reminder_policy_id FROM categories WHERE id = NEW.category_id),
          (SELECT reminder_policy_id FROM teams WHERE id = NEW.team_id)))
    OR EXISTS (SELECT FROM acknowledgements WHERE item_id = NEW.id AND snooze_until <= soon)
    OR EXISTS (SELECT FROM postponements WHERE item_id = NEW.id AND until <= soon)
  ) THEN
    INSERT INTO reminder_checks (organization_id, team_id, item_id, requested_at)
    VALUES (NEW.organization_id, NEW.team_id, NEW.id, NEW.modified);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reminder_check_added AFTER INSERT ON expiration_items FOR EACH ROW
  WHEN (NEW.is_active AND NOT NEW.is_missing AND NEW.reminder_mode <> 'OFF' AND (NEW.notice_date IS NOT NULL
    OR NEW.notify_on <= (greatest(NEW.modified, now()) AT TIME ZONE 'UTC')::date + 8))
  EXECUTE FUNCTION request_reminder_check();
CREATE OR REPLACE TRIGGER reminder_check_changed AFTER UPDATE ON expiration_items FOR EACH ROW
  WHEN (NEW.is_active AND NOT NEW.is_missing AND NEW.reminder_mode <> 'OFF'
    AND (OLD.expiration_date, OLD.notice_date, OLD.time_of_day, OLD.category_id, OLD.team_id, OLD.reminder_policy_id,
        OLD.reminder_mode, OLD.is_active, OLD.is_missing)
      IS DISTINCT FROM (NEW.expiration_date, NEW.notice_date, NEW.time_of_day, NEW.category_id, NEW.team_id,
        NEW.reminder_policy_id, NEW.reminder_mode, NEW.is_active, NEW.is_missing))
  EXECUTE FUNCTION request_reminder_check();
