-- AlterTable
ALTER TABLE "attachment_contents" ADD COLUMN     "digest" BYTEA;
