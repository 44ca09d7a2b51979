-- Who sees one workspace finds its contacts by name without reading the organization's.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_team_id_name_id_idx" ON "contacts"("team_id", "name", "id");
