-- An input may name a vehicle by its licence plate.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "vehicles_license_plate_idx" ON "vehicles"("organization_id", plate_key("license_plate")) WHERE "license_plate" IS NOT NULL;
