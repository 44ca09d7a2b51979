-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "home_team_id" UUID;

-- AlterTable
ALTER TABLE "reminder_targets" ADD COLUMN     "home_team_id" UUID;

-- What was told to contacts of other workspaces before. There is little of it: reminders are new.
UPDATE "reminder_targets" AS target SET "home_team_id" = contact.team_id
FROM "reminders" AS reminder, "contacts" AS contact
WHERE reminder.id = target.reminder_id AND contact.organization_id = reminder.organization_id
  AND 'mail:' || natural_key(contact.email) = target.recipient_key AND contact.team_id <> reminder.team_id
  AND NOT EXISTS (
    SELECT FROM "users" AS person WHERE person.organization_id = reminder.organization_id
      AND 'mail:' || natural_key(person.email) = target.recipient_key);
UPDATE "deliveries" AS delivery SET "home_team_id" = target.home_team_id
FROM "reminder_targets" AS target
WHERE target.delivery_id = delivery.id AND target.home_team_id IS NOT NULL;
