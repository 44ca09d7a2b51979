-- Finds the requests that may have to be ended, which are few beside those of years.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "document_requests_unsettled_idx" ON "document_requests"("id") WHERE "state" IN ('OPEN', 'SENT', 'OPENED');
