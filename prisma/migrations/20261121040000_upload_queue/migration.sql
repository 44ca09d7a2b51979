-- AlterTable
ALTER TABLE "upload_notifications" ADD COLUMN     "due_at" TIMESTAMPTZ(3),
ADD COLUMN     "suggested_expiration_date" DATE,
ADD COLUMN     "suggested_from" TEXT;

-- What was received before there was a queue is waiting in it now.
UPDATE "upload_notifications" SET "due_at" = "received_at" WHERE "state" = 'RECEIVED';

-- Only what waits is in the index, so that taking the next costs the same however many were ever received.
CREATE INDEX "upload_notifications_due_at_idx" ON "upload_notifications" ("due_at") WHERE "due_at" IS NOT NULL;
