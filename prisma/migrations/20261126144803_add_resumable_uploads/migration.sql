-- CreateTable
CREATE TABLE "resumable_uploads" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "content_length" BIGINT NOT NULL,
    "upload_metadata" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resumable_uploads_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "resumable_uploads_organization_id_idx" ON "resumable_uploads"("organization_id");

-- CreateIndex
CREATE INDEX "resumable_uploads_user_id_idx" ON "resumable_uploads"("user_id");

-- CreateIndex
CREATE INDEX "resumable_uploads_expires_at_idx" ON "resumable_uploads"("expires_at");

-- CreateIndex
CREATE INDEX "resumable_uploads_team_id_idx" ON "resumable_uploads"("team_id");

-- AddForeignKey
ALTER TABLE "resumable_uploads" ADD CONSTRAINT "resumable_uploads_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resumable_uploads" ADD CONSTRAINT "resumable_uploads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Files that come in pieces have parts of any size.
ALTER TABLE "archive_parts" ADD COLUMN "position" BIGINT;

CREATE TRIGGER "forget_archive" AFTER DELETE ON "resumable_uploads" FOR EACH ROW EXECUTE FUNCTION forget_archive();
