-- Why the document of an upload was not read, or not all of it.
ALTER TABLE "upload_notifications" ADD COLUMN "unread_code" TEXT;
