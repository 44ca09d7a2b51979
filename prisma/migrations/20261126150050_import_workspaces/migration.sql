-- A ZIP file with a whole workspace. Workers of older versions do not know the kind; they leave it to newer ones.
ALTER TYPE "import_kind" ADD VALUE 'WORKSPACE';

-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "content_length" BIGINT,
ADD COLUMN     "team_id" UUID;

CREATE TRIGGER "forget_archive" AFTER DELETE ON "imports" FOR EACH ROW EXECUTE FUNCTION forget_archive();
