-- A part of a file is read without the rest of it, which compression would not allow; most files are compressed
-- already. Prisma's language cannot say it.
ALTER TABLE "attachment_contents" ALTER COLUMN "content" SET STORAGE EXTERNAL;
