-- AlterTable
ALTER TABLE "holder_compliances" ADD COLUMN     "applied_ids" UUID[];

-- AlterTable
ALTER TABLE "document_requests" ADD COLUMN     "is_reminded" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "reminder_steps" ADD COLUMN     "asks_for_document" BOOLEAN NOT NULL DEFAULT false;
