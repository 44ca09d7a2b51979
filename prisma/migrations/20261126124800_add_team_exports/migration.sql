-- CreateEnum
CREATE TYPE "team_export_state" AS ENUM ('RUNNING', 'DONE', 'FAILED');

-- CreateTable
CREATE TABLE "team_exports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "teams" JSONB,
    "state" "team_export_state" NOT NULL DEFAULT 'RUNNING',
    "error" TEXT,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "file_count" INTEGER NOT NULL DEFAULT 0,
    "content_length" BIGINT NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_exports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "team_exports_organization_id_idx" ON "team_exports"("organization_id");

-- CreateIndex
CREATE INDEX "team_exports_user_id_idx" ON "team_exports"("user_id");

-- CreateIndex
CREATE INDEX "team_exports_expires_at_idx" ON "team_exports"("expires_at");

-- AddForeignKey
ALTER TABLE "team_exports" ADD CONSTRAINT "team_exports_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_exports" ADD CONSTRAINT "team_exports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue.
CREATE INDEX "team_exports_due_at_idx" ON "team_exports" ("due_at") WHERE "due_at" IS NOT NULL;

-- The bytes of exports, in numbered parts, each of them in the database or in a store. They are kept for a day and can be
-- made again. So they are in no backup, on no replica and in no log.
CREATE UNLOGGED TABLE "archive_parts" (
    "archive_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "organization_id" UUID NOT NULL,
    "content" BYTEA,
    "store" "store_kind",
    "object_key" TEXT,
    "object_size" INTEGER,

    CONSTRAINT "archive_parts_pkey" PRIMARY KEY ("archive_id", "number"),
    CONSTRAINT "archive_parts_place_check" CHECK (
      num_nulls("store", "object_key", "object_size") = CASE WHEN "content" IS NULL THEN 0 ELSE 3 END
    )
);

-- Compressing them again would be in vain.
ALTER TABLE "archive_parts" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE INDEX "archive_parts_organization_id_idx" ON "archive_parts" ("organization_id");

CREATE INDEX "archive_parts_object_idx" ON "archive_parts" ("store", "object_key") WHERE "object_key" IS NOT NULL;

CREATE TRIGGER "note_file_removal" AFTER DELETE ON "archive_parts"
  FOR EACH ROW WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION note_file_removal();

-- It runs as the table's owner, because callers do not see these rows.
CREATE FUNCTION forget_archive() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM archive_parts WHERE archive_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER "forget_archive" AFTER DELETE ON "team_exports" FOR EACH ROW EXECUTE FUNCTION forget_archive();
