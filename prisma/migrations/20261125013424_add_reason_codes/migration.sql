-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "error_code" TEXT;

-- AlterTable
ALTER TABLE "upload_notifications" ADD COLUMN     "error_code" TEXT;
