-- Deletes log events that are older than :keep, 5,000 at a time. Each batch is a separate transaction, so nobody has to
-- wait for it, and you can stop and restart it at any time. Run it as the owner of the tables:
--   psql "$DATABASE_URL" -v keep='2 years' -f deploy/delete-old-events.sql
\set ON_ERROR_STOP on
CREATE TEMPORARY TABLE deletion AS SELECT now() - :'keep'::interval AS before, :'keep'::interval AS keep;
CREATE PROCEDURE pg_temp.delete_old_events() LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
  deleted bigint;
  total bigint := 0;
BEGIN
  IF (SELECT keep < interval '1 day' FROM deletion) THEN
    RAISE 'Keep events for at least a day.';
  END IF;
  FOR organization IN SELECT id FROM organizations LOOP
    LOOP
      -- A foreign key deletes their entities too, and a trigger updates the totals.
      DELETE FROM event_logs WHERE id IN (
        SELECT id FROM event_logs
        WHERE organization_id = organization AND created < (SELECT before FROM deletion)
        ORDER BY created LIMIT 5000
      );
      GET DIAGNOSTICS deleted = ROW_COUNT;
      EXIT WHEN deleted = 0;
      total := total + deleted;
      COMMIT;
    END LOOP;
  END LOOP;
  RAISE NOTICE '% events deleted', total;
END $$;
CALL pg_temp.delete_old_events();
VACUUM (ANALYZE) event_logs, event_log_entities;
