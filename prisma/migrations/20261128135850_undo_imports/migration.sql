-- Imports can be taken back for some days. Batches keep the values that records had before.
ALTER TYPE "import_state" ADD VALUE IF NOT EXISTS 'UNDOING';
ALTER TYPE "import_state" ADD VALUE IF NOT EXISTS 'UNDONE';

ALTER TABLE "imports" ADD COLUMN "undo_until" TIMESTAMPTZ(3), ADD COLUMN "undo" JSONB;

ALTER TABLE "import_batches" ADD COLUMN "former" JSONB;
