-- The worst records of one kind in an organization are found without reading those of the other kinds.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holder_compliances_organization_id_kind_urgency_id_idx" ON "holder_compliances"("organization_id", "kind", "urgency", "id");
