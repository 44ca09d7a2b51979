-- DropIndex
DROP INDEX "event_logs_team_id_idx";

-- DropIndex
DROP INDEX "event_logs_user_id_idx";

-- DropIndex
DROP INDEX "expiration_items_category_id_idx";

-- DropIndex
DROP INDEX "expiration_items_assigned_to_id_idx";

-- DropIndex
DROP INDEX "expiration_item_contacts_contact_id_idx";

-- DropIndex
DROP INDEX "expiration_item_locations_location_id_idx";

-- DropIndex
DROP INDEX "expiration_item_tags_tag_id_idx";

-- DropIndex
DROP INDEX "note_relations_entity_id_idx";

-- CreateIndex
CREATE INDEX "event_logs_team_id_created_id_idx" ON "event_logs"("team_id", "created", "id");

-- CreateIndex
CREATE INDEX "event_logs_user_id_created_id_idx" ON "event_logs"("user_id", "created", "id");

-- CreateIndex
CREATE INDEX "expiration_items_category_id_expiration_date_id_idx" ON "expiration_items"("category_id", "expiration_date", "id");

-- CreateIndex
CREATE INDEX "expiration_items_assigned_to_id_expiration_date_id_idx" ON "expiration_items"("assigned_to_id", "expiration_date", "id");

-- CreateIndex
CREATE INDEX "expiration_item_contacts_contact_id_item_id_idx" ON "expiration_item_contacts"("contact_id", "item_id");

-- CreateIndex
CREATE INDEX "expiration_item_locations_location_id_item_id_idx" ON "expiration_item_locations"("location_id", "item_id");

-- CreateIndex
CREATE INDEX "expiration_item_tags_tag_id_item_id_idx" ON "expiration_item_tags"("tag_id", "item_id");

-- CreateIndex
CREATE INDEX "note_relations_entity_id_note_id_idx" ON "note_relations"("entity_id", "note_id");
