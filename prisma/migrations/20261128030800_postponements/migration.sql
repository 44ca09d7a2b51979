-- AlterTable
ALTER TABLE "reminders" ADD COLUMN     "recipient_key" TEXT;

-- CreateTable
CREATE TABLE "postponements" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "expiration_date" DATE NOT NULL,
    "recipient_key" TEXT NOT NULL,
    "until" DATE NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "postponements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "postponements_team_id_until_idx" ON "postponements"("team_id", "until");

-- CreateIndex
CREATE UNIQUE INDEX "postponements_item_id_expiration_date_recipient_key_key" ON "postponements"("item_id", "expiration_date", "recipient_key");

-- AddForeignKey
ALTER TABLE "postponements" ADD CONSTRAINT "postponements_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "postponements" ADD CONSTRAINT "postponements_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- "Remind me later" was kept as an acknowledgement, for everybody. It belongs to the one who pressed it, if that is known.
-- It stays as it was for an address that is nobody's, and where the day has come.
WITH later AS (
  DELETE FROM acknowledgements AS ack USING teams AS team
  WHERE team.id = ack.team_id AND ack.via = 'LINK' AND NOT ack.silence
    AND ack.snooze_until > (now() AT TIME ZONE team.timezone)::date
    AND natural_key(coalesce((SELECT email FROM users WHERE users.id = ack.user_id),
      (SELECT email FROM contacts WHERE contacts.id = ack.contact_id))) IS NOT NULL
  RETURNING ack.*
)
INSERT INTO postponements (organization_id, team_id, item_id, expiration_date, recipient_key, until, created)
SELECT organization_id, team_id, item_id, expiration_date,
  'mail:' || natural_key(coalesce((SELECT email FROM users WHERE users.id = later.user_id),
    (SELECT email FROM contacts WHERE contacts.id = later.contact_id))),
  snooze_until, created
FROM later;
