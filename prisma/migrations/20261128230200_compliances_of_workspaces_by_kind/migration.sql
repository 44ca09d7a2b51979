-- The worst records of one kind in a workspace are found without reading those of the other kinds.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holder_compliances_team_id_kind_urgency_id_idx" ON "holder_compliances"("team_id", "kind", "urgency", "id");
