-- Which items are papers of which vehicles, persons, companies and locations.
-- CreateEnum
CREATE TYPE "holder_kind" AS ENUM ('VEHICLE', 'CONTACT', 'COMPANY', 'LOCATION');

-- CreateTable
CREATE TABLE "item_holders" (
    "item_id" UUID NOT NULL,
    "kind" "holder_kind" NOT NULL,
    "holder_id" UUID NOT NULL,
    "vehicle_id" UUID,
    "contact_id" UUID,
    "company_id" UUID,
    "location_id" UUID,
    "position" INTEGER NOT NULL,

    CONSTRAINT "item_holders_pkey" PRIMARY KEY ("item_id","kind","holder_id"),
    -- The column of a holder's kind repeats its id, so that foreign keys can lead to four tables.
    CONSTRAINT "item_holders_kind_check" CHECK (
        num_nonnulls("vehicle_id", "contact_id", "company_id", "location_id") = 1
        AND "holder_id" IS NOT DISTINCT FROM CASE "kind"
            WHEN 'VEHICLE' THEN "vehicle_id" WHEN 'CONTACT' THEN "contact_id"
            WHEN 'COMPANY' THEN "company_id" WHEN 'LOCATION' THEN "location_id" END
    )
);

-- CreateIndex
CREATE INDEX "item_holders_vehicle_id_item_id_idx" ON "item_holders"("vehicle_id", "item_id") WHERE "vehicle_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "item_holders_contact_id_item_id_idx" ON "item_holders"("contact_id", "item_id") WHERE "contact_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "item_holders_company_id_item_id_idx" ON "item_holders"("company_id", "item_id") WHERE "company_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "item_holders_location_id_item_id_idx" ON "item_holders"("location_id", "item_id") WHERE "location_id" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "item_holders" ADD CONSTRAINT "item_holders_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_holders" ADD CONSTRAINT "item_holders_vehicle_id_fkey" FOREIGN KEY ("vehicle_id") REFERENCES "vehicles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_holders" ADD CONSTRAINT "item_holders_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_holders" ADD CONSTRAINT "item_holders_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_holders" ADD CONSTRAINT "item_holders_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only what a foreign key deletes: whoever writes holders writes their item as well.
CREATE TRIGGER tell_change AFTER DELETE ON "item_holders"
  FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION tell_unlinked();

-- A plate is the same with and without spaces, hyphens and dots.
CREATE FUNCTION plate_key(value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(
  translate(folded(value), U&'\0009\000A\000D\0020\00A0\2007\2009\202F\002D\00AD\2010\2011\2012\2013\2014\002E\002F\003A\005F\00B7\2022', ''),
  ''
);
