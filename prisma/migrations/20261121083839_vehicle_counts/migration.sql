-- DropIndex
DROP INDEX "vehicles_team_id_idx";

-- CreateIndex
CREATE INDEX "vehicles_team_id_organization_id_idx" ON "vehicles"("team_id", "organization_id");
