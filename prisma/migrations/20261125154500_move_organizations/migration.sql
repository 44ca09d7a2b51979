-- Organizations that can be moved to another database: frozen meanwhile, and copied row by row.
-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "frozen_at" TIMESTAMPTZ(3);

-- The frozen ones, which no work in the background takes up.
CREATE INDEX "organizations_frozen_idx" ON "organizations" ("id") WHERE "frozen_at" IS NOT NULL;

-- Refuses to write a row of a frozen organization. While one is frozen, each of its tables has this trigger. What only
-- notes a use, or deletes what has expired, is skipped: it can wait.
CREATE FUNCTION refuse_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on'
    AND EXISTS (SELECT FROM organizations WHERE id = TG_ARGV[0]::uuid AND frozen_at IS NOT NULL)
  THEN
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'last_used_at' = to_jsonb(OLD) - 'last_used_at'
      OR TG_OP = 'DELETE' AND (TG_TABLE_NAME LIKE 'event_logs%' OR TG_TABLE_NAME IN ('bin_entries', 'deliveries',
        'idempotency_keys', 'reminder_checks', 'sessions', 'sign_in_links', 'webhook_messages'))
    THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the organization is frozen' USING ERRCODE = 'EGF01';
  ELSIF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END $$;

-- Rows that are copied from another database stay as they are, and bring along what triggers made there. So no trigger
-- adds anything in a transaction that sets gateway.copying; counts are made anew.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) = 'on' THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, from_team_id, change)
    VALUES (NEW.organization_id, TG_TABLE_NAME, NEW.id, NEW.team_id, nullif(OLD.team_id, NEW.team_id), 2);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
    VALUES (NEW.organization_id, TG_TABLE_NAME, NEW.id, NEW.team_id, 1);
  ELSE
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
    VALUES (OLD.organization_id, TG_TABLE_NAME, OLD.id, OLD.team_id, 3);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_team_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
  SELECT told.organization_id, TG_TABLE_NAME, told.id, told.id,
    CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'UPDATE' THEN 2 ELSE 3 END
  FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) AS told;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO record_changes (organization_id, table_name, record_id, change)
  SELECT told.organization_id, TG_TABLE_NAME, told.id,
    CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'UPDATE' THEN 2 ELSE 3 END
  FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) AS told;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_membership_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('gateway.copying', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO record_changes (organization_id, table_name, record_id, change)
  SELECT organization_id, 'users', id, 2 FROM users
  WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION begin_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on'
    AND NOT EXISTS (SELECT FROM reminder_policies WHERE id = NEW.reminder_policy_id)
  THEN
    NEW.reminder_policy_id := make_reminder_policy(NEW.organization_id, NEW.id, NEW.reminder_days, NEW.created);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION begin_reminder_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on' THEN
    INSERT INTO reminder_marks (team_id, organization_id, through, next_at, day_next_at)
    VALUES (NEW.id, NEW.organization_id, NEW.created, NEW.created, NEW.created);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION set_notify_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on' THEN
    NEW.notify_on := notify_on_of(
      NEW.expiration_date, NEW.reminder_mode, NEW.reminder_policy_id, NEW.category_id, NEW.team_id);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION request_reminder_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('gateway.copying', true) IS DISTINCT FROM 'on' THEN
    INSERT INTO reminder_checks (organization_id, team_id, item_id, requested_at)
    VALUES (NEW.organization_id, NEW.team_id, NEW.id, NEW.modified);
  END IF;
  RETURN NULL;
END $$;
