-- The version of a token: each change of it moves this on. Tokens of before have the time of the migration, which takes
-- no rewriting of the table.
-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
