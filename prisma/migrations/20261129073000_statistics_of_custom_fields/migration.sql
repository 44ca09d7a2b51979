-- Searches ask the planner's statistics which values of custom fields are frequent. A new index has none until its table is
-- analyzed, which a large one may be only after weeks. A sample of each table is read, and nobody waits for it.
ANALYZE "expiration_items", "contacts", "vehicles", "companies", "locations";
