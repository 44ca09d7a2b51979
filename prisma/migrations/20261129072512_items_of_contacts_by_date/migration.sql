-- A page of the items of a main contact, which may have very many, is read in the order of the list.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "expiration_items_contact_id_expiration_date_id_idx" ON "expiration_items"("contact_id", "expiration_date", "id");
