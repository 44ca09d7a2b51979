-- The events of a deleted workspace stay, with its id: admins read them, and nobody else, as it is no member's any more.
-- DropForeignKey
ALTER TABLE "event_logs" DROP CONSTRAINT "event_logs_team_id_fkey";

-- DropIndex
DROP INDEX "attachments_organization_id_idx";

-- CreateIndex
CREATE INDEX "attachments_organization_id_created_id_idx" ON "attachments"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "attachments_term_idx" ON "attachments" USING GIN (folded("name") gin_trgm_ops);
