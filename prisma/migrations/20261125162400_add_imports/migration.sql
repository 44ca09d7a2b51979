-- CreateEnum
CREATE TYPE "import_kind" AS ENUM ('ITEMS', 'CONTACTS', 'VEHICLES', 'LOCATIONS', 'COMPANIES', 'TYPES');

-- CreateEnum
CREATE TYPE "import_state" AS ENUM ('READING', 'READY', 'RUNNING', 'DONE', 'CANCELLED', 'FAILED');

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "teams" JSONB,
    "kind" "import_kind" NOT NULL,
    "file_name" TEXT,
    "hash" BYTEA NOT NULL,
    "options" JSONB NOT NULL,
    "content" BYTEA NOT NULL,
    "state" "import_state" NOT NULL DEFAULT 'READING',
    "error" TEXT,
    "preview" JSONB,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "created_count" INTEGER NOT NULL DEFAULT 0,
    "updated_count" INTEGER NOT NULL DEFAULT 0,
    "unchanged_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_batches" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "results" JSONB NOT NULL,

    CONSTRAINT "import_batches_pkey" PRIMARY KEY ("import_id","number")
);

-- CreateIndex
CREATE INDEX "imports_organization_id_idx" ON "imports"("organization_id");

-- CreateIndex
CREATE INDEX "imports_user_id_hash_idx" ON "imports"("user_id", "hash");

-- CreateIndex
CREATE INDEX "imports_modified_idx" ON "imports"("modified");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue.
CREATE INDEX "imports_due_at_idx" ON "imports" ("due_at") WHERE "due_at" IS NOT NULL;
