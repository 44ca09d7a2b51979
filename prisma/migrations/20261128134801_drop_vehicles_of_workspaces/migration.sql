-- The index of workspaces by name begins with the same column.
DROP INDEX IF EXISTS "vehicles_team_id_organization_id_idx";
