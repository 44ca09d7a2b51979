-- Who sees one workspace finds its records by name without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holder_compliances_team_id_name_id_idx" ON "holder_compliances"("team_id", "name", "id");
