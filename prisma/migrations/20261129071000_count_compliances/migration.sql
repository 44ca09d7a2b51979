-- The numbers of compliances are kept, as each workspace has one for each of its vehicles, people, companies and locations
-- that must have something. Writers wait while the rows are counted, which takes about 0.2 seconds for each million.
CREATE TRIGGER "count_added" AFTER INSERT ON "holder_compliances" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER "count_removed" AFTER DELETE ON "holder_compliances" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER "count_moved" AFTER UPDATE OF organization_id, team_id ON "holder_compliances" FOR EACH ROW
  WHEN ((OLD.organization_id, OLD.team_id) IS DISTINCT FROM (NEW.organization_id, NEW.team_id))
  EXECUTE FUNCTION count_records();

CREATE TRIGGER "count_truncated" AFTER TRUNCATE ON "holder_compliances"
  FOR EACH STATEMENT EXECUTE FUNCTION count_records();

INSERT INTO record_counts
  SELECT 'holder_compliances', organization_id, team_id, count(*) FROM "holder_compliances"
  GROUP BY organization_id, team_id;
