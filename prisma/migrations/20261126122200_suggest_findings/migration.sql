-- AlterTable
ALTER TABLE "upload_notifications" ADD COLUMN     "needs_review" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "suggestions" JSONB;
