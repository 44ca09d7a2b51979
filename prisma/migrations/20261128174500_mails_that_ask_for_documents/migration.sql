-- The mails of a workspace in a day are counted before more are sent.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_requests_idx" ON "deliveries" ("team_id", "created") WHERE "subject_kind" = 'documentRequest';
