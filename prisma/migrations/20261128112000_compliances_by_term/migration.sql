-- Nobody waits while it is built.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holder_compliances_term_idx" ON "holder_compliances" USING GIN (folded("name") gin_trgm_ops);
