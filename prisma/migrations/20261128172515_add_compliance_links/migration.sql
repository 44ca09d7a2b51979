-- Addresses that show the compliance of a record, as stickers with a QR code do.
-- CreateTable
CREATE TABLE "compliance_links" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "holder_kind" TEXT NOT NULL,
    "vehicle_id" UUID,
    "contact_id" UUID,
    "company_id" UUID,
    "location_id" UUID,
    "hash" BYTEA NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "user_id" UUID,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_id" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compliance_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "compliance_links_hash_key" ON "compliance_links"("hash");

-- CreateIndex
CREATE INDEX "compliance_links_organization_id_created_id_idx" ON "compliance_links"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "compliance_links_team_id_created_id_idx" ON "compliance_links"("team_id", "created", "id");

-- CreateIndex
CREATE INDEX "compliance_links_vehicle_id_idx" ON "compliance_links"("vehicle_id") WHERE "vehicle_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_links_contact_id_idx" ON "compliance_links"("contact_id") WHERE "contact_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_links_company_id_idx" ON "compliance_links"("company_id") WHERE "company_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_links_location_id_idx" ON "compliance_links"("location_id") WHERE "location_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "compliance_links_user_id_idx" ON "compliance_links"("user_id");

-- CreateIndex
CREATE INDEX "compliance_links_revoked_by_id_idx" ON "compliance_links"("revoked_by_id");

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_vehicle_id_fkey" FOREIGN KEY ("vehicle_id") REFERENCES "vehicles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_revoked_by_id_fkey" FOREIGN KEY ("revoked_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The column of the kind of the record has its id.
ALTER TABLE "compliance_links" ADD CONSTRAINT "compliance_links_holder_kind_check" CHECK (
  num_nonnulls("vehicle_id", "contact_id", "company_id", "location_id") = 1
  AND CASE "holder_kind"
    WHEN 'vehicle' THEN "vehicle_id" WHEN 'contact' THEN "contact_id"
    WHEN 'company' THEN "company_id" WHEN 'location' THEN "location_id" END IS NOT NULL
);

-- A sticker stays on its record when that is moved: those who see the record there see its links, and can revoke them.
CREATE FUNCTION move_compliance_links() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE compliance_links SET team_id = NEW.team_id, modified = greatest(NEW.modified, modified + interval '1 millisecond')
  WHERE CASE TG_TABLE_NAME WHEN 'vehicles' THEN vehicle_id WHEN 'contacts' THEN contact_id
    WHEN 'companies' THEN company_id ELSE location_id END = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER move_compliance_links AFTER UPDATE OF team_id ON "vehicles" FOR EACH ROW
  WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION move_compliance_links();
CREATE TRIGGER move_compliance_links AFTER UPDATE OF team_id ON "contacts" FOR EACH ROW
  WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION move_compliance_links();
CREATE TRIGGER move_compliance_links AFTER UPDATE OF team_id ON "companies" FOR EACH ROW
  WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION move_compliance_links();
CREATE TRIGGER move_compliance_links AFTER UPDATE OF team_id ON "locations" FOR EACH ROW
  WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION move_compliance_links();
