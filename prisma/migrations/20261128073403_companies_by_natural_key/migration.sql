-- An input may name a company by its name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_name_idx" ON "companies"("organization_id", natural_key("name"));
