-- The index by date begins with the same column.
DROP INDEX IF EXISTS "expiration_items_contact_id_idx";
