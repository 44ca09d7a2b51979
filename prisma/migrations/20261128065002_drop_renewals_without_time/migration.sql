-- The indexes by time begin with the same columns.
DROP INDEX IF EXISTS "renewals_organization_id_idx";
DROP INDEX IF EXISTS "renewals_team_id_idx";
