-- Upload tags as they were sent: JSONB writes 1e3 as 1000, and readers of JSON round what no double can hold.

-- AlterTable
ALTER TABLE "upload_notifications" ADD COLUMN     "upload_tags_text" TEXT;

UPDATE "upload_notifications" SET "upload_tags_text" = "upload_tags"::text WHERE "upload_tags" IS NOT NULL;
