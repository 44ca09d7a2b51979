-- What was last found out about the compliance of each record, and whose turn it is to be evaluated.
-- CreateEnum
CREATE TYPE "holder_state" AS ENUM ('NON_COMPLIANT', 'DUE', 'COMPLIANT', 'NOT_REQUIRED');

-- CreateTable
CREATE TABLE "holder_compliances" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" "holder_kind" NOT NULL,
    "holder_id" UUID NOT NULL,
    "vehicle_id" UUID,
    "contact_id" UUID,
    "company_id" UUID,
    "location_id" UUID,
    "name" TEXT,
    "place_id" UUID,
    "state" "holder_state" NOT NULL DEFAULT 'NOT_REQUIRED',
    "until" DATE,
    "urgency" INTEGER NOT NULL DEFAULT 0,
    "changes_at" TIMESTAMPTZ(3),
    "gap_ids" UUID[],
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "holder_compliances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "compliance_turns" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" "holder_kind" NOT NULL,
    "holder_id" UUID,
    "after" UUID,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compliance_turns_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "holder_compliances_organization_id_urgency_id_idx" ON "holder_compliances"("organization_id", "urgency", "id");

-- CreateIndex
CREATE INDEX "holder_compliances_team_id_urgency_id_idx" ON "holder_compliances"("team_id", "urgency", "id");

-- CreateIndex
CREATE INDEX "holder_compliances_organization_id_name_id_idx" ON "holder_compliances"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "holder_compliances_changes_at_idx" ON "holder_compliances"("changes_at") WHERE "changes_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "holder_compliances_vehicle_id_idx" ON "holder_compliances"("vehicle_id") WHERE "vehicle_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "holder_compliances_contact_id_idx" ON "holder_compliances"("contact_id") WHERE "contact_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "holder_compliances_company_id_idx" ON "holder_compliances"("company_id") WHERE "company_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "holder_compliances_location_id_idx" ON "holder_compliances"("location_id") WHERE "location_id" IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "holder_compliances_kind_holder_id_key" ON "holder_compliances"("kind", "holder_id");

-- CreateIndex
CREATE INDEX "compliance_turns_requested_at_idx" ON "compliance_turns"("requested_at") WHERE "holder_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_turns_all_idx" ON "compliance_turns"("requested_at") WHERE "holder_id" IS NULL;

-- AddForeignKey
ALTER TABLE "holder_compliances" ADD CONSTRAINT "holder_compliances_vehicle_id_fkey" FOREIGN KEY ("vehicle_id") REFERENCES "vehicles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holder_compliances" ADD CONSTRAINT "holder_compliances_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holder_compliances" ADD CONSTRAINT "holder_compliances_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holder_compliances" ADD CONSTRAINT "holder_compliances_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever changes what the compliance of records follows from asks for their turn, in the same transaction. Copies of rows
-- from another database bring along what was asked for there.
CREATE FUNCTION is_copying() RETURNS boolean LANGUAGE sql STABLE
RETURN current_setting('gateway.copying', true) IS NOT DISTINCT FROM 'on';

-- Records of all four kinds that rows of a table with their columns name. They may be in workspaces that the writer does
-- not see. Those that are gone are left out.
CREATE FUNCTION request_compliance(vehicles_of uuid[], contacts_of uuid[], companies_of uuid[], locations_of uuid[])
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO compliance_turns (organization_id, team_id, kind, holder_id, requested_at)
  SELECT organization_id, team_id, 'VEHICLE'::holder_kind, id, clock_timestamp() FROM vehicles WHERE id = ANY (vehicles_of)
  UNION ALL SELECT organization_id, team_id, 'CONTACT', id, clock_timestamp() FROM contacts WHERE id = ANY (contacts_of)
  UNION ALL SELECT organization_id, team_id, 'COMPANY', id, clock_timestamp() FROM companies WHERE id = ANY (companies_of)
  UNION ALL SELECT organization_id, team_id, 'LOCATION', id, clock_timestamp() FROM locations WHERE id = ANY (locations_of)
$$;

