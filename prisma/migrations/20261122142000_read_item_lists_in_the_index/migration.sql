-- Lists of items by status, workspace or date are counted, and pages passed over, in the index alone: it holds what such
-- lists are filtered by. It takes a second for each million items, in which items can be read.
CREATE INDEX "expiration_items_listed" ON "expiration_items" ("organization_id", "expiration_date", "id")
  INCLUDE ("team_id", "is_active", "is_missing");
DROP INDEX "expiration_items_organization_id_expiration_date_id_idx";
ALTER INDEX "expiration_items_listed" RENAME TO "expiration_items_organization_id_expiration_date_id_idx";
