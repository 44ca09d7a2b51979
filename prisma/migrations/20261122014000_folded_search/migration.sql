-- Texts are searched in Unicode NFC and folded case: "Straße" by "STRASSE", and "é" however it is composed.

-- The one place that says how texts are folded for a search; src/domain/folding.ts mirrors it. Texts of ASCII, which are
-- most, are in NFC already. What `lower` knows of other letters is the database's locale's.
CREATE FUNCTION folded(value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(value) = char_length(value) THEN lower(value)
  ELSE replace(replace(lower(normalize(value, NFC)), U&'\00DF', 'ss'), U&'\03C2', U&'\03C3')
END;

-- Made anew under their names: rare-terms.ts looks for those.
DROP INDEX "categories_term_idx";
CREATE INDEX "categories_term_idx" ON "categories" USING GIN (folded("name") gin_trgm_ops);
DROP INDEX "companies_term_idx";
CREATE INDEX "companies_term_idx" ON "companies" USING GIN (folded("name") gin_trgm_ops, folded("doing_business_as") gin_trgm_ops, folded("tax_id") gin_trgm_ops, folded("phone") gin_trgm_ops, folded("city") gin_trgm_ops);
DROP INDEX "contacts_term_idx";
CREATE INDEX "contacts_term_idx" ON "contacts" USING GIN (folded("name") gin_trgm_ops, folded("email") gin_trgm_ops, folded("phone") gin_trgm_ops, folded("mobile") gin_trgm_ops, folded("contact_id") gin_trgm_ops);
DROP INDEX "contact_types_term_idx";
CREATE INDEX "contact_types_term_idx" ON "contact_types" USING GIN (folded("name") gin_trgm_ops);
DROP INDEX "event_logs_term_idx";
CREATE INDEX "event_logs_term_idx" ON "event_logs" USING GIN (folded("description") gin_trgm_ops, folded("details") gin_trgm_ops, folded("user_name") gin_trgm_ops);
DROP INDEX "expiration_items_term_idx";
CREATE INDEX "expiration_items_term_idx" ON "expiration_items" USING GIN (folded("name") gin_trgm_ops, folded("details") gin_trgm_ops);
DROP INDEX "locations_term_idx";
CREATE INDEX "locations_term_idx" ON "locations" USING GIN (folded("name") gin_trgm_ops);
DROP INDEX "notes_term_idx";
CREATE INDEX "notes_term_idx" ON "notes" USING GIN (folded("name") gin_trgm_ops, folded("body_text") gin_trgm_ops);
DROP INDEX "tags_term_idx";
CREATE INDEX "tags_term_idx" ON "tags" USING GIN (folded("name") gin_trgm_ops);
DROP INDEX "teams_term_idx";
CREATE INDEX "teams_term_idx" ON "teams" USING GIN (folded("name") gin_trgm_ops);
DROP INDEX "vehicles_term_idx";
CREATE INDEX "vehicles_term_idx" ON "vehicles" USING GIN (folded("name") gin_trgm_ops, folded("vin") gin_trgm_ops, folded("license_plate") gin_trgm_ops, folded("make") gin_trgm_ops, folded("model") gin_trgm_ops);
