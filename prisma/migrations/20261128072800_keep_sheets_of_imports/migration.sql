-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "sheet_rows" BYTEA;
