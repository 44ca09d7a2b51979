-- Numbers of further records are kept, of which a workspace may have very many. Writers of each table wait while its rows
-- are counted, which takes about 0.2 seconds for each million.
DO $$
DECLARE
  counted TEXT;
BEGIN
  FOREACH counted IN ARRAY ARRAY[
    'attachments', 'companies', 'contacts', 'deliveries', 'locations', 'notes', 'renewals', 'upload_notifications'
  ] LOOP
    EXECUTE replace('
      CREATE TRIGGER "count_added" AFTER INSERT ON :table REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      CREATE TRIGGER "count_removed" AFTER DELETE ON :table REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      CREATE TRIGGER "count_moved" AFTER UPDATE OF organization_id, team_id ON :table FOR EACH ROW
        WHEN ((OLD.organization_id, OLD.team_id) IS DISTINCT FROM (NEW.organization_id, NEW.team_id))
        EXECUTE FUNCTION count_records();
      CREATE TRIGGER "count_truncated" AFTER TRUNCATE ON :table FOR EACH STATEMENT EXECUTE FUNCTION count_records();
      INSERT INTO record_counts
        SELECT '':table'', organization_id, team_id, count(*) FROM :table GROUP BY organization_id, team_id;',
      ':table', counted);
  END LOOP;
END $$;
