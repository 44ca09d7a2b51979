-- Who sees one workspace finds its companies by name without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_team_id_name_id_idx" ON "companies"("team_id", "name", "id");
