-- Watches are records as others: they have a name, are found by it, and their changes are told.
-- AlterTable
ALTER TABLE "watches" ADD COLUMN     "name" TEXT;

-- CreateIndex
CREATE INDEX "watches_organization_id_name_id_idx" ON "watches"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "watches_term_idx" ON "watches" USING GIN (folded("name") gin_trgm_ops);

CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "watches"
  FOR EACH ROW EXECUTE FUNCTION tell_change();
