-- Finds the records that do not meet a requirement.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holder_compliances_gaps_idx" ON "holder_compliances" USING GIN ("gap_ids") WHERE "gap_ids" <> '{}';
