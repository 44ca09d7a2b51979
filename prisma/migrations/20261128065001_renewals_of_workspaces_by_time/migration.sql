-- Who sees one workspace finds its renewals by time without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "renewals_team_id_created_id_idx" ON "renewals"("team_id", "created", "id");
