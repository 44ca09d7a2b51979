-- One row at most: the backup that filled this database, until somebody says that the database is the real one. Meanwhile it
-- may be a copy beside the real one, and reaches no other system. `restore` makes the table in older schemas.
CREATE TABLE IF NOT EXISTS "restored_backup" (
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "restored_at" TIMESTAMPTZ(3) NOT NULL,
    "single" BOOLEAN NOT NULL DEFAULT TRUE CHECK ("single"),

    CONSTRAINT "restored_backup_pkey" PRIMARY KEY ("single")
);
