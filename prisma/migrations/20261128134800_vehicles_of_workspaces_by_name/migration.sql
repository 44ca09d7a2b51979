-- Who sees one workspace finds its vehicles by name without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "vehicles_team_id_name_id_idx" ON "vehicles"("team_id", "name", "id");
