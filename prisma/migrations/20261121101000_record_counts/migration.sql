-- How many records each workspace has, so that nobody has to count them: a list's total costs the same however long the
-- list is. Every change of their number is a row of its own, written by triggers in the transaction that changes it, so
-- that writers never wait for each other, and the sum of the rows that a statement sees is the number of records that
-- it sees. Workers add rows up, which changes no sum.
CREATE TABLE "record_counts" (
    "table_name" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "change" BIGINT NOT NULL
);

-- Not unique: changes of the same number stand beside each other.
CREATE INDEX "record_counts_idx" ON "record_counts" ("table_name", "organization_id", "team_id");

CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most statements write one row, for which to group would cost more than all the rest.
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts SELECT TG_TABLE_NAME, organization_id, team_id, 1 FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts SELECT TG_TABLE_NAME, organization_id, team_id, -1 FROM removed;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO record_counts VALUES
      (TG_TABLE_NAME, OLD.organization_id, OLD.team_id, -1),
      (TG_TABLE_NAME, NEW.organization_id, NEW.team_id, 1);
  ELSE
    -- Not deleted: who adds rows up may just have put others in their place.
    INSERT INTO record_counts
    SELECT table_name, organization_id, team_id, -sum(change) FROM record_counts
    WHERE table_name = TG_TABLE_NAME GROUP BY table_name, organization_id, team_id;
  END IF;
  RETURN NULL;
END $$;

-- Those of which lists can be long. src/data/record-counts.ts names them, too.
DO $$
DECLARE
  counted TEXT;
BEGIN
  FOREACH counted IN ARRAY ARRAY['event_logs', 'expiration_items', 'vehicles'] LOOP
    EXECUTE replace('
      CREATE TRIGGER count_added AFTER INSERT ON :table REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      CREATE TRIGGER count_removed AFTER DELETE ON :table REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      CREATE TRIGGER count_moved AFTER UPDATE OF organization_id, team_id ON :table FOR EACH ROW
        WHEN ((OLD.organization_id, OLD.team_id) <> (NEW.organization_id, NEW.team_id))
        EXECUTE FUNCTION count_records();
      CREATE TRIGGER count_truncated AFTER TRUNCATE ON :table FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      INSERT INTO record_counts
        SELECT '':table'', organization_id, team_id, count(*) FROM :table GROUP BY organization_id, team_id;',
      ':table', counted);
  END LOOP;
END $$;