-- A record itself was created or changed. One that moves is at once listed only where it is now.
CREATE FUNCTION holder_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  of_kind holder_kind := TG_ARGV[0]::holder_kind;
BEGIN
  IF is_copying() THEN
    RETURN NULL;
  END IF;
  INSERT INTO compliance_turns (organization_id, team_id, kind, holder_id, requested_at)
  SELECT organization_id, team_id, of_kind, id, clock_timestamp() FROM changed;
  IF TG_OP = 'UPDATE' THEN
    UPDATE holder_compliances AS own SET team_id = changed.team_id
    FROM changed WHERE own.kind = of_kind AND own.holder_id = changed.id AND own.team_id <> changed.team_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_after_insert AFTER INSERT ON "vehicles" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('VEHICLE');
CREATE TRIGGER compliance_after_update AFTER UPDATE ON "vehicles" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('VEHICLE');
CREATE TRIGGER compliance_after_insert AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('CONTACT');
CREATE TRIGGER compliance_after_update AFTER UPDATE ON "contacts" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('CONTACT');
CREATE TRIGGER compliance_after_insert AFTER INSERT ON "companies" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('COMPANY');
CREATE TRIGGER compliance_after_update AFTER UPDATE ON "companies" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('COMPANY');
CREATE TRIGGER compliance_after_insert AFTER INSERT ON "locations" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('LOCATION');
CREATE TRIGGER compliance_after_update AFTER UPDATE ON "locations" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holder_changed('LOCATION');

-- A record got a paper or lost one, or is exempt or no longer.
CREATE FUNCTION holders_linked() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    PERFORM request_compliance(array_agg(vehicle_id), array_agg(contact_id), array_agg(company_id), array_agg(location_id))
    FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_after_insert AFTER INSERT ON "item_holders" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_linked();
CREATE TRIGGER compliance_after_delete AFTER DELETE ON "item_holders" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_linked();
CREATE TRIGGER compliance_after_insert AFTER INSERT ON "exemptions" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_linked();
CREATE TRIGGER compliance_after_update AFTER UPDATE ON "exemptions" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_linked();
CREATE TRIGGER compliance_after_delete AFTER DELETE ON "exemptions" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_linked();

-- An item counts otherwise than before.
CREATE FUNCTION papers_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    PERFORM request_compliance(array_agg(link.vehicle_id), array_agg(link.contact_id), array_agg(link.company_id),
      array_agg(link.location_id))
    FROM changed JOIN former ON former.id = changed.id JOIN item_holders AS link ON link.item_id = changed.id
    WHERE (changed.category_id, changed.is_active, changed.is_missing, changed.expiration_date, changed.notify_on)
      IS DISTINCT FROM (former.category_id, former.is_active, former.is_missing, former.expiration_date, former.notify_on)
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_after_update AFTER UPDATE ON "expiration_items"
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION papers_changed();

-- An item got a file or lost one.
CREATE FUNCTION papers_filed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    PERFORM request_compliance(array_agg(link.vehicle_id), array_agg(link.contact_id), array_agg(link.company_id),
      array_agg(link.location_id))
    FROM changed JOIN item_holders AS link ON link.item_id = changed.item_id HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_after_insert AFTER INSERT ON "attachments" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION papers_filed();
CREATE TRIGGER compliance_after_delete AFTER DELETE ON "attachments" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION papers_filed();

-- A requirement concerns all records of its kind in its workspace, and in the one where it was.
CREATE FUNCTION requirement_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    INSERT INTO compliance_turns (organization_id, team_id, kind, requested_at)
    SELECT DISTINCT organization_id, team_id, upper(holder_kind)::holder_kind, clock_timestamp()
    FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).* UNION ALL
      SELECT (CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END).*) AS changed;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_after_change AFTER INSERT OR UPDATE OR DELETE ON "requirements"
  FOR EACH ROW EXECUTE FUNCTION requirement_changed();

-- Days begin at other times.
CREATE FUNCTION timezone_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT is_copying() THEN
    INSERT INTO compliance_turns (organization_id, team_id, kind, requested_at)
    SELECT NEW.organization_id, NEW.id, kind, clock_timestamp() FROM unnest(enum_range(NULL::holder_kind)) AS kind;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER compliance_timezone AFTER UPDATE OF timezone ON "teams" FOR EACH ROW
  WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION timezone_changed();

CREATE FUNCTION end_compliance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM compliance_turns WHERE team_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER end_compliance AFTER DELETE ON "teams" FOR EACH ROW EXECUTE FUNCTION end_compliance();

-- What exists so far.
INSERT INTO compliance_turns (organization_id, team_id, kind)
SELECT DISTINCT organization_id, team_id, upper(holder_kind)::holder_kind FROM requirements;
