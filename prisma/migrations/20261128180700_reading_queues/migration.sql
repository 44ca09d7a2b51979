-- Filing, the text of documents and their pictures are separate queues.
CREATE TYPE "upload_queue" AS ENUM ('FILING', 'TEXT', 'PICTURES');

ALTER TABLE "upload_notifications" ADD COLUMN "queue" "upload_queue" NOT NULL DEFAULT 'FILING';

-- What was filed unread waits to be read.
UPDATE "upload_notifications" SET "queue" = 'TEXT' WHERE "due_at" IS NOT NULL AND "state" = 'FILED';
