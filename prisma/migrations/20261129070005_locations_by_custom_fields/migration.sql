-- A search finds locations by part of a value of their custom fields. Those without any are not in the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "locations_custom_term_idx" ON "locations" USING GIN (custom_field_values("custom_fields") gin_trgm_ops) WHERE "custom_fields" <> '[]';
