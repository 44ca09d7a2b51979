-- Reminders: policies and their steps, what was decided by them, and what leaves the gateway.
-- CreateEnum
CREATE TYPE "recipient_mode" AS ENUM ('SINGLE', 'DAILY', 'WEEKLY');

-- CreateEnum
CREATE TYPE "suppression_scope" AS ENUM ('ALL', 'CATEGORY', 'ITEM');

-- CreateEnum
CREATE TYPE "suppression_reason" AS ENUM ('UNSUBSCRIBED', 'REFUSED', 'ADMIN');

-- CreateEnum
CREATE TYPE "delivery_kind" AS ENUM ('MAIL', 'CHAT', 'WEBHOOK');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('QUEUED', 'SENT', 'FAILED', 'SUPPRESSED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "deliver_on" AS ENUM ('ANY', 'WORKING_DAYS');

-- CreateEnum
CREATE TYPE "reminder_mode" AS ENUM ('INHERIT', 'OFF');

-- CreateEnum
CREATE TYPE "reminder_job_kind" AS ENUM ('RECOUNT', 'CHECK');

-- CreateEnum
CREATE TYPE "reminder_state" AS ENUM ('PENDING', 'TOLD', 'SKIPPED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "acknowledged_via" AS ENUM ('LINK', 'API', 'CONSOLE');

-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "reminder_policy_id" UUID;

-- AlterTable
ALTER TABLE "expiration_items" ADD COLUMN     "notify_on" DATE,
ADD COLUMN     "reminder_mode" "reminder_mode" NOT NULL DEFAULT 'INHERIT',
ADD COLUMN     "reminder_policy_id" UUID;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "reminder_fallback_address" TEXT,
ADD COLUMN     "reminder_policy_id" UUID,
ADD COLUMN     "working_days" INTEGER[] DEFAULT ARRAY[1, 2, 3, 4, 5]::INTEGER[];

-- CreateTable
CREATE TABLE "recipient_settings" (
    "organization_id" UUID NOT NULL,
    "recipient_key" TEXT NOT NULL,
    "mode" "recipient_mode" NOT NULL DEFAULT 'SINGLE',
    "weekday" INTEGER NOT NULL DEFAULT 1,
    "digest_time" TEXT NOT NULL DEFAULT '08:00',
    "language" TEXT,
    "muted_until" TIMESTAMPTZ(3),

    CONSTRAINT "recipient_settings_pkey" PRIMARY KEY ("organization_id","recipient_key")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "address_key" TEXT NOT NULL,
    "scope" "suppression_scope" NOT NULL,
    "scope_id" UUID,
    "reason" "suppression_reason" NOT NULL,
    "until" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" "delivery_kind" NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "address" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "first_tried_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "status_code" INTEGER,
    "message_id" TEXT,
    "settled_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_policies" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "time_of_day" TEXT NOT NULL DEFAULT '08:00',
    "deliver_on" "deliver_on" NOT NULL DEFAULT 'ANY',
    "lead_days" INTEGER NOT NULL DEFAULT -1,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reminder_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_steps" (
    "id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "offset_days" INTEGER NOT NULL,
    "repeat_every_days" INTEGER,
    "repeat_count" INTEGER,
    "only_unacknowledged" BOOLEAN NOT NULL DEFAULT false,
    "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "channel_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "reminder_steps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_marks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "through" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "page_after" UUID,
    "page_until" TIMESTAMPTZ(3),

    CONSTRAINT "reminder_marks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_checks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "quiet" BOOLEAN NOT NULL DEFAULT false,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reminder_checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_jobs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" "reminder_job_kind" NOT NULL,
    "policy_id" UUID,
    "after" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reminder_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminders" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "item_name" TEXT NOT NULL,
    "step_key" UUID NOT NULL,
    "expiration_date" DATE NOT NULL,
    "occurrence" INTEGER NOT NULL DEFAULT 0,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "state" "reminder_state" NOT NULL,
    "reason" TEXT,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reminders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reminder_targets" (
    "reminder_id" UUID NOT NULL,
    "recipient_key" TEXT NOT NULL,
    "channel_id" UUID,
    "address" TEXT NOT NULL,
    "reason" TEXT,
    "delivery_id" UUID,

    CONSTRAINT "reminder_targets_pkey" PRIMARY KEY ("reminder_id","recipient_key")
);

-- CreateTable
CREATE TABLE "acknowledgements" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "expiration_date" DATE NOT NULL,
    "user_id" UUID,
    "contact_id" UUID,
    "via" "acknowledged_via" NOT NULL,
    "note" TEXT,
    "silence" BOOLEAN NOT NULL DEFAULT false,
    "snooze_until" DATE,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acknowledgements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "watches" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID,
    "contact_id" UUID,
    "filter" JSONB NOT NULL DEFAULT '{}',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "watches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "suppressions_organization_id_address_key_idx" ON "suppressions"("organization_id", "address_key");

-- CreateIndex
CREATE INDEX "deliveries_organization_id_state_settled_at_idx" ON "deliveries"("organization_id", "state", "settled_at");

-- CreateIndex
CREATE INDEX "deliveries_team_id_idx" ON "deliveries"("team_id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_organization_id_dedupe_key_key" ON "deliveries"("organization_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "reminder_policies_organization_id_name_id_idx" ON "reminder_policies"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "reminder_policies_team_id_idx" ON "reminder_policies"("team_id");

-- CreateIndex
CREATE INDEX "reminder_policies_term_idx" ON "reminder_policies" USING GIN (folded("name") gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "reminder_steps_policy_id_offset_days_only_unacknowledged_key" ON "reminder_steps"("policy_id", "offset_days", "only_unacknowledged");

-- CreateIndex
CREATE INDEX "reminder_marks_next_at_idx" ON "reminder_marks"("next_at");

-- CreateIndex
CREATE INDEX "reminder_marks_team_id_idx" ON "reminder_marks"("team_id");

-- CreateIndex
CREATE INDEX "reminder_checks_requested_at_idx" ON "reminder_checks"("requested_at");

-- CreateIndex
CREATE INDEX "reminder_jobs_created_idx" ON "reminder_jobs"("created");

-- CreateIndex
CREATE INDEX "reminders_team_id_decided_at_idx" ON "reminders"("team_id", "decided_at");

-- CreateIndex
CREATE UNIQUE INDEX "reminders_item_id_step_key_expiration_date_occurrence_key" ON "reminders"("item_id", "step_key", "expiration_date", "occurrence");

-- CreateIndex
CREATE INDEX "reminder_targets_delivery_id_idx" ON "reminder_targets"("delivery_id");

-- CreateIndex
CREATE INDEX "acknowledgements_team_id_snooze_until_idx" ON "acknowledgements"("team_id", "snooze_until");

-- CreateIndex
CREATE INDEX "acknowledgements_user_id_idx" ON "acknowledgements"("user_id");

-- CreateIndex
CREATE INDEX "acknowledgements_contact_id_idx" ON "acknowledgements"("contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "acknowledgements_item_id_expiration_date_key" ON "acknowledgements"("item_id", "expiration_date");

-- CreateIndex
CREATE INDEX "watches_team_id_idx" ON "watches"("team_id");

-- CreateIndex
CREATE INDEX "watches_user_id_idx" ON "watches"("user_id");

-- CreateIndex
CREATE INDEX "watches_contact_id_idx" ON "watches"("contact_id");

-- CreateIndex
CREATE INDEX "categories_reminder_policy_id_idx" ON "categories"("reminder_policy_id");

-- CreateIndex
CREATE INDEX "expiration_items_reminder_policy_id_idx" ON "expiration_items"("reminder_policy_id");

-- CreateIndex
CREATE INDEX "teams_reminder_policy_id_idx" ON "teams"("reminder_policy_id");

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_reminder_policy_id_fkey" FOREIGN KEY ("reminder_policy_id") REFERENCES "reminder_policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recipient_settings" ADD CONSTRAINT "recipient_settings_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_reminder_policy_id_fkey" FOREIGN KEY ("reminder_policy_id") REFERENCES "reminder_policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_reminder_policy_id_fkey" FOREIGN KEY ("reminder_policy_id") REFERENCES "reminder_policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminder_policies" ADD CONSTRAINT "reminder_policies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminder_steps" ADD CONSTRAINT "reminder_steps_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "reminder_policies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminder_targets" ADD CONSTRAINT "reminder_targets_reminder_id_fkey" FOREIGN KEY ("reminder_id") REFERENCES "reminders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminder_targets" ADD CONSTRAINT "reminder_targets_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "watches" ADD CONSTRAINT "watches_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "watches" ADD CONSTRAINT "watches_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "watches" ADD CONSTRAINT "watches_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A policy's name is unique in its workspace.
CREATE UNIQUE INDEX "reminder_policies_name_key"
  ON "reminder_policies" ("organization_id", "team_id", natural_key("name"));

-- The queue of deliveries.
CREATE INDEX "deliveries_due_at_idx" ON "deliveries" ("due_at") WHERE "due_at" IS NOT NULL;

-- The times of day that items have of their own; few have one.
CREATE INDEX "expiration_items_time_of_day_idx" ON "expiration_items" ("team_id", "time_of_day")
  WHERE "time_of_day" IS NOT NULL;

-- Makes the policy that every workspace begins with. Its first step is as many days before the date as the workspace's
-- `reminder_days`; the usual ones that are nearer follow, and after the date it is told again until acknowledged.
CREATE FUNCTION make_reminder_policy(organization UUID, team UUID, days INT, made TIMESTAMPTZ) RETURNS UUID
LANGUAGE plpgsql AS $$
DECLARE
  policy UUID := gen_random_uuid();
  told TEXT[] := '{CONTACTS,MAIN_CONTACT,ASSIGNEE,WATCHERS}';
BEGIN
  INSERT INTO reminder_policies (id, organization_id, team_id, name, lead_days, created, modified)
  VALUES (policy, organization, team, 'Standard', days, made, made);
  INSERT INTO reminder_steps (id, policy_id, position, offset_days, repeat_every_days, recipients)
  SELECT gen_random_uuid(), policy, row_number() OVER (ORDER BY offset_days) - 1, offset_days,
    CASE WHEN offset_days = 1 THEN 7 END, told
  FROM (
    SELECT -days UNION SELECT usual FROM unnest('{-30,-14,-7,-1,0,1}'::int[]) AS usual WHERE usual > -days
  ) AS steps (offset_days);
  RETURN policy;
END $$;

-- Moves the first step of a policy to so many days before the date. Steps that would come before it go.
CREATE FUNCTION move_first_step(policy UUID, days INT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  first UUID := (SELECT id FROM reminder_steps WHERE policy_id = policy AND offset_days <= 0
    ORDER BY offset_days, only_unacknowledged LIMIT 1);
BEGIN
  IF EXISTS (SELECT FROM reminder_steps WHERE policy_id = policy AND offset_days = -days AND NOT only_unacknowledged)
  THEN
    DELETE FROM reminder_steps WHERE policy_id = policy AND offset_days < -days;
  ELSE
    DELETE FROM reminder_steps WHERE policy_id = policy AND offset_days <= -days AND id <> first;
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

-- A new workspace has its policy from the beginning, whoever makes it. So has one that comes back from the bin, as
-- policies are deleted with their workspace.
CREATE FUNCTION begin_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM reminder_policies WHERE id = NEW.reminder_policy_id) THEN
    NEW.reminder_policy_id := make_reminder_policy(NEW.organization_id, NEW.id, NEW.reminder_days, NEW.created);
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION begin_reminder_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reminder_marks (team_id, organization_id, through, next_at)
  VALUES (NEW.id, NEW.organization_id, NEW.created, NEW.created);
  RETURN NULL;
END $$;

-- The policy of a workspace and its `reminder_days` say the same: whichever is changed leads.
CREATE FUNCTION take_reminder_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reminder_days := coalesce(
    (SELECT greatest(lead_days, 0) FROM reminder_policies WHERE id = NEW.reminder_policy_id), NEW.reminder_days);
  RETURN NEW;
END $$;

CREATE FUNCTION follow_reminder_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM reminder_policies WHERE id = NEW.reminder_policy_id AND greatest(lead_days, 0) <> NEW.reminder_days
  ) THEN
    PERFORM move_first_step(NEW.reminder_policy_id, NEW.reminder_days);
  END IF;
  RETURN NULL;
END $$;

-- Slots of another time zone are asked for again as far back as zones differ; what was told is in the ledger.
CREATE FUNCTION move_reminder_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reminder_marks SET
    through = CASE WHEN NEW.timezone <> OLD.timezone THEN through - interval '26 hours' ELSE through END,
    next_at = least(next_at, through)
  WHERE team_id = NEW.id;
  IF NEW.reminder_policy_id IS DISTINCT FROM OLD.reminder_policy_id THEN
    INSERT INTO reminder_jobs (organization_id, team_id, kind) VALUES (NEW.organization_id, NEW.id, 'RECOUNT');
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION end_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM reminder_policies WHERE team_id = OLD.id;
  DELETE FROM reminder_marks WHERE team_id = OLD.id;
  DELETE FROM reminder_checks WHERE team_id = OLD.id;
  DELETE FROM reminder_jobs WHERE team_id = OLD.id;
  RETURN NULL;
END $$;

CREATE FUNCTION follow_reminder_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.lead_days <> OLD.lead_days THEN
    INSERT INTO reminder_jobs (organization_id, team_id, kind) VALUES (NEW.organization_id, NEW.team_id, 'RECOUNT');
    UPDATE teams SET reminder_days = greatest(NEW.lead_days, 0)
    WHERE reminder_policy_id = NEW.id AND reminder_days <> greatest(NEW.lead_days, 0);
  END IF;
  UPDATE reminder_marks SET next_at = least(next_at, through) WHERE team_id = NEW.team_id;
  RETURN NULL;
END $$;

CREATE FUNCTION follow_category_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reminder_jobs (organization_id, team_id, kind) VALUES (NEW.organization_id, NEW.team_id, 'RECOUNT');
  RETURN NULL;
END $$;

-- The day from which an item is notifying: as many days before its date as its policy begins. The day after the date
-- stands for never.
CREATE FUNCTION notify_on_of(date DATE, mode reminder_mode, policy UUID, category UUID, team UUID) RETURNS DATE
LANGUAGE sql STABLE AS $$
  SELECT greatest(least(date::timestamp - make_interval(days => greatest(-1, coalesce(CASE WHEN mode <> 'OFF' THEN (
    SELECT lead_days FROM reminder_policies WHERE id = coalesce(
      policy,
      (SELECT reminder_policy_id FROM categories WHERE id = category),
      (SELECT reminder_policy_id FROM teams WHERE id = team)
    )
  ) END, -1))), '9999-12-31'), '0001-01-01')::date
$$;

CREATE FUNCTION set_notify_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.notify_on := notify_on_of(
    NEW.expiration_date, NEW.reminder_mode, NEW.reminder_policy_id, NEW.category_id, NEW.team_id);
  RETURN NEW;
END $$;

CREATE FUNCTION request_reminder_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reminder_checks (organization_id, team_id, item_id, requested_at)
  VALUES (NEW.organization_id, NEW.team_id, NEW.id, NEW.modified);
  RETURN NULL;
END $$;

-- What is there already: each workspace gets its policy, and is evaluated from now on.
UPDATE teams SET reminder_policy_id = make_reminder_policy(organization_id, id, reminder_days, now()::timestamptz(3));
INSERT INTO reminder_marks (team_id, organization_id, through, next_at)
  SELECT id, organization_id, now(), now() FROM teams;
-- Every item is written once: its status turns on the new column.
UPDATE expiration_items AS item SET notify_on =
  greatest(least(item.expiration_date::timestamp - make_interval(days => team.reminder_days), '9999-12-31'), '0001-01-01')::date
FROM teams AS team WHERE team.id = item.team_id AND item.expiration_date IS NOT NULL;

CREATE INDEX "expiration_items_team_id_is_active_notify_on_idx"
  ON "expiration_items"("team_id", "is_active", "notify_on");

CREATE TRIGGER begin_reminders BEFORE INSERT ON teams FOR EACH ROW EXECUTE FUNCTION begin_reminders();
CREATE TRIGGER begin_reminder_mark AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION begin_reminder_mark();
CREATE TRIGGER take_reminder_days BEFORE UPDATE ON teams FOR EACH ROW
  WHEN (OLD.reminder_policy_id IS DISTINCT FROM NEW.reminder_policy_id) EXECUTE FUNCTION take_reminder_days();
CREATE TRIGGER follow_reminder_days AFTER UPDATE ON teams FOR EACH ROW
  WHEN (OLD.reminder_days <> NEW.reminder_days) EXECUTE FUNCTION follow_reminder_days();
CREATE TRIGGER move_reminder_mark AFTER UPDATE ON teams FOR EACH ROW
  WHEN ((OLD.timezone, OLD.working_days, OLD.reminder_policy_id)
    IS DISTINCT FROM (NEW.timezone, NEW.working_days, NEW.reminder_policy_id))
  EXECUTE FUNCTION move_reminder_mark();
CREATE TRIGGER end_reminders AFTER DELETE ON teams FOR EACH ROW EXECUTE FUNCTION end_reminders();
CREATE TRIGGER follow_reminder_policy AFTER UPDATE ON reminder_policies FOR EACH ROW
  EXECUTE FUNCTION follow_reminder_policy();
CREATE TRIGGER follow_category_policy AFTER UPDATE ON categories FOR EACH ROW
  WHEN (OLD.reminder_policy_id IS DISTINCT FROM NEW.reminder_policy_id)
  EXECUTE FUNCTION follow_category_policy();

-- Conditions on the rows keep them from running where nothing of theirs changes: most writes of an item are such.
CREATE TRIGGER notify_on_added BEFORE INSERT ON expiration_items FOR EACH ROW
  WHEN (NEW.expiration_date IS NOT NULL) EXECUTE FUNCTION set_notify_on();
CREATE TRIGGER notify_on_changed BEFORE UPDATE ON expiration_items FOR EACH ROW
  WHEN ((OLD.expiration_date, OLD.category_id, OLD.team_id, OLD.reminder_policy_id, OLD.reminder_mode)
    IS DISTINCT FROM (NEW.expiration_date, NEW.category_id, NEW.team_id, NEW.reminder_policy_id, NEW.reminder_mode))
  EXECUTE FUNCTION set_notify_on();

-- Only where a slot may have passed: working days move one at most six days ahead, and time zones one.
CREATE TRIGGER reminder_check_added AFTER INSERT ON expiration_items FOR EACH ROW
  WHEN (NEW.is_active AND NOT NEW.is_missing AND NEW.reminder_mode <> 'OFF'
    AND NEW.notify_on <= (greatest(NEW.modified, now()) AT TIME ZONE 'UTC')::date + 8)
  EXECUTE FUNCTION request_reminder_check();
CREATE TRIGGER reminder_check_changed AFTER UPDATE ON expiration_items FOR EACH ROW
  WHEN (NEW.is_active AND NOT NEW.is_missing AND NEW.reminder_mode <> 'OFF'
    AND NEW.notify_on <= (greatest(NEW.modified, now()) AT TIME ZONE 'UTC')::date + 8
    AND (OLD.expiration_date, OLD.time_of_day, OLD.category_id, OLD.team_id, OLD.reminder_policy_id, OLD.reminder_mode,
        OLD.is_active, OLD.is_missing)
      IS DISTINCT FROM (NEW.expiration_date, NEW.time_of_day, NEW.category_id, NEW.team_id, NEW.reminder_policy_id,
        NEW.reminder_mode, NEW.is_active, NEW.is_missing))
  EXECUTE FUNCTION request_reminder_check();
