-- Requirements that ask for documents by themselves, and what each has asked for.
-- CreateEnum
CREATE TYPE "asked_person" AS ENUM ('HOLDER', 'MAIN_CONTACT', 'ASSIGNEE');

-- AlterEnum
ALTER TYPE "document_request_state" ADD VALUE IF NOT EXISTS 'OPENED' AFTER 'SENT';

-- AlterEnum
ALTER TYPE "document_request_ending" ADD VALUE IF NOT EXISTS 'NOT_REQUIRED';

-- AlterTable
ALTER TABLE "requirements" ADD COLUMN     "ask_days_before" INTEGER NOT NULL DEFAULT 30,
ADD COLUMN     "ask_every_days" INTEGER NOT NULL DEFAULT 7,
ADD COLUMN     "ask_to" "asked_person";

-- AlterTable
ALTER TABLE "document_requests" ADD COLUMN     "every_days" INTEGER,
ADD COLUMN     "is_required" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "opened_at" TIMESTAMPTZ(3),
ADD COLUMN     "requirement_id" UUID;

-- CreateTable
CREATE TABLE "asked_papers" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "requirement_id" UUID NOT NULL,
    "compliance_id" UUID NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "asked_papers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "asked_papers_organization_id_idx" ON "asked_papers"("organization_id");

-- CreateIndex
CREATE INDEX "asked_papers_compliance_id_idx" ON "asked_papers"("compliance_id");

-- CreateIndex
CREATE UNIQUE INDEX "asked_papers_requirement_id_compliance_id_dedupe_key_key" ON "asked_papers"("requirement_id", "compliance_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "document_requests_requirement_id_idx" ON "document_requests"("requirement_id");

-- AddForeignKey
ALTER TABLE "asked_papers" ADD CONSTRAINT "asked_papers_requirement_id_fkey" FOREIGN KEY ("requirement_id") REFERENCES "requirements"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "asked_papers" ADD CONSTRAINT "asked_papers_compliance_id_fkey" FOREIGN KEY ("compliance_id") REFERENCES "holder_compliances"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_requirement_id_fkey" FOREIGN KEY ("requirement_id") REFERENCES "requirements"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What is due is looked for often, and is little.
CREATE INDEX "asked_papers_due_at_idx" ON "asked_papers"("due_at") WHERE "due_at" IS NOT NULL;
