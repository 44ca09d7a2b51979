-- Watches of records that lack something they must have, and what their makers are told.
-- AlterTable
ALTER TABLE "holder_compliances" ADD COLUMN     "lacking_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "warned_days" INTEGER;

-- AlterTable
ALTER TABLE "watches" ADD COLUMN     "holders" JSONB;

-- AlterTable
ALTER TABLE "recipient_settings" ADD COLUMN     "what_is_missing" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "compliance_notices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "watch_id" UUID NOT NULL,
    "compliance_id" UUID NOT NULL,
    "days" INTEGER NOT NULL,
    "until" DATE,
    "requirement_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "due_at" TIMESTAMPTZ(3),
    "delivery_id" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compliance_notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "compliance_notices_organization_id_idx" ON "compliance_notices"("organization_id");

-- CreateIndex
CREATE INDEX "compliance_notices_compliance_id_idx" ON "compliance_notices"("compliance_id");

-- CreateIndex
CREATE INDEX "compliance_notices_delivery_id_idx" ON "compliance_notices"("delivery_id");

-- CreateIndex
CREATE INDEX "compliance_notices_created_idx" ON "compliance_notices"("created");

-- CreateIndex
CREATE UNIQUE INDEX "compliance_notices_watch_id_compliance_id_days_until_key" ON "compliance_notices"("watch_id", "compliance_id", "days", "until");

-- AddForeignKey
ALTER TABLE "compliance_notices" ADD CONSTRAINT "compliance_notices_watch_id_fkey" FOREIGN KEY ("watch_id") REFERENCES "watches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compliance_notices" ADD CONSTRAINT "compliance_notices_compliance_id_fkey" FOREIGN KEY ("compliance_id") REFERENCES "holder_compliances"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due is looked for often, and is little.
CREATE INDEX "compliance_notices_due_at_idx" ON "compliance_notices"("due_at") WHERE "due_at" IS NOT NULL;

-- From now on, a record has a turn also on the days on which those who watch it are told. Each gets one to find them.
INSERT INTO compliance_turns (organization_id, team_id, kind)
SELECT DISTINCT organization_id, team_id, kind FROM holder_compliances;
