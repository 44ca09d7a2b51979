-- The id of a file's bytes. Those that are there take their attachment's: a default would have every byte written anew.
ALTER TABLE "attachment_contents" ADD COLUMN "bin_entry_id" UUID, ADD COLUMN "id" UUID;
UPDATE "attachment_contents" SET "id" = "attachment_id";
ALTER TABLE "attachment_contents" DROP CONSTRAINT "attachment_contents_pkey",
ALTER COLUMN "id" SET NOT NULL,
ALTER COLUMN "id" SET DEFAULT gen_random_uuid(),
ALTER COLUMN "attachment_id" DROP NOT NULL,
ADD CONSTRAINT "attachment_contents_pkey" PRIMARY KEY ("id");

-- CreateTable
CREATE TABLE "bin_entries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "type_id" INTEGER NOT NULL,
    "record_id" UUID NOT NULL,
    "name" TEXT,
    "deleted_by_id" UUID,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bin_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bin_rows" (
    "entry_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "table_name" TEXT NOT NULL,
    "pointer" TEXT,
    "row" JSONB NOT NULL,

    CONSTRAINT "bin_rows_pkey" PRIMARY KEY ("entry_id","position")
);

-- CreateIndex
CREATE INDEX "bin_entries_organization_id_deleted_at_id_idx" ON "bin_entries"("organization_id", "deleted_at", "id");

-- CreateIndex
CREATE INDEX "bin_entries_record_id_idx" ON "bin_entries"("record_id");

-- CreateIndex
CREATE INDEX "bin_entries_expires_at_idx" ON "bin_entries"("expires_at");

-- CreateIndex
CREATE INDEX "bin_entries_deleted_by_id_idx" ON "bin_entries"("deleted_by_id");

-- CreateIndex
CREATE INDEX "bin_entries_term_idx" ON "bin_entries" USING GIN (folded("name") gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "attachment_contents_attachment_id_key" ON "attachment_contents"("attachment_id");

-- CreateIndex
CREATE INDEX "attachment_contents_bin_entry_id_idx" ON "attachment_contents"("bin_entry_id");

-- AddForeignKey
ALTER TABLE "attachment_contents" ADD CONSTRAINT "attachment_contents_bin_entry_id_fkey" FOREIGN KEY ("bin_entry_id") REFERENCES "bin_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bin_entries" ADD CONSTRAINT "bin_entries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bin_entries" ADD CONSTRAINT "bin_entries_deleted_by_id_fkey" FOREIGN KEY ("deleted_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bin_rows" ADD CONSTRAINT "bin_rows_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "bin_entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
