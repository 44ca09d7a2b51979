-- What vehicles, people, companies and locations must have, and who is exempt.
-- CreateTable
CREATE TABLE "requirements" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "holder_kind" TEXT NOT NULL,
    "applies" JSONB NOT NULL DEFAULT '{}',
    "any_of" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "valid_days" INTEGER NOT NULL DEFAULT 0,
    "grace_days" INTEGER NOT NULL DEFAULT 0,
    "needs_file" BOOLEAN NOT NULL DEFAULT false,
    "allow_no_date" BOOLEAN NOT NULL DEFAULT false,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "requirements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "exemptions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "requirement_id" UUID NOT NULL,
    "holder_kind" TEXT NOT NULL,
    "vehicle_id" UUID,
    "contact_id" UUID,
    "company_id" UUID,
    "location_id" UUID,
    "from" DATE NOT NULL,
    "until" DATE,
    "ended_on" DATE,
    "reason" TEXT NOT NULL,
    "user_id" UUID,
    "ended_by_id" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exemptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "requirements_organization_id_name_id_idx" ON "requirements"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "requirements_team_id_name_id_idx" ON "requirements"("team_id", "name", "id");

-- CreateIndex
CREATE INDEX "requirements_term_idx" ON "requirements" USING GIN (folded("name") gin_trgm_ops);

-- CreateIndex
CREATE INDEX "exemptions_organization_id_idx" ON "exemptions"("organization_id");

-- CreateIndex
CREATE INDEX "exemptions_team_id_idx" ON "exemptions"("team_id");

-- CreateIndex
CREATE INDEX "exemptions_requirement_id_idx" ON "exemptions"("requirement_id");

-- CreateIndex
CREATE INDEX "exemptions_vehicle_id_idx" ON "exemptions"("vehicle_id") WHERE "vehicle_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "exemptions_contact_id_idx" ON "exemptions"("contact_id") WHERE "contact_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "exemptions_company_id_idx" ON "exemptions"("company_id") WHERE "company_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "exemptions_location_id_idx" ON "exemptions"("location_id") WHERE "location_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "exemptions_user_id_idx" ON "exemptions"("user_id");

-- CreateIndex
CREATE INDEX "exemptions_ended_by_id_idx" ON "exemptions"("ended_by_id");

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "requirements" ADD CONSTRAINT "requirements_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_requirement_id_fkey" FOREIGN KEY ("requirement_id") REFERENCES "requirements"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_vehicle_id_fkey" FOREIGN KEY ("vehicle_id") REFERENCES "vehicles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_ended_by_id_fkey" FOREIGN KEY ("ended_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateTrigger
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "requirements"
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- CreateTrigger
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "exemptions"
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- Which requirements ask for a document type.
CREATE INDEX "requirements_any_of_idx" ON "requirements" USING GIN ("any_of");

ALTER TABLE "requirements" ADD CONSTRAINT "requirements_holder_kind_check"
  CHECK ("holder_kind" IN ('vehicle', 'contact', 'company', 'location'));

-- The column of the kind of an exempt record has its id.
ALTER TABLE "exemptions" ADD CONSTRAINT "exemptions_holder_kind_check" CHECK (
  num_nonnulls("vehicle_id", "contact_id", "company_id", "location_id") = 1
  AND CASE "holder_kind"
    WHEN 'vehicle' THEN "vehicle_id" WHEN 'contact' THEN "contact_id"
    WHEN 'company' THEN "company_id" WHEN 'location' THEN "location_id" END IS NOT NULL
);

-- A list of ids has no foreign key. Whoever names document types keeps them from being deleted, like with one.
CREATE FUNCTION keep_required_categories() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM categories WHERE id = ANY (NEW.any_of) ORDER BY id FOR KEY SHARE;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_required_categories AFTER INSERT OR UPDATE OF any_of ON "requirements"
  FOR EACH ROW EXECUTE FUNCTION keep_required_categories();

-- Names a requirement only to those who see it: it is in the workspace of the document type.
CREATE FUNCTION refuse_required_category() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  asking RECORD;
BEGIN
  SELECT name, team_id INTO asking FROM requirements
  WHERE any_of @> ARRAY[OLD.id] AND organization_id = OLD.organization_id
    -- Of an organization that is deleted, everything goes, in any order.
    AND NOT EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id AND frozen_at IS NOT NULL)
  ORDER BY team_id <> OLD.team_id, name, id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'a requirement asks for the document type' USING ERRCODE = 'foreign_key_violation',
      CONSTRAINT = 'requirements_any_of', DETAIL = CASE WHEN asking.team_id = OLD.team_id THEN asking.name ELSE '' END;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER refuse_required_category BEFORE DELETE ON "categories"
  FOR EACH ROW EXECUTE FUNCTION refuse_required_category();

-- What a requirement asks of the items of a record, wherever they are: also of those that the caller does not see.
CREATE FUNCTION compliance_items(of_kind text, of_id uuid) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(json_agg(json_build_object('id', item.id, 'teamId', item.team_id, 'categoryId', item.category_id,
    'isActive', item.is_active, 'isMissing', item.is_missing, 'expirationDate', item.expiration_date,
    'notifyOn', item.notify_on, 'hasFile', EXISTS (SELECT FROM attachments WHERE item_id = item.id))), '[]')
  FROM item_holders AS link JOIN expiration_items AS item ON item.id = link.item_id
  WHERE of_kind = 'vehicle' AND link.vehicle_id = of_id OR of_kind = 'contact' AND link.contact_id = of_id
    OR of_kind = 'company' AND link.company_id = of_id OR of_kind = 'location' AND link.location_id = of_id
$$;

-- Knows requirements as well.
CREATE OR REPLACE FUNCTION record_exists(kind integer, wanted uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT CASE kind
    WHEN 1 THEN EXISTS (SELECT FROM expiration_items WHERE id = wanted)
    WHEN 2 THEN EXISTS (SELECT FROM categories WHERE id = wanted)
    WHEN 3 THEN EXISTS (SELECT FROM vehicles WHERE id = wanted)
    WHEN 4 THEN EXISTS (SELECT FROM companies WHERE id = wanted)
    WHEN 5 THEN EXISTS (SELECT FROM contacts WHERE id = wanted)
    WHEN 6 THEN EXISTS (SELECT FROM contact_types WHERE id = wanted)
    WHEN 7 THEN EXISTS (SELECT FROM locations WHERE id = wanted)
    WHEN 8 THEN EXISTS (SELECT FROM notes WHERE id = wanted)
    WHEN 9 THEN EXISTS (SELECT FROM teams WHERE id = wanted)
    WHEN 10 THEN EXISTS (SELECT FROM tags WHERE id = wanted)
    WHEN 11 THEN EXISTS (SELECT FROM attachments WHERE id = wanted)
    WHEN 12 THEN EXISTS (SELECT FROM upload_notifications WHERE id = wanted)
    WHEN 13 THEN EXISTS (SELECT FROM reminder_policies WHERE id = wanted)
    WHEN 14 THEN EXISTS (SELECT FROM watches WHERE id = wanted)
    WHEN 15 THEN EXISTS (SELECT FROM mail_texts WHERE id = wanted)
    WHEN 16 THEN EXISTS (SELECT FROM requirements WHERE id = wanted)
  END
$$;
