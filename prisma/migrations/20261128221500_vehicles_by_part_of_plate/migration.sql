-- A search finds "HH-NX 1730" by "hhnx17".
CREATE INDEX CONCURRENTLY IF NOT EXISTS "vehicles_plate_term_idx" ON "vehicles" USING GIN (plate_key("license_plate") gin_trgm_ops) WHERE "license_plate" ~ '[0-9]';
