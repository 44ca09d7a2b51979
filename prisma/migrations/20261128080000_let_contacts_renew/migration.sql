-- AlterTable
ALTER TABLE "reminder_policies" ADD COLUMN     "contacts_may_renew" BOOLEAN NOT NULL DEFAULT false;
