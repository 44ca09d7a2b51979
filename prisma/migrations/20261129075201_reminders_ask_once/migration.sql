-- A reminder asks for a date of an item once.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "document_requests_is_reminded_key" ON "document_requests"("link_id", "item_id", "item_date") WHERE "is_reminded";
