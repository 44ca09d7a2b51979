-- Searches ask the planner's statistics which values of custom fields are frequent. A new index has none until its table is
-- analyzed, which a large one may be only after weeks. A sample of each table is read, and nobody waits for it. An empty table
-- is left out: the planner would take it for empty until enough is written.
DO $$
DECLARE
  name text;
  is_filled boolean;
BEGIN
  FOREACH name IN ARRAY ARRAY['expiration_items', 'contacts', 'vehicles', 'companies', 'locations'] LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO is_filled;
    IF is_filled THEN
      EXECUTE format('ANALYZE %I', name);
    END IF;
  END LOOP;
END $$;
