-- AlterTable
ALTER TABLE "reminders" ADD COLUMN     "step_id" UUID;
