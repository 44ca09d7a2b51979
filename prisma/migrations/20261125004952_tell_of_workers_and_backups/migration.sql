-- What the gateway tells of its own health: workspaces in which deciding fails, workers, and the last backup.
-- AlterTable
ALTER TABLE "reminder_marks" ADD COLUMN     "failing_since" TIMESTAMPTZ(3);

-- Few fail at a time, if any.
CREATE INDEX "reminder_marks_failing_since_idx" ON "reminder_marks"("failing_since") WHERE "failing_since" IS NOT NULL;

-- One row for each process that files uploads and sends mail, which says every few seconds that it runs. Unlogged, as it
-- is worth nothing after a minute: no write waits for a disk, and a crash empties it.
CREATE UNLOGGED TABLE "workers" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    -- Set when it has stopped in good order.
    "stopped_at" TIMESTAMPTZ(3),
    -- When it last looked for reminders that are due; null while it has no mail, as it then decides nothing.
    "decided_at" TIMESTAMPTZ(3),
    "has_mail" BOOLEAN NOT NULL,
    -- Whether reminders of the demo have an address to go to.
    "has_demo_mail" BOOLEAN NOT NULL,
    -- When the mail server was last tried, and what was wrong with it; null when it took the mail or the greeting.
    "mail_tried_at" TIMESTAMPTZ(3),
    "mail_problem" TEXT,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- One row at most: the last backup that the command `backup` has finished.
CREATE TABLE "last_backup" (
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes" BIGINT NOT NULL,
    "single" BOOLEAN NOT NULL DEFAULT TRUE CHECK ("single"),

    CONSTRAINT "last_backup_pkey" PRIMARY KEY ("single")
);
