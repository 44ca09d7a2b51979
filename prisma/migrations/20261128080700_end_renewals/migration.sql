-- AlterTable
ALTER TABLE "expiration_items" ADD COLUMN     "renew_until" DATE,
ADD COLUMN     "renewals_left" INTEGER;
