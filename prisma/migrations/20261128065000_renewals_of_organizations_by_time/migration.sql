-- A page of an organization's renewals, and an export of them, follow this index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "renewals_organization_id_created_id_idx" ON "renewals"("organization_id", "created", "id");
