-- Who sees one workspace finds its locations by name without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "locations_team_id_name_id_idx" ON "locations"("team_id", "name", "id");
