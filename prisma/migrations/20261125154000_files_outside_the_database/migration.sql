-- CreateEnum
CREATE TYPE "store_kind" AS ENUM ('FOLDER', 'S3');

-- AlterTable
ALTER TABLE "attachment_contents" ADD COLUMN     "object_key" TEXT,
ADD COLUMN     "object_size" INTEGER,
ADD COLUMN     "store" "store_kind",
ALTER COLUMN "content" DROP NOT NULL;

-- Bytes are either in the database or in a store.
-- Older versions: they write bytes to the database, which the check allows.
ALTER TABLE "attachment_contents" ADD CONSTRAINT "attachment_contents_place_check" CHECK (
  num_nulls("store", "object_key", "object_size") = CASE WHEN "content" IS NULL THEN 0 ELSE 3 END
) NOT VALID;

CREATE INDEX "attachment_contents_object_idx" ON "attachment_contents" ("store", "object_key")
  WHERE "object_key" IS NOT NULL;

-- Objects of stores that are to be removed, unless a file has them. An object is noted here before it is written, and
-- taken off in the transaction that gives it to a file. It is noted again in the transaction that takes it from a file.
CREATE TABLE "file_removals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "store" "store_kind" NOT NULL,
    "object_key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "file_removals_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "file_removals_object_key" ON "file_removals" ("store", "object_key");

CREATE INDEX "file_removals_due_at_idx" ON "file_removals" ("due_at");

-- Both run as the table's owner, because callers do not see these rows.
CREATE FUNCTION note_file_removal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Who has just read where a file was, perhaps from a replica, still finds it there when it has been moved.
  INSERT INTO file_removals (store, object_key, due_at)
  VALUES (OLD.store, OLD.object_key, now() + CASE TG_OP WHEN 'UPDATE' THEN interval '1 minute' ELSE '0' END)
  ON CONFLICT (store, object_key) DO UPDATE SET due_at = excluded.due_at, attempts = 0;
  RETURN NULL;
END $$;

CREATE FUNCTION keep_file() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Once a worker has claimed it, the object may already be gone.
  DELETE FROM file_removals WHERE (store, object_key) = (NEW.store, NEW.object_key) AND attempts = 0;
  IF NOT FOUND THEN
    -- The lock keeps another file that has the object until this one has it as well.
    PERFORM FROM attachment_contents
    WHERE (store, object_key) = (NEW.store, NEW.object_key) AND id <> NEW.id LIMIT 1 FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'The object of a new file is not in its store any more.' USING ERRCODE = '40001';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "note_file_removal" AFTER DELETE ON "attachment_contents"
  FOR EACH ROW WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION note_file_removal();

CREATE TRIGGER "note_moved_file" AFTER UPDATE OF "store", "object_key" ON "attachment_contents"
  FOR EACH ROW WHEN (
    OLD.object_key IS NOT NULL AND (OLD.store, OLD.object_key) IS DISTINCT FROM (NEW.store, NEW.object_key)
  ) EXECUTE FUNCTION note_file_removal();

CREATE TRIGGER "keep_file" AFTER INSERT ON "attachment_contents"
  FOR EACH ROW WHEN (NEW.object_key IS NOT NULL) EXECUTE FUNCTION keep_file();

CREATE TRIGGER "keep_moved_file" AFTER UPDATE OF "store", "object_key" ON "attachment_contents"
  FOR EACH ROW WHEN (
    NEW.object_key IS NOT NULL AND (OLD.store, OLD.object_key) IS DISTINCT FROM (NEW.store, NEW.object_key)
  ) EXECUTE FUNCTION keep_file();
