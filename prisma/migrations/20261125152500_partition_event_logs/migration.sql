-- The event log and its entities are partitioned by the time in an event's id (UUID version 7), so that old events are
-- dropped by the table. What exists becomes the first partition as it is: no row is rewritten, but each is read once.
--
-- Ids that are no times (the demo's, and those of an earlier migration) and times for which there is no partition go to
-- the default partitions, so no write depends on a partition that somebody made in time.

-- The smallest id of a time.
CREATE FUNCTION first_id_at(moment TIMESTAMPTZ) RETURNS UUID LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN rpad(lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid;

-- Row-level security refers to tables by their identity. Gateways that run meanwhile need it on the new tables as well, so
-- what it consists of is kept as text until the end of this script.
DO $$
DECLARE
  moved TEXT := '';
  part RECORD;
BEGIN
  IF to_regprocedure('caller_knows_event_logs(uuid)') IS NULL THEN
    RETURN;
  END IF;
  FOR part IN SELECT * FROM pg_policies
    WHERE schemaname = current_schema() AND tablename IN ('event_logs', 'event_log_entities')
  LOOP
    moved := moved || format('CREATE POLICY %I ON %I FOR %s TO %s USING (%s)', part.policyname, part.tablename, part.cmd,
      array_to_string(part.roles, ', '), part.qual) || coalesce(format(' WITH CHECK (%s)', part.with_check), '') || E';\n';
    moved := moved || format(E'ALTER TABLE %I ENABLE ROW LEVEL SECURITY;\n', part.tablename);
    moved := moved || format(E'GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO %s;\n', part.tablename,
      array_to_string(part.roles, ', '));
    EXECUTE format('DROP POLICY %I ON %I', part.policyname, part.tablename);
    EXECUTE format('REVOKE ALL ON %I FROM %s', part.tablename, array_to_string(part.roles, ', '));
    PERFORM set_config('partition.grant', format('REVOKE ALL ON FUNCTION caller_knows_event_logs(uuid) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION caller_knows_event_logs(uuid) TO %s', array_to_string(part.roles, ', ')), true);
  END LOOP;
  PERFORM set_config('partition.policies', pg_get_functiondef('caller_knows_event_logs(uuid)'::regprocedure) || E';\n'
    || moved || current_setting('partition.grant'), true);
  DROP FUNCTION caller_knows_event_logs(uuid) CASCADE;
END $$;

DROP TRIGGER "count_added" ON "event_logs";
DROP TRIGGER "count_removed" ON "event_logs";
DROP TRIGGER "count_moved" ON "event_logs";
DROP TRIGGER "count_truncated" ON "event_logs";
ALTER TABLE "event_logs" RENAME TO "event_logs_before";
ALTER TABLE "event_log_entities" RENAME TO "event_log_entities_before";

-- The names of indexes go to the partitioned tables.
DO $$
DECLARE
  taken RECORD;
BEGIN
  FOR taken IN
    SELECT conrelid::regclass AS owner, conname AS name FROM pg_constraint
    WHERE conrelid IN ('event_logs_before'::regclass, 'event_log_entities_before'::regclass) AND contype = 'p'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', taken.owner, taken.name,
      regexp_replace(taken.name, '^(event_logs|event_log_entities)_', '\1_before_'));
  END LOOP;
  FOR taken IN
    SELECT indexrelid::regclass AS owner, relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid IN ('event_logs_before'::regclass, 'event_log_entities_before'::regclass) AND NOT indisprimary
  LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', taken.owner,
      regexp_replace(taken.name, '^(event_logs|event_log_entities)_', '\1_before_'));
  END LOOP;
END $$;

CREATE TABLE "event_logs" (LIKE "event_logs_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");
ALTER TABLE "event_logs"
  ADD CONSTRAINT "event_logs_pkey" PRIMARY KEY ("id"),
  ADD CONSTRAINT "event_logs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "event_logs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "event_logs_organization_id_created_id_idx" ON "event_logs"("organization_id", "created", "id");
CREATE INDEX "event_logs_organization_id_type_id_created_id_idx" ON "event_logs"("organization_id", "type_id", "created", "id");
CREATE INDEX "event_logs_team_id_created_id_idx" ON "event_logs"("team_id", "created", "id");
CREATE INDEX "event_logs_user_id_created_id_idx" ON "event_logs"("user_id", "created", "id");
CREATE INDEX "event_logs_term_idx" ON "event_logs" USING GIN (folded("description") gin_trgm_ops, folded("details") gin_trgm_ops, folded("user_name") gin_trgm_ops);

