-- Requests for documents end when their record is exempted.
-- AlterEnum
ALTER TYPE "document_request_ending" ADD VALUE IF NOT EXISTS 'EXEMPT';

-- What is missing is asked for again, some days after its last request ended. Whether it is time is seen at its turn.
UPDATE "asked_papers" SET "due_at" = now() WHERE "dedupe_key" = 'none' AND "due_at" IS NULL;
