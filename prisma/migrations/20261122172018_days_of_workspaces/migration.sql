-- Days of workspaces: what becomes due and expires by time alone, and document types whose items renew themselves.
-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "auto_renew" JSONB;

-- AlterTable
ALTER TABLE "reminder_marks" ADD COLUMN     "day_next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "day_through" DATE;

-- CreateIndex
CREATE INDEX "reminder_marks_day_next_at_idx" ON "reminder_marks"("day_next_at");

-- CreateIndex
CREATE INDEX "acknowledgements_team_id_created_idx" ON "acknowledgements"("team_id", "created");

-- A new workspace begins with its first day.
CREATE OR REPLACE FUNCTION begin_reminder_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reminder_marks (team_id, organization_id, through, next_at, day_next_at)
  VALUES (NEW.id, NEW.organization_id, NEW.created, NEW.created, NEW.created);
  RETURN NULL;
END $$;

-- In another time zone the next day may begin sooner.
CREATE OR REPLACE FUNCTION move_reminder_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reminder_marks SET
    through = CASE WHEN NEW.timezone <> OLD.timezone THEN through - interval '26 hours' ELSE through END,
    next_at = least(next_at, through),
    day_next_at = CASE WHEN NEW.timezone <> OLD.timezone THEN least(day_next_at, through) ELSE day_next_at END
  WHERE team_id = NEW.id;
  IF NEW.reminder_policy_id IS DISTINCT FROM OLD.reminder_policy_id THEN
    INSERT INTO reminder_jobs (organization_id, team_id, kind) VALUES (NEW.organization_id, NEW.id, 'RECOUNT');
  END IF;
  RETURN NULL;
END $$;