CREATE TABLE "event_log_entities" (LIKE "event_log_entities_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("event_id");
ALTER TABLE "event_log_entities" ADD CONSTRAINT "event_log_entities_pkey" PRIMARY KEY ("event_id", "type_id", "entity_id");
CREATE INDEX "event_log_entities_entity_id_event_id_idx" ON "event_log_entities"("entity_id", "event_id");

-- Creates the partitions of both tables for the events of a span of time, and moves there what is in the default ones.
-- Entities refer to events of their own partition, so that a foreign key never spans two, and both can be dropped. Whoever
-- waits for a lock makes everybody else wait behind it, so this soon gives up, and is called again later.
CREATE FUNCTION add_event_partition(suffix TEXT, starts TIMESTAMPTZ, ends TIMESTAMPTZ) RETURNS VOID
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

-- Drops the partitions of both tables for a span of time, and returns their number of events; null if another process
-- changes partitions. It waits as briefly.
CREATE FUNCTION drop_event_partition(suffix TEXT) RETURNS BIGINT LANGUAGE plpgsql SET lock_timeout = '250ms' AS $$
DECLARE
  events TEXT := 'event_logs_' || suffix;
  dropped BIGINT;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('event_logs partitions')) OR to_regclass(events) IS NULL THEN
    RETURN NULL;
  END IF;
  -- From here on nobody changes this partition, so the totals stay right. Others are still written.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', events);
  EXECUTE format('
    WITH gone AS (
      SELECT organization_id, team_id, count(*) AS events FROM %I GROUP BY organization_id, team_id
    ), counted AS (
      INSERT INTO record_counts SELECT ''event_logs'', organization_id, team_id, -events FROM gone
    )
    SELECT coalesce(sum(events), 0) FROM gone', events) INTO dropped;
  LOCK TABLE event_logs, event_log_entities IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I, %I', 'event_log_entities_' || suffix, events);
  RETURN dropped;
END $$;

DO $$
DECLARE
  next_month TIMESTAMPTZ := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  bound UUID := first_id_at(next_month);
BEGIN
  CREATE TABLE event_logs_other PARTITION OF event_logs DEFAULT;
  CREATE TABLE event_log_entities_other PARTITION OF event_log_entities DEFAULT;
  ALTER TABLE event_log_entities_other ADD FOREIGN KEY (event_id) REFERENCES event_logs_other (id)
    ON DELETE CASCADE ON UPDATE CASCADE;
  INSERT INTO event_logs_other SELECT * FROM event_logs_before WHERE id >= bound;
  INSERT INTO event_log_entities_other SELECT * FROM event_log_entities_before WHERE event_id >= bound;
  DELETE FROM event_log_entities_before WHERE event_id >= bound;
  DELETE FROM event_logs_before WHERE id >= bound;
  EXECUTE format('ALTER TABLE event_logs ATTACH PARTITION event_logs_before
    FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  EXECUTE format('ALTER TABLE event_log_entities ATTACH PARTITION event_log_entities_before
    FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;

-- A trigger for rows belongs to each partition, so it must be told which table it counts.
CREATE OR REPLACE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted TEXT := coalesce(TG_ARGV[0], TG_TABLE_NAME);
BEGIN
  -- Most statements write one row, for which to group would cost more than all the rest.
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts SELECT counted, organization_id, team_id, 1 FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts SELECT counted, organization_id, team_id, -1 FROM removed;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO record_counts VALUES
      (counted, OLD.organization_id, OLD.team_id, -1),
      (counted, NEW.organization_id, NEW.team_id, 1);
  ELSE
    -- Not deleted: who adds rows up may just have put others in their place.
    INSERT INTO record_counts
    SELECT table_name, organization_id, team_id, -sum(change) FROM record_counts
    WHERE table_name = counted GROUP BY table_name, organization_id, team_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_added" AFTER INSERT ON "event_logs" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "count_removed" AFTER DELETE ON "event_logs" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "count_moved" AFTER UPDATE OF "organization_id", "team_id" ON "event_logs" FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.team_id) <> (NEW.organization_id, NEW.team_id))
  EXECUTE FUNCTION count_records('event_logs');
CREATE TRIGGER "count_truncated" AFTER TRUNCATE ON "event_logs" FOR EACH STATEMENT EXECUTE FUNCTION count_records();

-- Old deliveries are found by it, and deleted a page at a time.
CREATE INDEX "deliveries_settled_at_idx" ON "deliveries"("settled_at") WHERE "settled_at" IS NOT NULL;

DO $$
BEGIN
  EXECUTE coalesce(nullif(current_setting('partition.policies', true), ''), 'SELECT');
END $$;
