-- AlterTable
ALTER TABLE "calendar_feeds" ADD COLUMN     "access_token_id" UUID;

-- CreateIndex
CREATE INDEX "calendar_feeds_access_token_id_idx" ON "calendar_feeds"("access_token_id");

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_access_token_id_fkey" FOREIGN KEY ("access_token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;
