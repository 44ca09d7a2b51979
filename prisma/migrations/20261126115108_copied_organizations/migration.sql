-- The file that an organization was copied from, while it waits for what has changed since then.
-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "copied_from" UUID;
