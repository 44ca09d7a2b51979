-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "reminders" ADD COLUMN     "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "deliveries_organization_id_created_id_idx" ON "deliveries"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "deliveries_organization_id_state_created_id_idx" ON "deliveries"("organization_id", "state", "created", "id");

-- CreateIndex
CREATE INDEX "deliveries_term_idx" ON "deliveries" USING GIN (folded("address") gin_trgm_ops);

-- CreateIndex
CREATE INDEX "reminders_organization_id_slot_id_idx" ON "reminders"("organization_id", "slot", "id");

-- CreateIndex
CREATE INDEX "reminders_term_idx" ON "reminders" USING GIN (folded("item_name") gin_trgm_ops);

-- What went to an address, as unique indexes compare addresses.
CREATE INDEX "deliveries_address_idx" ON "deliveries" ("organization_id", natural_key("address"));

-- The version of a record is its time of change. Many statements change these rows, so that none can forget it.
CREATE FUNCTION keep_modified() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.modified = OLD.modified THEN
    NEW.modified := greatest(clock_timestamp(), OLD.modified + interval '1 millisecond');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_modified BEFORE UPDATE ON "deliveries" FOR EACH ROW EXECUTE FUNCTION keep_modified();
CREATE TRIGGER keep_modified BEFORE UPDATE ON "reminders" FOR EACH ROW EXECUTE FUNCTION keep_modified();
