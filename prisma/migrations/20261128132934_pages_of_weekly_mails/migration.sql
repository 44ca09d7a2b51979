-- AlterTable
ALTER TABLE "reminder_marks" ADD COLUMN     "well_after" UUID;
