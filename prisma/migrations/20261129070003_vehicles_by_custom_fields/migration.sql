-- A search finds vehicles by part of a value of their custom fields. Those without any are not in the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "vehicles_custom_term_idx" ON "vehicles" USING GIN (custom_field_values("custom_fields") gin_trgm_ops) WHERE "custom_fields" <> '[]';
