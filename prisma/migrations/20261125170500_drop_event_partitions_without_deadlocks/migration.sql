-- As before, but in several short attempts. Statements lock the two tables in either order, so one that has the entities may
-- wait for the events that this has locked. Such a wait ended only with the timeout, and nothing was dropped. An attempt
-- that fails gives both tables back. Of other partitions, none is locked.
-- Older versions: they call it in the same way.
CREATE OR REPLACE FUNCTION drop_event_partition(suffix TEXT) RETURNS BIGINT LANGUAGE plpgsql
SET lock_timeout = '50ms' SET client_min_messages = 'warning' AS $$
DECLARE
  events TEXT := 'event_logs_' || suffix;
  attempts CONSTANT INTEGER := 20;
  dropped BIGINT;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('event_logs partitions')) OR to_regclass(events) IS NULL THEN
    RETURN NULL;
  END IF;
  -- From here on nobody changes this partition, so the totals stay right. Others are still written.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', events);
  DROP TABLE IF EXISTS pg_temp.dropped_events;
  EXECUTE format('CREATE TEMPORARY TABLE dropped_events ON COMMIT DROP AS
    SELECT organization_id, team_id, count(*) AS events FROM %I GROUP BY organization_id, team_id', events);
  INSERT INTO record_counts SELECT 'event_logs', organization_id, team_id, -gone.events FROM pg_temp.dropped_events AS gone;
  SELECT coalesce(sum(gone.events), 0) INTO dropped FROM pg_temp.dropped_events AS gone;
  FOR attempt IN 1..attempts LOOP
    BEGIN
      LOCK TABLE ONLY event_logs, ONLY event_log_entities IN ACCESS EXCLUSIVE MODE;
      EXECUTE format('DROP TABLE %I, %I', 'event_log_entities_' || suffix, events);
      RETURN dropped;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = attempts THEN
        RAISE;
      END IF;
      PERFORM pg_sleep(0.05);
    END;
  END LOOP;
END $$;
