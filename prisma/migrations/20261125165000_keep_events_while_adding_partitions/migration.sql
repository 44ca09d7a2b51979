-- As before, but nobody writes to the default partitions while their events are moved. Otherwise an event that is committed
-- after the copy and before the deletion would be lost.
-- Older versions: they call it in the same way.
CREATE OR REPLACE FUNCTION add_event_partition(suffix TEXT, starts TIMESTAMPTZ, ends TIMESTAMPTZ) RETURNS VOID
LANGUAGE plpgsql SET lock_timeout = '250ms' AS $$
DECLARE
  events TEXT := 'event_logs_' || suffix;
  entities TEXT := 'event_log_entities_' || suffix;
  first UUID := first_id_at(starts);
  bound UUID := first_id_at(ends);
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('event_logs partitions')) OR to_regclass(events) IS NOT NULL THEN
    RETURN;
  END IF;
  LOCK TABLE event_logs_other, event_log_entities_other IN SHARE ROW EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %I (LIKE event_logs INCLUDING DEFAULTS)', events);
  EXECUTE format('CREATE TABLE %I (LIKE event_log_entities INCLUDING DEFAULTS)', entities);
  EXECUTE format('INSERT INTO %I SELECT * FROM event_logs_other WHERE id >= %L AND id < %L', events, first, bound);
  EXECUTE format('INSERT INTO %I SELECT * FROM event_log_entities_other WHERE event_id >= %L AND event_id < %L',
    entities, first, bound);
  DELETE FROM event_log_entities_other WHERE event_id >= first AND event_id < bound;
  DELETE FROM event_logs_other WHERE id >= first AND id < bound;
  EXECUTE format('ALTER TABLE event_logs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', events, first, bound);
  EXECUTE format('ALTER TABLE event_log_entities ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    entities, first, bound);
  EXECUTE format('ALTER TABLE %I ADD FOREIGN KEY (event_id) REFERENCES %I (id) ON DELETE CASCADE ON UPDATE CASCADE',
    entities, events);
END $$;
