-- A turn that failed is tried again later, and all records are evaluated again after the first requirement.
-- DropIndex
DROP INDEX "compliance_turns_requested_at_idx";

-- DropIndex
DROP INDEX "compliance_turns_all_idx";

-- AlterTable
ALTER TABLE "compliance_turns" ADD COLUMN     "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "compliance_turns_due_at_idx" ON "compliance_turns"("due_at") WHERE "holder_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_turns_all_due_at_idx" ON "compliance_turns"("due_at") WHERE "holder_id" IS NULL;

-- Most workspaces require nothing: their writers queue nothing. A record that is listed is evaluated even so, because its
-- name may have changed.
CREATE OR REPLACE FUNCTION request_compliance(vehicles_of uuid[], contacts_of uuid[], companies_of uuid[], locations_of uuid[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO compliance_turns (organization_id, team_id, kind, holder_id, requested_at)
  SELECT organization_id, team_id, kind, id, clock_timestamp() FROM (
    SELECT organization_id, team_id, 'VEHICLE'::holder_kind AS kind, id FROM vehicles WHERE id = ANY (vehicles_of)
    UNION ALL SELECT organization_id, team_id, 'CONTACT', id FROM contacts WHERE id = ANY (contacts_of)
    UNION ALL SELECT organization_id, team_id, 'COMPANY', id FROM companies WHERE id = ANY (companies_of)
    UNION ALL SELECT organization_id, team_id, 'LOCATION', id FROM locations WHERE id = ANY (locations_of)
  ) AS record
  WHERE EXISTS (
      SELECT FROM requirements AS rule WHERE rule.team_id = record.team_id AND rule.holder_kind = lower(record.kind::text))
    OR EXISTS (SELECT FROM holder_compliances AS own WHERE own.kind = record.kind AND own.holder_id = record.id);
END $$;

-- A plan is kept for all statements of a connection, and must suit those that change one row and those that change many.
-- So it never joins rows before and after a change: it subtracts them.
CREATE OR REPLACE FUNCTION holder_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  of_kind holder_kind := TG_ARGV[0]::holder_kind;
BEGIN
  IF is_copying() THEN
    RETURN NULL;
  END IF;
  INSERT INTO compliance_turns (organization_id, team_id, kind, holder_id, requested_at)
  SELECT organization_id, team_id, of_kind, id, clock_timestamp() FROM changed AS record
  WHERE EXISTS (
      SELECT FROM requirements AS rule WHERE rule.team_id = record.team_id AND rule.holder_kind = lower(of_kind::text))
    OR EXISTS (SELECT FROM holder_compliances AS own WHERE own.kind = of_kind AND own.holder_id = record.id);
  IF TG_OP = 'UPDATE' THEN
    IF EXISTS (SELECT id, team_id FROM changed EXCEPT SELECT id, team_id FROM former) THEN
      -- Planned each time: there may be one or many.
      EXECUTE 'UPDATE holder_compliances AS own SET team_id = changed.team_id
        FROM changed WHERE own.kind = $1 AND own.holder_id = changed.id AND own.team_id <> changed.team_id' USING of_kind;
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER compliance_after_update AFTER UPDATE ON "vehicles"
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('VEHICLE');
CREATE OR REPLACE TRIGGER compliance_after_update AFTER UPDATE ON "contacts"
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('CONTACT');
CREATE OR REPLACE TRIGGER compliance_after_update AFTER UPDATE ON "companies"
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('COMPANY');
CREATE OR REPLACE TRIGGER compliance_after_update AFTER UPDATE ON "locations"
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('LOCATION');

CREATE OR REPLACE FUNCTION papers_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    PERFORM request_compliance(array_agg(link.vehicle_id), array_agg(link.contact_id), array_agg(link.company_id),
      array_agg(link.location_id))
    FROM (
      SELECT id, category_id, is_active, is_missing, expiration_date, notify_on FROM changed
      EXCEPT SELECT id, category_id, is_active, is_missing, expiration_date, notify_on FROM former
    ) AS item CROSS JOIN LATERAL (SELECT * FROM item_holders WHERE item_id = item.id OFFSET 0) AS link
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION papers_filed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    PERFORM request_compliance(array_agg(link.vehicle_id), array_agg(link.contact_id), array_agg(link.company_id),
      array_agg(link.location_id))
    FROM changed CROSS JOIN LATERAL (SELECT * FROM item_holders WHERE item_id = changed.item_id OFFSET 0) AS link
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

-- A requirement concerns all records of its kind in its workspace, and in the one where it was. Its name does not.
CREATE OR REPLACE FUNCTION requirement_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF is_copying() OR (OLD.team_id, OLD.holder_kind, OLD.applies, OLD.any_of, OLD.valid_days, OLD.grace_days, OLD.needs_file,
      OLD.allow_no_date, OLD.is_active)
    IS NOT DISTINCT FROM (NEW.team_id, NEW.holder_kind, NEW.applies, NEW.any_of, NEW.valid_days, NEW.grace_days,
      NEW.needs_file, NEW.allow_no_date, NEW.is_active) THEN
    RETURN NULL;
  END IF;
  INSERT INTO compliance_turns (organization_id, team_id, kind, requested_at)
  SELECT organization_id, team_id, upper(holder_kind)::holder_kind, clock_timestamp() FROM (
    SELECT changed.organization_id, changed.team_id, changed.holder_kind
    FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) AS changed
    UNION SELECT changed.organization_id, changed.team_id, changed.holder_kind
    FROM (SELECT (CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END).*) AS changed
  ) AS concerned;
  -- Transactions that do not see the first requirement of a kind queue nothing. After a minute, none of them is left.
  IF TG_OP <> 'DELETE' AND (OLD.team_id, OLD.holder_kind) IS DISTINCT FROM (NEW.team_id, NEW.holder_kind) AND NOT EXISTS (
    SELECT FROM requirements WHERE team_id = NEW.team_id AND holder_kind = NEW.holder_kind AND id <> NEW.id) THEN
    INSERT INTO compliance_turns (organization_id, team_id, kind, requested_at, due_at)
    SELECT NEW.organization_id, NEW.team_id, upper(NEW.holder_kind)::holder_kind, later, later
    FROM (SELECT clock_timestamp() + interval '1 minute' AS later) AS minute;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION timezone_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    INSERT INTO compliance_turns (organization_id, team_id, kind, requested_at)
    SELECT NEW.organization_id, NEW.id, upper(holder_kind)::holder_kind, clock_timestamp()
    FROM (SELECT DISTINCT holder_kind FROM requirements WHERE team_id = NEW.id) AS required;
  END IF;
  RETURN NULL;
END $$;
