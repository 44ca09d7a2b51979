-- AlterTable
ALTER TABLE "holder_compliances" ALTER COLUMN "gap_ids" SET DEFAULT ARRAY[]::UUID[];
