-- AlterTable
ALTER TABLE "calendar_feeds" ADD COLUMN     "expires_at" TIMESTAMPTZ(3);
