-- As before, but PostgreSQL can count the events of a partition with several processes: it does so for CREATE TABLE AS, and
-- not for a statement that also writes.
-- Older versions: they do not call it.
CREATE OR REPLACE FUNCTION drop_event_partition(suffix TEXT) RETURNS BIGINT LANGUAGE plpgsql
SET lock_timeout = '250ms' SET client_min_messages = 'warning' AS $$
DECLARE
  events TEXT := 'event_logs_' || suffix;
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
  LOCK TABLE event_logs, event_log_entities IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I, %I', 'event_log_entities_' || suffix, events);
  RETURN dropped;
END $$;
