-- AlterTable
ALTER TABLE "recipient_settings" ADD COLUMN     "all_is_well" BOOLEAN NOT NULL DEFAULT false;
