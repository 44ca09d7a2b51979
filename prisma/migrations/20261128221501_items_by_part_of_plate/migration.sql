-- Names of items have licence plates and numbers, too. Most names have no digit, and are not in the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "expiration_items_plate_term_idx" ON "expiration_items" USING GIN (plate_key("name") gin_trgm_ops) WHERE "name" ~ '[0-9]';
